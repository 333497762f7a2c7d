/**
 * `npm run schema:changes`: refuses changes of the schema that break clients of the last release, whose schema is
 * schema/released.graphql. schema/accepted-changes.json has those that are made on purpose, each with its reason.
 *
 * `npm run schema:changes -- --release` makes the current schema the released one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { schemaProblems } from './schema/changes.ts';

const file = (name: string) => new URL(`../schema/${name}`, import.meta.url);
const read = (name: string) => readFileSync(file(name), 'utf8');
const acceptedChanges = z.array(z.strictObject({ change: z.string(), reason: z.string().min(10) }));

if (process.argv.includes('--release')) {
  writeFileSync(file('released.graphql'), read('schema.graphql'));
  writeFileSync(file('accepted-changes.json'), '[]\n');
} else {
  const accepted = acceptedChanges.parse(JSON.parse(read('accepted-changes.json')));
  const problems = await schemaProblems(read('released.graphql'), read('schema.graphql'), accepted);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exitCode = 1;
  }
}
