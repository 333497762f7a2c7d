import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src');

/** Not bundled: packages that find their own files, and GraphiQL's 9 MB, which only its page needs. */
const EXTERNAL = ['pino', 'pino-pretty', 'node-sqlite3-wasm', '@graphql-yoga/render-graphiql'];

const commands = readdirSync(join(SOURCES, 'cli')).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? []);

/** By the names that they have in `dist`. The last two are there for tests. */
const programs = {
  main: join(SOURCES, 'main.ts'),
  lambda: join(SOURCES, 'lambda.ts'),
  ...Object.fromEntries(commands.map((name) => [name, join(SOURCES, 'cli', `${name}.ts`)])),
  embeddedHost: join(ROOT, 'test', 'support', 'embeddedHost.ts'),
  openAndClose: join(ROOT, 'test', 'bus', 'support', 'openAndClose.ts'),
};

/** Lets a module find its files as if it were still a file of its own, where the compiler writes it. */
const ownUrls = (): Plugin => ({
  name: 'own-urls',
  transform(code, id) {
    if (!id.startsWith(SOURCES) || !code.includes('import.meta.url')) return null;
    const path = relative(SOURCES, id).replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `new URL('./${path}', import.meta.url).href`);
  },
});

/** The product's programs, each with its packages in one file or a few that they share. */
export default defineConfig({
  root: ROOT,
  publicDir: false,
  envDir: false,
  logLevel: 'warn',
  plugins: [ownUrls()],
  ssr: { noExternal: true, external: EXTERNAL },
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    emptyOutDir: true,
    // Flat: `import.meta.url` is the same for all.
    rolldownOptions: {
      input: programs,
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' },
    },
  },
});
