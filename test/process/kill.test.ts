/** Killed without a chance to act: the server, or its database. What was acknowledged is there, once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { queryBadge, shows, watchBadge } from '../support/badges.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventually } from '../support/eventually.ts';
import { UnreadNow } from '../support/operations.ts';
import { isRunning } from '../support/processes.ts';
import { startConversation } from './conversation.ts';
import { clientAt, deployed, nobodyWith, run } from './support.ts';

const databasePid = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'dynamodb.pid'), 'utf8'), 10);

/** Kills the database's process, and resolves when there is another. */
async function killDatabase(dataDir: string): Promise<void> {
  const pid = databasePid(dataDir);
  process.kill(pid, 'SIGKILL');
  await eventually(() => {
    const now = databasePid(dataDir);
    expect(now !== pid && isRunning(now)).toBe(true);
  });
}

test('the server, twice, in the middle of everything: nothing acknowledged is lost, doubled or miscounted', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const start = () => run({ env: deployed({ DATA_DIR: dataDir }) });
  let server = await start();
  const conversation = await startConversation((await server.ready()).url);

  const talk = conversation.talk();
  for (let kills = 0; kills < 2; kills++) {
    await conversation.more(40);
    server.signal('SIGKILL');
    expect(await server.ended).toMatchObject({ signal: 'SIGKILL' });
    // The database does not outlive it for longer than it takes to notice.
    await nobodyWith(dataDir);
    server = await start();
    conversation.moveTo((await server.ready()).url);
  }
  await conversation.more(20);
  await talk.stop();
  const badge = await conversation.audit();

  const { url } = await server.ready();
  const reader = await conversation.reader(url);
  const live = watchBadge(reader);
  await shows(live, badge);
  process.stdout.write(`killed twice: ${conversation.acknowledged.length} messages, each there once\n`);
});

test('its database: the server waits for another one, its websockets stay, and all of it is still there', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = await run({ env: deployed({ DATA_DIR: dataDir }) });
  const { url } = await server.ready();
  const conversation = await startConversation(url);
  const reader = await conversation.reader(url);
  const live = watchBadge(reader);
  await live.next();

  const talk = conversation.talk();
  for (let kills = 0; kills < 2; kills++) {
    await conversation.more(20);
    await killDatabase(dataDir);
  }
  await conversation.more(20);
  await talk.stop();
  await conversation.audit();
  await shows(live, await queryBadge(reader));
  expect(isRunning(server.pid)).toBe(true);
  expect(server.stderr).toContain('ended unexpectedly. It was restarted');
});

test('its database, again and again: the server ends and says why, rather than linger without one', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = await run({ env: deployed({ DATA_DIR: dataDir }) });
  const { url } = await server.ready();
  await (await clientAt(url, 'aki')).do(UnreadNow);
  for (let kills = 0; kills < 5; kills++) await killDatabase(dataDir);
  process.kill(databasePid(dataDir), 'SIGKILL');
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(server.stderr).toMatch(/^Tsudoi has to end: The embedded DynamoDB ended unexpectedly .*$/m);
  await nobodyWith(dataDir);
});
