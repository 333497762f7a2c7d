/** Writes the sorted schema to schema/schema.graphql and docs/api.md. With --check, it fails if a file is different. */
import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from '../src/app/schema.ts';
import { apiDocument } from './schema/apiDocument.ts';

const schema = lexicographicSortSchema(createSchema());
const files = {
  'schema/schema.graphql': `${printSchema(schema)}\n`,
  'docs/api.md': apiDocument(schema),
};

for (const [name, printed] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, printed);
  } else if (readFileSync(file, 'utf8') !== printed) {
    process.stderr.write(`${name} is not what the code says. Run npm run schema.\n`);
    process.exitCode = 1;
  }
}
