/**
 * `npm run check`: what can be said of the code without running it. Every check runs, two at a time, also after
 * one has failed, and each that fails says the command that mends it, or where its rules are.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

interface Check {
  readonly name: string;
  /** A script of package.json. */
  readonly run: string;
  readonly mend: string;
}

const OUTPUT_MAX = 10_000_000;

/** The one that takes longest begins, beside all others. */
const checks: readonly Check[] = [
  { name: 'types', run: 'typecheck', mend: 'see the lines above' },
  { name: 'format and lint', run: 'lint', mend: 'npm run format, then what is left by hand' },
  { name: 'import directions', run: 'imports', mend: 'see the rules in .dependency-cruiser.cjs' },
  { name: 'unused code and packages', run: 'unused', mend: 'remove what nothing uses' },
  { name: 'schema.graphql is what the code says', run: 'schema:check', mend: 'npm run schema' },
  { name: "the tests' operations are generated", run: 'codegen:check', mend: 'npm run codegen' },
  { name: 'the documents are true to the files', run: 'docs', mend: 'see the lines above' },
  {
    name: 'licences of packages',
    run: 'licences',
    mend: 'use another package, or agree: ALLOWED in scripts/check-licences.ts',
  },
  { name: 'package-lock.json is good everywhere', run: 'lockfile:check', mend: 'npm run lockfile' },
];

const run = promisify(execFile);

/** What it said, where it has failed. */
const failure = (check: Check): Promise<string | undefined> =>
  run('npm', ['run', '--silent', check.run], { maxBuffer: OUTPUT_MAX }).then(
    () => undefined,
    ({ stdout = '', stderr = '', message }: { stdout?: string; stderr?: string; message: string }) =>
      `${stdout}${stderr}`.trim() || message,
  );

const atOnce = pLimit(2);
await Promise.all(
  checks.map((check) =>
    atOnce(async () => {
      const found = await failure(check);
      if (found === undefined) {
        process.stdout.write(`ok      ${check.name}\n`);
      } else {
        process.stdout.write(`\n${found}\n\nFAILED  ${check.name}. To mend it: ${check.mend}\n\n`);
        process.exitCode = 1;
      }
    }),
  ),
);
