/** How fast a table is copied beside clients, and how long they wait when the servers go to the copy and come back. */
import { expect, onTestFinished, test } from 'vitest';
import { messageItem } from '../../src/messages/message.ts';
import { connectTo, people, roomOf } from '../support/clients/people.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { copyCommand, tableBeside } from './support/copy.ts';
import { load, numbersIn } from './support/load.ts';
import { RATE, rootsOf } from './support/messages.ts';
import { switchBetween, twoServers } from './support/switching.ts';

/** Not more with more effort: 100,000 take longer than a step of CI may. */
const ITEMS = 10_000;
/** The exit code of `verify`. */
const UNDECIDED = 2;

test.skipIf(!redisAvailable || onDynamoDbLocal)(
  'a rehearsal: copies, compares, switches and comes back beside clients, and prints the rate and how long servers did not write',
  async () => {
    const stored = rootsOf(ITEMS, 10).map(messageItem);
    const first = await openTestDynamo({ items: stored });
    onTestFinished(() => first.stop());
    const second = await tableBeside(first, `${first.table}-2`);
    const { whole, api } = await twoServers(first);
    const [aki, ben, chie] = await people(whole, 3);
    const roomId = await roomOf(aki, [ben, chie]);
    const work = load([aki, await connectTo(api, chie)], roomId, ben.handle);
    await eventually(() => expect(work.sent.size).toBeGreaterThan(10));

    async function move(from: TestDynamo, to: TestDynamo) {
      const command = await copyCommand(from, to.table);
      const begun = performance.now();
      const carrying = await command.begin('carry', '--rate', String(RATE));
      onTestFinished(() => carrying.stop());
      await carrying.says('"FOLLOWING"');
      const copiedMs = performance.now() - begun;
      const first = await command.run('verify');
      // What cannot be decided beside clients, on a busy machine, is decided while they rest.
      const { code, stderr } =
        first.code === UNDECIDED ? await work.quietly(() => command.run('verify')) : first;
      expect(code, stderr).toBe(0);
      carrying.signal('SIGTERM');
      await carrying.ended;
      const { frozenMs, servers, late } = await switchBetween(from, to);
      expect([servers, late]).toEqual([2, []]);
      const sent = work.sent.size;
      await eventually(() => expect(work.sent.size).toBeGreaterThan(sent + 10));
      return {
        itemsPerSecond: Math.round((stored.length / copiedMs) * 1_000),
        frozenMs: Math.round(frozenMs),
      };
    }

    const there = await move(first, second);
    const lost = await lostIn(second, stored);
    const back = await move(second, first);
    await work.stop();
    await whole.quiet();
    process.stdout.write(
      `copy: ${stored.length} items and ${work.sent.size} messages meanwhile. There ${JSON.stringify(there)}, back ${JSON.stringify(back)}. Refused: ${JSON.stringify(Object.fromEntries(work.refusals))}\n`,
    );
    expect([...lost, ...(await lostIn(first, stored))]).toEqual([]);
    expect([...work.refusals.keys()].filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
    // What was acknowledged is stored once, and nothing else is.
    expect((await numbersIn(first)).sort()).toEqual([...work.sent.values()].sort());
    expect([...work.liked].sort()).toEqual([...work.sent.keys()].sort());
  },
  // A machine that is ten times slower needs as much.
  3_600_000,
);

/** The first of the items that the table does not have, or has changed. */
async function lostIn({ dynamo }: TestDynamo, items: ReadonlyArray<ReturnType<typeof messageItem>>) {
  const found = await dump(dynamo);
  const names = items.flatMap((item) => {
    const name = `${item.pk} ${item.sk}`;
    return JSON.stringify(sorted(found.get(name))) === JSON.stringify(sorted(item)) ? [] : [name];
  });
  return names.slice(0, 10);
}

const sorted = (item: object = {}) => Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
