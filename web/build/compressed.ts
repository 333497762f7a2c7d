import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const WORTH_COMPRESSING = /\.(js|css|svg|md)$/;

/** Writes a gzip and a brotli copy next to each text file, at the highest level: once per build, not per request. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && WORTH_COMPRESSING.test(entry.name));
      await Promise.all(
        files.map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          const bytes = await readFile(path);
          const [zipped, brotli] = await Promise.all([gzipped(bytes), brotlied(bytes)]);
          await Promise.all([writeFile(`${path}.gz`, zipped), writeFile(`${path}.br`, brotli)]);
        }),
      );
    },
  };
}

const gzipped = (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
const brotlied = (bytes: Buffer) => promisify(brotliCompress)(bytes);
