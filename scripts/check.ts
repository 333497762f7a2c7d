/**
 * `npm run check`: the checks that do not run the code. All of them run, two at a time, even after one has failed. A
 * failed check names the command that fixes it, or the place of its rules.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

interface Check {
  readonly name: string;
  /** A script of package.json. */
  readonly run: string;
  /** The command that fixes what it finds, or where to look. */
  readonly fix: string;
}

const OUTPUT_MAX = 10_000_000;

/** The slowest one is first: it takes as long as all the others together. */
const checks: readonly Check[] = [
  { name: 'types', run: 'typecheck', fix: 'see the lines above' },
  {
    name: 'types of infra/, if its packages are installed',
    run: 'typecheck:infra',
    fix: 'see the lines above',
  },
  { name: 'format and lint', run: 'lint', fix: 'npm run format, then fix the rest by hand' },
  { name: 'import directions', run: 'imports', fix: 'see the rules in .dependency-cruiser.cjs' },
  { name: 'unused code and packages', run: 'unused', fix: 'remove what nothing uses' },
  { name: 'schema.graphql and docs/api.md match the code', run: 'schema:check', fix: 'npm run schema' },
  {
    name: 'schema breaks no clients',
    run: 'schema:changes',
    fix: 'keep and deprecate what clients use, or say why not in schema/accepted-changes.json',
  },
  { name: "types of the tests' operations", run: 'codegen:check', fix: 'npm run codegen' },
  { name: 'links and names in documents', run: 'docs', fix: 'see the lines above' },
  {
    name: 'plain words',
    run: 'words',
    fix: 'write the sentence plainly: scripts/words/rules.ts says what to write instead',
  },
  {
    name: 'licences of packages',
    run: 'licences',
    fix: 'use another package, or agree: ALLOWED in scripts/check-licences.ts',
  },
  { name: 'package-lock.json is complete', run: 'lockfile', fix: 'choose another version of the package' },
];

const run = promisify(execFile);

/** Returns the output of a check that failed, or undefined. */
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
        process.stdout.write(`\n${found}\n\nFAILED  ${check.name}. To fix it: ${check.fix}\n\n`);
        process.exitCode = 1;
      }
    }),
  ),
);
