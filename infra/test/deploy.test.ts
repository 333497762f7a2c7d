import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../test/support/machine/directory.ts';
import { runProgram } from '../../test/support/servers/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('npm run deploy: says everything that is missing, and does nothing then', async () => {
  const program = await runProgram({
    command: [process.execPath, '--import', 'tsx', 'infra/deploy.ts'],
    cwd: root,
    // No docker, no profile, and no questions to the network about credentials.
    env: {
      PATH: await temporaryDirectory(),
      HOME: await temporaryDirectory(),
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  });
  onTestFinished(() => program.stop());
  expect(await program.ended).toMatchObject({ code: 1 });
  expect(program.stdout).toBe('');
  const lines = program.stderr.split('\n').filter((line) => line.startsWith('  - '));
  expect(program.stderr).toMatch(/^Nothing was deployed:/m);
  expect(lines).toEqual([
    expect.stringContaining('infra/settings.ts'),
    expect.stringContaining('Docker'),
    expect.stringContaining('credentials'),
    expect.stringContaining('SMOKE_TOKEN'),
  ]);
});
