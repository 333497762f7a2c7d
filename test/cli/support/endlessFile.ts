/** Writes a file, as `export --out` does, and does not come to its end: it says when it has begun. */
import { outFile } from '../../../src/cli/command/outFile.ts';

const [path = ''] = process.argv.slice(2);
const writeOut = await outFile(path);
await writeOut(async (to) => {
  await new Promise((resolve) => to.write('the beginning', resolve));
  process.stdout.write('{"begun":true}\n');
  // A timer keeps the process running.
  await new Promise(() => setInterval(() => {}, 60_000));
});
