import { join } from 'node:path';
import { defineConfig } from 'vite';
import { serverBuild } from '../../../scripts/build/server.vite.config.ts';
import { ROOT } from './viteBuild.ts';

/** What `npm run build:server` makes, and four programs that are there for tests. */
export default defineConfig(
  serverBuild({
    embeddedHost: join(ROOT, 'test', 'support', 'database', 'embeddedHost.ts'),
    endlessFile: join(ROOT, 'test', 'cli', 'support', 'endlessFile.ts'),
    openAndClose: join(ROOT, 'test', 'bus', 'support', 'openAndClose.ts'),
    handleTimer: join(ROOT, 'test', 'saved', 'jobs', 'support', 'handleTimer.ts'),
  }),
);
