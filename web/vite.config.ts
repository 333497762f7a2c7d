import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './build/compressed.ts';
import { proxy, toldByServer } from './build/developmentServer.ts';
import { withinBudget } from './build/withinBudget.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What a first visit may load of script, in bytes after gzip. */
const FIRST_LOAD_BYTES = 180_000;

/** `npm run build:web` → `dist/web`, which the server serves; `npm run dev:web` beside `npm run dev`. */
export default defineConfig({
  root: here('.'),
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // A few kilobytes for all there is; of a script that comes later none can be missing then.
    cssCodeSplit: false,
    // Small files inside the script would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    // One request more before the first script; every browser that runs the target has it.
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
  },
  server: { host: '127.0.0.1', proxy: { ...proxy } },
  plugins: [react(), toldByServer(), withinBudget(FIRST_LOAD_BYTES), compressed()],
});
