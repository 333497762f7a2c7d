/** The server, or its database, is killed with SIGKILL. Every acknowledged message is stored once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { UnreadNow } from '../support/clients/operations.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { isRunning } from '../support/machine/processes.ts';
import { eventually } from '../support/time/eventually.ts';
import { startConversation } from './support/conversation.ts';
import { clientAt, deployed, noProcessWith, run } from './support/run.ts';

const databasePid = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'dynamodb.pid'), 'utf8'), 10);

/** Kills the database's process. Resolves when another one runs. */
async function killDatabase(dataDir: string): Promise<void> {
  const pid = databasePid(dataDir);
  process.kill(pid, 'SIGKILL');
  await eventually(() => {
    const now = databasePid(dataDir);
    expect(now !== pid && isRunning(now)).toBe(true);
  });
}

test('kill: after the server was killed twice, no acknowledged message is lost, doubled or miscounted', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const start = () => run({ env: deployed({ DATA_DIR: dataDir }) });
  let server = await start();
  const conversation = await startConversation((await server.ready()).url);

  const talk = conversation.startSending();
  for (let kills = 0; kills < 2; kills++) {
    await conversation.untilAcknowledged(40);
    server.signal('SIGKILL');
    expect(await server.ended).toMatchObject({ signal: 'SIGKILL' });
    // The database ends soon after the server.
    await noProcessWith(dataDir);
    server = await start();
    conversation.useServer((await server.ready()).url);
  }
  await conversation.untilAcknowledged(20);
  await talk.stop();
  const badge = await conversation.verify();

  const { url } = await server.ready();
  const reader = await conversation.reader(url);
  const live = watchBadge(reader);
  await shows(live, badge);
  process.stdout.write(`killed twice: ${conversation.acknowledged.length} messages, each stored once\n`);
});

test('kill: after its database was killed, the server waits for a new one and keeps its websockets and data', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = await run({ env: deployed({ DATA_DIR: dataDir }) });
  const { url } = await server.ready();
  const conversation = await startConversation(url);
  const reader = await conversation.reader(url);
  const live = watchBadge(reader);
  await live.next();

  const talk = conversation.startSending();
  for (let kills = 0; kills < 2; kills++) {
    await conversation.untilAcknowledged(20);
    await killDatabase(dataDir);
  }
  await conversation.untilAcknowledged(20);
  await talk.stop();
  await conversation.verify();
  await shows(live, await queryBadge(reader));
  expect(isRunning(server.pid)).toBe(true);
  expect(server.stderr).toContain('ended unexpectedly. It was restarted');
});

test('kill: if its database is killed again and again, the server ends with the reason', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = await run({ env: deployed({ DATA_DIR: dataDir }) });
  const { url } = await server.ready();
  await (await clientAt(url, 'aki')).do(UnreadNow);
  for (let kills = 0; kills < 5; kills++) await killDatabase(dataDir);
  process.kill(databasePid(dataDir), 'SIGKILL');
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(server.stderr).toMatch(/^Tsudoi has to end: The embedded DynamoDB ended unexpectedly .*$/m);
  await noProcessWith(dataDir);
});
