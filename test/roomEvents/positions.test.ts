import { afterEach, expect, test } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { newUser, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { itemsIn, positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { readStream } from '../support/stream/stream.ts';

const TEN_MINUTES = 10 * 60 * 1000;

let database: TestDynamo;
const apps: TestApp[] = [];

/** Starts two servers on one table. The clock of the second one is ten minutes ahead. */
async function start(): Promise<[TestApp, TestApp]> {
  database = await openTestDynamo();
  const here = await startTestApp({ database });
  const there = await startTestApp({ database, role: 'api', now: () => Date.now() + TEN_MINUTES });
  apps.push(here, there);
  return [here, there];
}

afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
  await database.stop();
});

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test('positions: of two servers with different clocks follow the order of commits, and keys are unique', async () => {
  const [here, there] = await start();
  const [aki, ben] = [await newUser(here), await newUser(there)];
  const roomId = await roomOf(aki, [ben]);
  // The first message is from the clock that is ahead, so at least one later message has an earlier timestamp.
  const first = await say(ben, roomId, 'the first');
  const sent = await Promise.all(
    upTo(20).flatMap((n) => [say(aki, roomId, `${n} here`), say(ben, roomId, `${n} there`)]),
  );
  expect(new Set([first, ...sent].map(({ id }) => id)).size).toBe(41);

  const roots = await positioned(here.dynamo, rawId(roomId));
  expect(roots.map(({ position }) => position)).toEqual(upTo(41));
  const committed = (await readStream(database)).flatMap(({ kind, key }) =>
    kind === 'INSERT' && key.type === 'root' ? [keys.root(key.room, key.threadTs).sk] : [],
  );
  expect(roots.map(({ sk }) => sk)).toEqual(committed);
  // The order of commits is not that of the clocks.
  expect(roots.map(({ sk }) => sk)).not.toEqual(roots.map(({ sk }) => sk).sort());
});

test('sendMessage: replies by two servers with different clocks keep the order in which they were sent', async () => {
  const [here, there] = await start();
  const [aki, ben] = [await newUser(here), await newUser(there)];
  const roomId = await roomOf(aki, [ben]);
  const root = await say(ben, roomId, 'from ahead');
  const bodies = upTo(10).map(String);
  for (const [i, body] of bodies.entries()) await say(i % 2 === 0 ? aki : ben, roomId, body, root.id);
  const [rootItem] = await itemsIn(here.dynamo, ranges.roots(rawId(roomId)));
  const threadTs = String(rootItem?.sk).split('#')[1] ?? '';
  const replies = await itemsIn(here.dynamo, ranges.replies(rawId(roomId), threadTs));
  expect(replies.map(({ body }) => body)).toEqual(bodies);
});
