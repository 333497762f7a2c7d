import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src');

/**
 * Not bundled: packages that find their own files, GraphiQL's 9 MB, which only its page needs, and development ones.
 */
const EXTERNAL = ['pino', 'pino-pretty', '@graphql-yoga/render-graphiql', 'node-sqlite3-wasm', 'pure-rand'];

/** The web client and the functions have builds of their own. The former runs at the same time. */
const OTHERS = ['web', 'functions'];
/** Written last. `npm start` builds again if it is missing or older than the sources. */
const COMPLETE = 'server.built';

/** The entry points, by their paths in `dist`. */
function programs(): Readonly<Record<string, string>> {
  const cli = join(SOURCES, 'cli');
  const commands = existsSync(cli) ? readdirSync(cli).filter((file) => file.endsWith('.ts')) : [];
  const files = ['main.ts', ...commands.map((file) => join('cli', file))];
  const paths = files.map((file) => join(SOURCES, file)).filter((path) => existsSync(path));
  return Object.fromEntries(paths.map((path) => [relative(SOURCES, path).replace(/\.ts$/, ''), path]));
}

const OWN_URL = /__own_url\("([^"]*)"\)/g;

/** Lets a module find its files as if it were a file of its own in `dist`. It may be part of any other file. */
const ownUrls = (): Plugin => ({
  name: 'own-urls',
  transform(code, id) {
    if (!id.startsWith(SOURCES) || !code.includes('import.meta.url')) return null;
    const path = relative(SOURCES, id).replace(/\.ts$/, '.js');
    return { code: code.replaceAll('import.meta.url', `__own_url("${path}")`), map: null };
  },
  renderChunk(code, { fileName }) {
    if (!code.includes('__own_url(')) return null;
    const up = relative(dirname(fileName), '.') || '.';
    const text = code.replace(OWN_URL, (_, path) => `new URL("${up}/${path}", import.meta.url).href`);
    // No line is added or removed, so the source map stays right.
    return { code: text, map: null };
  },
});

/** Removes the previous build, and marks the new one when all its files are written. */
function wholeBuild(): Plugin {
  let directory = '';
  return {
    name: 'whole-build',
    configResolved({ root, build }) {
      directory = resolve(root, build.outDir);
    },
    async buildStart() {
      const old = existsSync(directory)
        ? readdirSync(directory).filter((name) => !OTHERS.includes(name))
        : [];
      await Promise.all(old.map((name) => rm(join(directory, name), { recursive: true })));
    },
    writeBundle: () => writeFile(join(directory, COMPLETE), ''),
  };
}

/** The entry points of `src`, and others for tests. Each is bundled with its packages; what they share is shared. */
export function serverBuild(others: Readonly<Record<string, string>> = {}): UserConfig {
  return {
    root: ROOT,
    publicDir: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [ownUrls(), wholeBuild()],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      outDir: 'dist',
      // `whole-build` does it: `dist/web` stays.
      emptyOutDir: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        // A build of seconds needs no advice about its plugins, and `npm start` shows what a build prints.
        checks: { bundlerTimings: false },
        input: { ...programs(), ...others },
        output: {
          // The maps are for stack traces, which need no text. It would double their size.
          sourcemapExcludeSources: true,
          entryFileNames: '[name].js',
          // Development code is apart: production has no use for it.
          chunkFileNames: ({ facadeModuleId }) =>
            facadeModuleId?.startsWith(join(SOURCES, 'dev')) === true
              ? 'dev/[name]-[hash].js'
              : 'chunks/[name]-[hash].js',
        },
      },
    },
  };
}

/** `npm run build:server` writes the server into `dist`. */
export default defineConfig(serverBuild());
