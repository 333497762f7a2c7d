/** `hand-over` and `switch` that are killed on their way: what is proposed then can be pasted, and keeps the flags. */
import { expect, onTestFinished, test } from 'vitest';
import { handOverCommand } from '../../src/cli/command/handOverCommand.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { alsoEndpoint } from '../../src/reshape/tableShape.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { programFile } from '../support/builds/build.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { type Program, runProgram } from '../support/servers/program.ts';
import { copyCommand } from './support/copy.ts';
import { tableAndCopy } from './support/switching.ts';

/** A table, and its copy behind an endpoint of its own. */
async function tablesAtTwoEndpoints() {
  const { first, second } = await tableAndCopy();
  const proxy = await startFaultProxy(second.endpoint);
  onTestFinished(() => proxy.stop());
  const command = await copyCommand(first, second.table);
  let running: Program | undefined;
  return {
    first,
    second,
    proxy,
    async begin(name: string, ...flags: string[]) {
      const program = await command.begin(name, '--to-endpoint', proxy.endpoint, ...flags);
      running = program;
      onTestFinished(() => program.stop());
      return program;
    },
    async kill() {
      running?.signal('SIGKILL');
      await running?.ended;
    },
  };
}

test.skipIf(onDynamoDbLocal)(
  'a hand-over that did not end: each start proposes the command with its flags and endpoints',
  async () => {
    const { first, second, proxy, begin, kill } = await tablesAtTwoEndpoints();
    // It asks who uses the tables before it is begun, and again after that.
    let isBegun = false;
    proxy.onRequest('UpdateItem', ({ ExpressionAttributeNames: names = {} }) => {
      isBegun ||= Object.values(names).includes('place');
    });
    proxy.onRequest('Query', () => (isBegun ? kill() : undefined));
    const { ended } = await begin('hand-over', '--handled', '--rate', '700');
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });

    const proposed = [
      `DYNAMODB_ENDPOINT=${first.endpoint} TABLE_NAME=${first.table} npm run -s reshape -- hand-over`,
      `--to-table ${second.table} --to-endpoint ${proxy.endpoint} --handled --rate 700`,
    ].join(' ');
    for (const database of [first, second])
      await expect(startTestApp({ database })).rejects.toThrow(`run it again: ${proposed}`);
    proxy.onRequest('Query', () => {});
    const built = `"${process.execPath}" "${await programFile('cli/reshape')}"`;
    // The rate is kept, also if the command is typed without it.
    const typed = proposed.replace('npm run -s reshape --', built).replace(' --rate 700', '');
    const pasted = await runProgram({ command: ['/bin/sh', '-c', `exec env ${typed}`] });
    onTestFinished(() => pasted.stop());
    const settings = `Set TABLE_NAME to it, and DYNAMODB_ENDPOINT to ${proxy.endpoint}, and start the servers.`;
    await pasted.says(`The table in use is ${second.table}. ${settings}`);
    await pasted.says('"rate":700');
    await expect(startTestApp({ database: first })).rejects.toThrow(
      `Set TABLE_NAME to that one, and DYNAMODB_ENDPOINT to ${proxy.endpoint}.`,
    );
  },
  120_000,
);

test.skipIf(onDynamoDbLocal)(
  'a switch that is killed when it is decided: run again, it carries back at the rate that was given',
  async () => {
    const { first, second, proxy, begin, kill } = await tablesAtTwoEndpoints();
    const { pk, sk } = keys.shape();
    const putsShape = ({ Put }: { Put?: { Item: { pk: { S: string }; sk: { S: string } } } }) =>
      Put?.Item.pk.S === pk && Put.Item.sk.S === sk;
    proxy.onRequest('TransactWriteItems', ({ TransactItems: writes }) =>
      writes.some(putsShape) ? kill() : undefined,
    );
    const { ended } = await begin('switch', '--within', '10000', '--rate', '1234');
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    proxy.onRequest('TransactWriteItems', () => {});
    const again = await begin('switch');
    await again.says('"rate":1234');
    const settings = `Set TABLE_NAME to that one, and DYNAMODB_ENDPOINT to ${proxy.endpoint}.`;
    const why = `This table is not in use. The table in use is ${second.table}. ${settings}`;
    await expect(startTestApp({ database: first })).rejects.toThrow(why);
    const { stderr } = await (await copyCommand(first, second.table)).run('status');
    expect(stderr).toBe(`${why}\n`);
  },
  120_000,
);

test('the endpoint of the table in use is named as it was given, without a password; on AWS there is none', () => {
  expect(alsoEndpoint({ table: 'tsudoi' })).toBe('');
  expect(alsoEndpoint({ region: 'eu-west-1' })).toBe(', without DYNAMODB_ENDPOINT');
  expect(alsoEndpoint({ endpoint: 'http://localhost:8000' })).toBe(
    ', and DYNAMODB_ENDPOINT to http://localhost:8000',
  );
  expect(alsoEndpoint({ endpoint: 'http://me:secret@localhost:8000/dynamodb' })).toBe(
    ', and DYNAMODB_ENDPOINT to http://localhost:8000/dynamodb',
  );
});

test('a command to paste is quoted for a shell, has no password, and does not use the endpoint of the shell', () => {
  const flags = { create: false, keys: undefined, within: undefined, functionsRemoved: false };
  expect(
    handOverCommand(
      { table: 'tsudoi', region: 'eu-west-1' },
      {
        ...flags,
        table: 'tsudoi-2',
        region: undefined,
        endpoint: 'http://me:secret@localhost:8000/?a=1&b=2',
        rate: undefined,
        metricsPort: 0,
        handled: false,
        noWayBack: true,
      },
    ),
  ).toBe(
    "DYNAMODB_ENDPOINT= AWS_REGION=eu-west-1 TABLE_NAME=tsudoi npm run -s reshape -- hand-over --to-table tsudoi-2 --to-endpoint 'http://localhost:8000/?a=1&b=2' --metrics-port 0 --no-way-back",
  );
});
