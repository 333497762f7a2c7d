import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledTexts } from './build/compiledTexts.ts';
import { compressed } from './build/compressed.ts';
import { pageConfig, proxy } from './build/developmentServer.ts';
import { emojiData } from './build/emojiData.ts';
import { onlyLexer } from './build/onlyLexer.ts';
import { separateDocuments } from './build/separateDocuments.ts';
import { withinBudget } from './build/withinBudget.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The most script that a first visit may load, in bytes after gzip. */
const FIRST_LOAD_BYTES = 180_000;

/** It has the same name in every release: a browser asks for this path again to learn whether it has changed. */
const SERVICE_WORKER = 'sw';

/** The service worker is one file: browsers check only that one for changes each time. */
const isOfPage = (id: string): boolean => !id.startsWith(here('worker/'));

/** `npm run build:web` writes `dist/web`, which the server serves. `npm run dev:web` runs next to `npm run dev`. */
export default defineConfig({
  root: here('.'),
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // All styles are a few kilobytes, so one file. A script loaded later then never lacks its styles.
    cssCodeSplit: false,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    // Every browser that supports the target has module preload, and the polyfill costs one more request.
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    // In kB before compression. `withinBudget` is stricter.
    chunkSizeWarningLimit: 1_000,
    // `npm start` shows what a build prints, also to people who build nothing themselves.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { index: here('index.html'), [SERVICE_WORKER]: here('worker/serviceWorker.ts') },
      output: {
        entryFileNames: ({ name }) =>
          name === SERVICE_WORKER ? `${SERVICE_WORKER}.js` : 'assets/[name]-[hash].js',
        // One script for all that the page needs at once. By default each part that a late script shares with it is a
        // script of its own: 14 requests more, and 4 kB, because each is compressed alone.
        codeSplitting: { groups: [{ name: 'index', tags: ['$initial'], test: isOfPage }] },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { ...proxy } },
  plugins: [
    react(),
    emojiData(),
    compiledTexts(),
    separateDocuments(),
    onlyLexer(),
    pageConfig(),
    withinBudget(FIRST_LOAD_BYTES),
    compressed(),
  ],
});
