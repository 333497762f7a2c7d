/** Copying, following and handing over in one process, on both databases. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import { createCarrier } from '../../src/reshape/carry/carrier.ts';
import { type Carrying, startCarrying } from '../../src/reshape/carry/carry.ts';
import { compareSides } from '../../src/reshape/carry/comparing.ts';
import { handOver } from '../../src/reshape/carry/handOver.ts';
import { beginCopy, copyOf } from '../../src/reshape/carry/marks.ts';
import { createPersist } from '../../src/reshape/carry/persist.ts';
import { reachOf } from '../../src/reshape/carry/reach.ts';
import type { Sides } from '../../src/reshape/carry/sides.ts';
import { type CarryState, changeState } from '../../src/reshape/carry/state.ts';
import { createThrottle } from '../../src/reshape/carry/throttle.ts';
import type { Change } from '../../src/stream/change.ts';
import { emulatorPacing } from '../../src/stream/reader.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { people, roomOf, say, userOf } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { startTestApp } from '../support/servers/app.ts';
import { hastyClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { tableBeside } from './support/copy.ts';
import { placesOf } from './support/switching.ts';

const log = pino({ level: 'silent' });
const options = {
  by: 'batches' as const,
  pacing: emulatorPacing,
  log,
  now: Date.now,
  // The app has handled everything before it stops.
  catchUp: async () => {},
} as const;
const RATE = 100_000;

const sideOf = ({ dynamo, streams, streamArn, table }: TestDynamo) => ({
  dynamo,
  streams,
  streamArn,
  place: table,
});

async function twoTables(): Promise<{ first: TestDynamo; second: TestDynamo; sides: Sides }> {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const second = await tableBeside(first, `${first.table}-2`);
  return { first, second, sides: { source: sideOf(first), target: sideOf(second) } };
}

const differencesOf = async (sides: Sides) => {
  const { signal } = new AbortController();
  const context = { clock: hastyClock, signal };
  const compared = await compareSides({
    sides,
    now: Date.now,
    reach: { ask: async () => 1, answered: async () => 1 },
    throttle: createThrottle(RATE, context),
    persist: createPersist({ ...context, log }),
  });
  return compared.differences;
};

const copied = (sides: Sides): Promise<CarryState> =>
  eventually(async () => {
    const state = await copyOf(sides);
    expect(state.progress.reads).toBe('nothing');
    return state;
  });

test('what changes while a key is carried is read again, and what has expired is removed', async () => {
  const { sides } = await twoTables();
  const { source, target } = sides;
  const room = (id: string, more: Item = {}): Key & Item => ({ ...keys.room(id), v: 1, ...more });
  await source.dynamo.put(room('changed', { name: 'old' }));
  await source.dynamo.put(room('deleted'));
  await source.dynamo.put(room('expired', { expiresAt: 1 }));
  for (const id of ['expired', 'extra']) await target.dynamo.put(room(id));
  const all = ['changed', 'deleted', 'expired', 'extra'].map((id) => keys.room(id));
  let writes = 0;
  const { carry } = createCarrier({
    sides,
    by: 'batches',
    now: Date.now,
    // Between the first look at the source and the write.
    async mayWrite() {
      if (++writes > 1) return;
      await source.dynamo.put(room('changed', { name: 'new' }));
      await source.dynamo.remove(keys.room('deleted'));
    },
  });
  await carry(all);
  expect(writes).toBe(2);
  expect(await target.dynamo.batchGet(all)).toEqual([
    room('changed', { name: 'new' }),
    ...[undefined, undefined, undefined],
  ]);
  expect(await differencesOf(sides)).toBe(0);
  await target.dynamo.put(room('extra'));
  await target.dynamo.put(room('changed', { name: 'old' }));
  expect(await differencesOf(sides)).toBe(2);
});

test('a question is answered when everything that was written before it is carried, also by the next run', async () => {
  const { first, second, sides } = await twoTables();
  const reach = reachOf(second.dynamo, () => copyOf(sides));
  const key = keys.room('r1');
  const events: string[] = [];
  let held: Promise<void> | undefined;
  const source: Dynamo = {
    ...first.dynamo,
    async put(item) {
      if (item.pk?.startsWith('SENTINEL#')) events.push('sentinel');
      return first.dynamo.put(item);
    },
  };
  const target: Dynamo = {
    ...second.dynamo,
    async transact(writes) {
      await held;
      const result = await second.dynamo.transact(writes);
      events.push('carried');
      return result;
    },
    async update(updated, update) {
      if (update.update.includes('answered')) events.push('answered');
      return second.dynamo.update(updated, update);
    },
  };
  const watched: Sides = {
    source: { ...sides.source, dynamo: source },
    target: { ...sides.target, dynamo: target },
  };
  async function run(): Promise<Carrying> {
    const state = await beginCopy(sides, RATE, Date.now());
    const carrying = await startCarrying({ ...options, sides: watched, state });
    onTestFinished(() => carrying.stop());
    return carrying;
  }
  const answered = (number: number) =>
    eventually(async () => expect(await reach.answered()).toBeGreaterThanOrEqual(number));

  const carrying = await run();
  await copied(sides);
  await first.dynamo.put({ ...key, v: 1, rev: 1 });
  await answered(await reach.ask());
  expect(await second.dynamo.get(key)).toMatchObject({ rev: 1 });
  // A carrier that is slow.
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  events.length = 0;
  await first.dynamo.put({ ...key, v: 1, rev: 2 });
  const number = await reach.ask();
  await eventually(() => expect(events).toContain('sentinel'));
  release();
  await answered(number);
  expect(events.filter((event) => event !== 'sentinel')).toEqual(['carried', 'answered']);
  // One that was stopped.
  await carrying.stop();
  await first.dynamo.put({ ...key, v: 1, rev: 3 });
  const next = await reach.ask();
  expect(await reach.answered()).toBe(number);
  await run();
  await answered(next);
  expect(await second.dynamo.get(key)).toMatchObject({ rev: 3 });
});

test('a copy follows deletions and new items, and nothing is derived again when it is handed over', async () => {
  const { first, second, sides } = await twoTables();
  const app = await startTestApp({ database: first });
  onTestFinished(() => app.stop());
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, `One for @${ben.handle}`);

  const state = await beginCopy(sides, RATE, Date.now());
  const carrying: Carrying = await startCarrying({ ...options, sides, state });
  onTestFinished(() => carrying.stop());
  await copied(sides);
  const gone = keys.room('gone');
  await first.dynamo.put({ ...gone, v: 1 });
  await eventually(async () => expect(await second.dynamo.get(gone)).toBeDefined());
  await first.dynamo.remove(gone);
  await eventually(async () => expect(await second.dynamo.get(gone)).toBeUndefined());
  await say(aki, roomId, `Two for @${ben.handle}`);
  await app.quiet();
  const badge = await queryBadge(ben);
  expect(badge).toMatchObject({ notifications: 2 });
  await app.quiet();
  await app.stop();
  await carrying.stop();
  const over = { ...options, ...placesOf(first, second) };
  await expect(handOver(sides, over)).rejects.toThrow('The copy is not verified.');
  await changeState(second.dynamo, { verified: true });
  // What is left is carried by the hand-over itself.
  await first.dynamo.put({ ...gone, v: 1 });
  await handOver(sides, over);
  await first.dynamo.remove(gone);
  expect(await second.dynamo.get(gone)).toBeDefined();
  await second.dynamo.remove(gone);
  const before = await dump(second.dynamo);
  expect(before).toEqual(await dump(first.dynamo));

  await expect(startTestApp({ database: first })).rejects.toThrow(`The table in use is ${second.table}.`);
  const handled: Change[] = [];
  const next = await startTestApp({
    database: second,
    wrapDispatcher: (dispatcher) => ({
      ...dispatcher,
      dispatch(changes, signal) {
        handled.push(...changes);
        return dispatcher.dispatch(changes, signal);
      },
    }),
  });
  onTestFinished(() => next.stop());
  await next.quiet();
  // The consumer begins behind everything that the copying wrote.
  expect(handled.filter(({ key }) => ['root', 'user', 'notification'].includes(key.type))).toEqual([]);
  expect(await dump(second.dynamo)).toEqual(before);
  const reader = await userOf(next, ben.handle);
  expect(await queryBadge(reader)).toEqual(badge);
  await say(await userOf(next, aki.handle), roomId, `Three for @${ben.handle}`);
  await next.quiet();
  expect(await queryBadge(reader)).toMatchObject({ notifications: 3 });
});
