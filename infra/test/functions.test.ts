/** The functions as they are uploaded: nothing beside the build, not even a folder of packages. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildFunctions } from '../../test/support/builds/functions.ts';
import { temporaryDirectory } from '../../test/support/machine/directory.ts';
import { ensureFunctions } from '../functions.ts';

const run = promisify(execFile);

/** In alphabetical order. The template has them as `lambda.handler` and `lambda.timers`. */
const HANDLERS = ['handler', 'timers'];

const LOADS = `
  const functions = await import('./lambda.mjs');
  process.stdout.write(Object.keys(functions).filter((name) => HANDLERS.includes(name)).join(' '));
`;

test('the handlers that the template names exist and load', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-functions-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await cp(await buildFunctions(), directory, {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });
  const { stdout, stderr } = await run(
    process.execPath,
    ['--input-type=module', '-e', LOADS.replace('HANDLERS', JSON.stringify(HANDLERS))],
    { cwd: directory },
  );
  expect(stdout.split(' ').sort()).toEqual(HANDLERS);
  expect(stderr).toBe('');
});

test('ensureFunctions: builds them if they are missing, once, and says what to run if they still are', async () => {
  const directory = await temporaryDirectory();
  let builds = 0;
  const fails = () => {
    builds++;
  };
  expect(() => ensureFunctions(directory, fails)).toThrow(
    /^.* has no lambda\.mjs: run npm run build:functions/,
  );
  await writeFile(join(directory, 'lambda.mjs'), '');
  ensureFunctions(directory, fails);
  expect(builds).toBe(1);
});
