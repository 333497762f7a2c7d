import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'vite';
import { ROOT, serverBuild } from './server.vite.config.ts';

/**
 * The AWS Lambda functions with all their packages, because a function has no `node_modules`: `dist/functions` is what
 * is uploaded, without the maps. The files end in `.mjs`, because there is no `package.json` either.
 */
export function functionsBuild(): UserConfig {
  const server = serverBuild();
  return {
    ...server,
    ssr: { noExternal: true },
    build: {
      ...server.build,
      outDir: 'dist/functions',
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { lambda: join(ROOT, 'src', 'lambda.ts') },
        output: {
          sourcemapExcludeSources: true,
          entryFileNames: '[name].mjs',
          chunkFileNames: 'chunks/[name]-[hash].mjs',
        },
      },
    },
  };
}

/** `npm run build:functions`. */
export default defineConfig(functionsBuild());
