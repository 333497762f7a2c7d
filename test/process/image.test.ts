/** The image, as its Dockerfile builds it, and the settings of the compose file. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Variables } from '../../src/variables.ts';
import { startCollector } from '../app/support/collector.ts';
import { ROOT } from '../support/builds/viteBuild.ts';
import { UnreadNow } from '../support/clients/operations.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { buildImage, type Image } from './support/image.ts';
import { linkProductionPackages } from './support/productionPackages.ts';
import { clientAt, deployed, linkPackages, run } from './support/run.ts';

/** The arguments of an instruction; of the last one if there are several. */
const argsOf = ({ instructions }: Image, name: string): string =>
  instructions.findLast((instruction) => instruction.name === name)?.args ?? '';

test('Dockerfile: what it builds starts, serves, sends traces, is healthy and has the commands', async () => {
  const image = await buildImage({
    directory: await temporaryDirectory(),
    install: (folder, options) =>
      options.includes('--omit=dev') ? linkProductionPackages(folder) : linkPackages(folder),
  });
  const app = join(image.root, 'app');
  expect((await readdir(app)).sort()).toEqual(['assets', 'bin', 'dist', 'node_modules', 'package.json']);
  expect(await readdir(join(app, 'dist'))).not.toContain('functions');
  expect(argsOf(image, 'FROM')).toMatch(/^node:24-/);
  expect(argsOf(image, 'USER')).toBe('node');

  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const environment = deployed({ DYNAMODB_ENDPOINT: database.endpoint, TABLE_NAME: database.table });
  const [program, ...args] = JSON.parse(argsOf(image, 'CMD')) as string[];
  expect(program).toBe('node');
  const collector = await startCollector();
  onTestFinished(() => collector.stop());
  const server = await run({
    command: [process.execPath, ...args],
    cwd: app,
    env: { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const { url } = await server.ready();
  const aki = await clientAt(url, 'aki');
  expect((await aki.do(UnreadNow)).viewer.unread).toMatchObject({ total: 0 });
  expect(await (await fetch(url)).text()).toContain('<div id="root">');

  const [, check = ''] = /CMD (\[.*\])$/.exec(argsOf(image, 'HEALTHCHECK')) ?? [];
  const [, ...checkArgs] = JSON.parse(check) as string[];
  const healthy = (port: string) =>
    run({ command: [process.execPath, ...checkArgs], cwd: app, env: { PORT: port } });
  expect(await (await healthy(new URL(url).port)).ended).toMatchObject({ code: 0 });
  expect(await (await healthy('9')).ended).toMatchObject({ code: 1 });

  // OpenTelemetry is in the bundle: the image has no optional packages.
  server.signal('SIGTERM');
  await server.ended;
  expect(collector.spans.map(({ service }) => service)).toContain('tsudoi');

  const repair = await run({
    command: [process.execPath, join(image.root, 'usr/local/bin/tsudoi'), 'repair'],
    cwd: app,
    env: environment,
  });
  expect(await repair.ended).toMatchObject({ code: 0 });
  expect(repair.stdout).toBe('0 differed, 0 fixed\n');
});

test('docker-compose.yml: each setting is one of the program, and each service has an image or is built', async () => {
  const text = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
  const names = [...text.matchAll(/(?:^ {4}|[{,] )([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name);
  expect(names).toContain('REDIS_URL');
  expect(names).toContain('ROLE');
  for (const name of names) expect(Object.keys(Variables.shape)).toContain(name);
  const keys = [...text.matchAll(/^ {2,4}([a-z_]+):/gm)].map(([, key = '']) => key);
  const services = ['api', 'worker', 'dynamodb', 'redis'];
  const known = [
    'build',
    'command',
    'depends_on',
    'environment',
    'image',
    'init',
    'ports',
    'restart',
    'stop_grace_period',
  ];
  expect(new Set(keys)).toEqual(new Set([...services, ...known, 'user', 'volumes', 'working_dir']));
});
