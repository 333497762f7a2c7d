import { join } from 'node:path';
import { defineConfig } from 'vite';
import { serverBuild } from '../../../scripts/build/server.vite.config.ts';
import { ROOT } from './viteBuild.ts';

/** What `npm run build:server` makes, and three programs that are there for tests. */
export default defineConfig(
  serverBuild({
    embeddedHost: join(ROOT, 'test', 'support', 'database', 'embeddedHost.ts'),
    openAndClose: join(ROOT, 'test', 'bus', 'support', 'openAndClose.ts'),
    handleTimer: join(ROOT, 'test', 'saved', 'jobs', 'support', 'handleTimer.ts'),
  }),
);
