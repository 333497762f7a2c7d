/**
 * `npm run check`: what can be said of the code without running it. Every check runs, also after one has
 * failed, and each that fails says the command that mends it, or where its rules are.
 */
import { spawnSync } from 'node:child_process';

interface Check {
  readonly name: string;
  /** A script of package.json. */
  readonly run: string;
  readonly mend: string;
}

const checks: readonly Check[] = [
  { name: 'format and lint', run: 'lint', mend: 'npm run format, then what is left by hand' },
  { name: 'types', run: 'typecheck', mend: 'see the lines above' },
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

function failure({ run }: Check): string | undefined {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', run], { encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim();
}

for (const check of checks) {
  const found = failure(check);
  if (found === undefined) {
    process.stdout.write(`ok      ${check.name}\n`);
  } else {
    process.stdout.write(`\n${found}\n\nFAILED  ${check.name}. To mend it: ${check.mend}\n\n`);
    process.exitCode = 1;
  }
}
