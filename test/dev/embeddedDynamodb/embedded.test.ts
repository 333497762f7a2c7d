import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StartError } from '../../../src/core/errors.ts';
import { findBinary } from '../../../src/dev/embeddedDynamodb/binary.ts';
import { PortTaken, startDatabase } from '../../../src/dev/embeddedDynamodb/database.ts';
import {
  type Embedded,
  type EmbeddedOptions,
  startEmbedded,
} from '../../../src/dev/embeddedDynamodb/embedded.ts';
import { createClient } from '../../../src/dynamo/client.ts';
import { ensureTable } from '../../../src/dynamo/ensureTable.ts';
import { testTimeouts } from '../../support/database/dynamo.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';
import { isRunning, startProgram, untilEnded } from '../../support/machine/processes.ts';
import { TEST_TIMEOUT_MS } from '../../support/run/budget.ts';
import { eventually } from '../../support/time/eventually.ts';

const log = pino({ level: 'silent' });

async function start(options: Omit<EmbeddedOptions, 'log'> = {}): Promise<Embedded> {
  const embedded = await startEmbedded({ log, ...options });
  onTestFinished(() => embedded.stop());
  return embedded;
}

/** A table with keys only, and two operations on it. */
async function openTable({ endpoint, gate }: Embedded) {
  const client = createClient({ endpoint, gate, timeouts: testTimeouts });
  onTestFinished(() => client.destroy());
  await ensureTable(client, 'table');
  const key = (sk: string) => ({ pk: { S: 'written' }, sk: { S: sk } });
  return {
    put: (sk: string) => client.send(new PutItemCommand({ TableName: 'table', Item: key(sk) })),
    has: async (sk: string, TableName = 'table') =>
      (await client.send(new GetItemCommand({ TableName, Key: key(sk) }))).Item !== undefined,
  };
}

describe('startEmbedded', () => {
  it('startEmbedded: answers on a loopback port; stop is idempotent and leaves no process', async () => {
    const embedded = await start();
    expect(embedded.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const table = await openTable(embedded);
    await table.put('a');
    expect(await table.has('a')).toBe(true);

    await Promise.all([embedded.stop(), embedded.stop()]);
    expect(isRunning(embedded.pid)).toBe(false);
    expect(await embedded.exited).toBeUndefined();
  });

  it('startEmbedded: keeps its data in the directory, which only its owner may read', async () => {
    const dataDir = join(await temporaryDirectory(), 'made', 'here');
    const first = await start({ dataDir });
    await (await openTable(first)).put('a');
    await first.stop();
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);

    const second = await start({ dataDir });
    expect(await (await openTable(second)).has('a')).toBe(true);
  });

  it('startEmbedded: restarts on the same port if its process is killed, and no request fails', async () => {
    // A busy machine may take longer for a restart than the product lets requests wait.
    const embedded = await start({ dataDir: await temporaryDirectory(), gateMs: TEST_TIMEOUT_MS });
    const table = await openTable(embedded);
    const { pid } = embedded;
    const writers = Array.from({ length: 30 }, async (_, writer) => {
      for (let n = 0; n < 20; n++) await table.put(`${writer}-${n}`);
    });
    await table.put('before');
    process.kill(pid, 'SIGKILL');
    await Promise.all(writers);

    expect(embedded.pid).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
    for (const sk of ['before', '0-0', '29-19']) expect(await table.has(sk)).toBe(true);
  });

  it('startEmbedded: `exited` resolves to an error if the process keeps ending', async () => {
    const embedded = await start({ dataDir: await temporaryDirectory() });
    let gone: Error | undefined;
    void embedded.exited.then((error) => {
      gone = error;
    });
    let kills = 0;
    while (gone === undefined) {
      const killed = embedded.pid;
      process.kill(killed, 'SIGKILL');
      kills++;
      await eventually(() => expect(gone !== undefined || embedded.pid !== killed).toBe(true), 5);
    }
    expect(kills).toBe(6);
    expect(gone?.message).toMatch(/ended unexpectedly \(SIGKILL.*could not be kept running/);
  });

  it('startEmbedded: does not restart a database in memory', async () => {
    const embedded = await start();
    process.kill(embedded.pid, 'SIGKILL');
    expect((await embedded.exited)?.message).toMatch(/ended unexpectedly/);
  });

  it('startEmbedded: the process ends with a killed server, and has all acknowledged writes', async () => {
    const directory = await temporaryDirectory();
    const server = await startProgram('embeddedHost', [directory]);
    const { pid } = await server.next();
    for (let n = 0; n < 50; n++) await server.next();
    process.kill(server.pid, 'SIGKILL');
    await untilEnded(pid as number);
    const acknowledged: string[] = [];
    for (;;) {
      const line = await server.next().catch(() => undefined);
      if (line === undefined) break;
      acknowledged.push(line.written as string);
    }

    const table = await openTable(await start({ dataDir: directory }));
    expect(await table.has('0', 'host')).toBe(true);
    expect(await table.has('49', 'host')).toBe(true);
    for (const sk of acknowledged) expect(await table.has(sk, 'host')).toBe(true);
  });

  it('startEmbedded: a signal to the process group does not end it before the server stops it', async () => {
    const server = await startProgram('embeddedHost', [await temporaryDirectory()]);
    const { pid } = await server.next();
    await server.next();
    process.kill(-server.pid, 'SIGTERM');
    const lines = [];
    do lines.push(await server.next());
    while (lines.at(-1)?.stopped === undefined);
    expect(lines.slice(-2)).toEqual([{ written: 'after SIGTERM' }, { stopped: pid }]);
    expect(isRunning(pid as number)).toBe(false);
  });

  it('findBinary: one line says what to set if there is no binary for the machine', () => {
    const find = () => findBinary({ platform: 'plan9', arch: 'mips' });
    expect(find).toThrow(StartError);
    expect(find).toThrow(
      /^There is no embedded DynamoDB for this machine \(@dynoxide\/plan9-mips .*DYNAMODB_ENDPOINT.*docker compose up$/,
    );
  });

  it('startDatabase: one line has the output of a binary that does not run, and what to set', async () => {
    const failing = startDatabase({ binary: '/bin/cat', port: 1, log });
    await expect(failing).rejects.toThrow(StartError);
    await expect(failing).rejects.toThrow(
      /^The embedded DynamoDB \(\/bin\/cat\) does not run: exit code 1: .*DYNAMODB_ENDPOINT.*docker compose up$/,
    );
  });

  it('startDatabase: throws PortTaken if another process listens on the port', async () => {
    const other = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startDatabase({ binary: findBinary(), port, log })).rejects.toThrow(PortTaken);
  });
});
