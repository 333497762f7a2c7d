/** The build with the packages of `npm ci --omit=dev --omit=optional`, as in the image. */
import { cp, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildProgram } from '../support/builds/build.ts';
import { ROOT } from '../support/builds/viteBuild.ts';
import { buildWebClient } from '../support/builds/webClient.ts';
import { UnreadNow } from '../support/clients/operations.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { linkProductionPackages } from './support/productionPackages.ts';
import { clientAt, deployed, run } from './support/run.ts';

let directory: string;
let database: TestDynamo;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tsudoi-production-'));
  [database] = await Promise.all([
    openTestDynamo({ file: true }),
    copyBuild(),
    linkProductionPackages(directory),
  ]);
});
afterAll(async () => {
  await database?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function copyBuild(): Promise<void> {
  const [program, web] = await Promise.all([buildProgram(), buildWebClient()]);
  await cp(program, directory, { recursive: true });
  await symlink(web, join(directory, 'dist', 'web'));
  await cp(join(ROOT, 'package.json'), join(directory, 'package.json'));
  await cp(join(ROOT, 'bin'), join(directory, 'bin'), { recursive: true });
}

const program = (name: string, env: Readonly<Record<string, string>>) =>
  run({ command: [process.execPath, join(directory, 'dist', `${name}.js`)], cwd: directory, env });

const environment = () => deployed({ DYNAMODB_ENDPOINT: database.endpoint, TABLE_NAME: database.table });

test('production: the server and the commands run without development packages, and without dist/dev', async () => {
  const dev = join(directory, 'dist', 'dev');
  await rename(dev, `${dev}-removed`);
  onTestFinished(() => rename(`${dev}-removed`, dev));

  const server = await program('main', environment());
  const aki = await clientAt((await server.ready()).url, 'aki');
  expect((await aki.do(UnreadNow)).viewer.unread).toMatchObject({ total: 0, rooms: [] });
  for (const command of [
    [process.execPath, 'bin/tsudoi.js', 'repair'],
    ['npm', 'run', '-s', 'repair'],
  ] as const) {
    const repair = await run({ command, cwd: directory, env: environment() });
    expect({ ...(await repair.ended), stdout: repair.stdout }).toMatchObject({
      code: 0,
      stdout: '0 differed, 0 fixed\n',
    });
  }
});

test('production: without a DynamoDB the server ends with one line', async () => {
  const server = await program('main', deployed({ DATA_DIR: join(directory, 'data') }));
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(server.stderr).toMatch(/^There is no embedded DynamoDB for this machine .*DYNAMODB_ENDPOINT.*\n$/);
});

test('production: the seed command ends with one line', async () => {
  const seed = await program('cli/seed', environment());
  expect(await seed.ended).toMatchObject({ code: 1 });
  expect(seed.stderr).toBe(
    'npm run seed needs the development dependencies: run npm ci without --omit=dev.\n',
  );
});
