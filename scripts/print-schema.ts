/** Writes the sorted schema to schema/schema.graphql. With --check, it fails if the file is different. */
import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from '../src/app/schema.ts';

const file = new URL('../schema/schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(createSchema()))}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, printed);
} else if (readFileSync(file, 'utf8') !== printed) {
  process.stderr.write('schema/schema.graphql is not what the code says. Run npm run schema.\n');
  process.exitCode = 1;
}
