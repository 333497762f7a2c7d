/** If the program cannot start, it prints one line that says what to correct, and exits with code 1. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/dev/embeddedDynamodb/database.ts';
import { buildProgram } from '../support/builds/build.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { type Program, processesWith } from '../support/servers/program.ts';
import { deployed, linkPackages, noProcessWith, run } from './support/run.ts';

/** The error output of a program that has ended with code 1. */
async function errorOf(program: Program): Promise<string> {
  const { code, signal } = await program.ended;
  expect({ code, signal, stdout: program.stdout }).toEqual({ code: 1, signal: null, stdout: '' });
  return program.stderr;
}

async function runIn(env: Readonly<Record<string, string>>) {
  const dataDir = join(await temporaryDirectory(), 'data');
  const program = await run({ env: { DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env } });
  return { program, dataDir };
}

/** A server of another program on a free port, which never answers. */
async function silentServer() {
  const sockets: Array<{ destroy(): void }> = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

test('start: reports all mistakes in the environment at once, before anything is created', async () => {
  const { program, dataDir } = await runIn({
    PORT: 'eighty',
    ROLE: 'worker',
    AUTH_SECRET: 'short',
    LOG_LEVEL: 'loud',
    ALLOWED_ORIGINS: '*',
  });
  const output = await errorOf(program);
  for (const name of [
    'PORT',
    'REDIS_URL',
    'DYNAMODB_ENDPOINT',
    'AUTH_SECRET',
    'LOG_LEVEL',
    'ALLOWED_ORIGINS',
  ]) {
    expect(output).toMatch(new RegExp(`^  - ${name}\\b`, 'm'));
  }
  expect(output).not.toContain('short');
  expect(existsSync(dataDir)).toBe(false);
});

test('start: reports a port that is in use', async () => {
  const { port } = await silentServer();
  const { program, dataDir } = await runIn({ PORT: String(port) });
  expect(await errorOf(program)).toBe(
    `Port ${port} of 127.0.0.1 is in use. Set PORT to another one; 0 takes any free port.\n`,
  );
  await noProcessWith(dataDir);
});

test('start: reports a DynamoDB that does not run', async () => {
  const endpoint = `http://localhost:${await freePort()}`;
  const { program } = await runIn({ DYNAMODB_ENDPOINT: endpoint });
  expect(await errorOf(program)).toMatch(
    new RegExp(`^DynamoDB at ${endpoint} does not respond \\(ECONNREFUSED\\)\\. .*DYNAMODB_ENDPOINT.*\\n$`),
  );
});

/** Connections that a start may open before it gives up. */
const ATTEMPTS_MAX = 6;

test('start: reports a DynamoDB that accepts connections and never answers, after a few attempts', async () => {
  const { port, sockets } = await silentServer();
  const endpoint = `http://127.0.0.1:${port}`;
  const { program } = await runIn({ DYNAMODB_ENDPOINT: endpoint });
  expect(await errorOf(program)).toMatch(
    new RegExp(`^DynamoDB at ${endpoint} does not respond \\(\\w+\\)\\. .*\\n$`),
  );
  const { ms } = await program.ended;
  process.stdout.write(`a silent DynamoDB: the start failed after ${ms.toFixed(0)} ms\n`);
  expect(sockets.length).toBeLessThanOrEqual(ATTEMPTS_MAX);
});

test('start: reports that this machine has no embedded database', async () => {
  const directory = await temporaryDirectory();
  await cp(await buildProgram(), directory, { recursive: true });
  await linkPackages(directory, ['@dynoxide']);
  const program = await run({
    command: [process.execPath, join(directory, 'dist', 'main.js')],
    env: { DATA_DIR: join(directory, 'data') },
  });
  expect(await errorOf(program)).toMatch(
    /^There is no embedded DynamoDB for this machine .*DYNAMODB_ENDPOINT.*docker compose up\n$/,
  );
});

test('start: waits for a DATA_DIR that is in use, and reports it after some seconds', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const env = deployed({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const first = await run({ env });
  await first.ready();

  const second = await run({ env });
  expect(await errorOf(second)).toMatch(
    new RegExp(`^DATA_DIR ${dataDir} is in use: another Tsudoi process \\(${first.pid}\\) has it open.*\\n$`),
  );
  expect((await second.ended).ms).toBeGreaterThan(5_000);

  const third = await run({ env });
  first.signal('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
  await third.ready();
  third.signal('SIGTERM');
  expect(await third.ended).toMatchObject({ code: 0 });
  expect(processesWith(dataDir)).toEqual([]);
});
