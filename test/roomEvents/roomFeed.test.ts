import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import type { LiveStream, SharedResults } from '../../src/live/subscription.ts';
import type { RoomEvent } from '../../src/roomEvents/roomLogReader.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { eventually } from '../support/time/eventually.ts';
import { held } from '../support/time/held.ts';
import { createRoomFixture, nameOf, type RoomFixture, upTo } from './support/fixture.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

interface ReaderOptions {
  readonly key?: string;
  /** The sink has room again only in a later turn. */
  readonly slow?: boolean;
  /** The sink has no room after the first event until then. */
  readonly until?: Promise<void>;
  /** Happens before its results are pushed. */
  readonly before?: () => Promise<void>;
}

/** Readers of one room. Those with the same key share results, which are made when the test lets go of them. */
function createReaders(fixture: RoomFixture) {
  let gate = held();
  gate.letGo();
  const prepared: Array<{ readonly key: string; readonly names: string[]; readonly clients: number }> = [];

  const resultsOf = (key: string): SharedResults<RoomEvent> => ({
    key,
    prepare(values, clients) {
      prepared.push({ key, names: values.map(nameOf), clients });
      return gate.promise;
    },
  });

  async function open(user: string, { key, slow = false, until, before }: ReaderOptions) {
    const stream = (await fixture.open(user)) as LiveStream<RoomEvent>;
    await upTo(stream, 'Synced');
    await before?.();
    const received: string[] = [];
    const ended = stream.pushTo(
      (event) => {
        received.push(nameOf(event));
        return slow ? new Promise<void>((resolve) => setImmediate(resolve)) : until;
      },
      key === undefined ? undefined : resultsOf(key),
    );
    return { received, ended, leave: () => stream.return?.() };
  }

  return {
    open,
    prepared,
    hold() {
      gate = held();
    },
    letGo: () => gate.letGo(),
  };
}

type Reader = Awaited<ReturnType<ReturnType<typeof createReaders>['open']>>;

test('roomEvents: readers who share results get an event when it was executed, and others at once', async () => {
  const fixture = await createRoomFixture(db.dynamo);
  for (const user of ['ben', 'chi', 'dan']) await fixture.admit(user);
  const readers = createReaders(fixture);
  const ben = await readers.open('ben', { key: 'same' });
  const chi = await readers.open('chi', { key: 'same' });
  const dan = await readers.open('dan', {});
  readers.hold();
  await fixture.say('first');
  await eventually(() => expect(dan.received).toEqual(['first']));
  await eventually(() => expect(readers.prepared).toEqual([{ key: 'same', names: ['first'], clients: 2 }]));
  await fixture.say('second', 'third');
  await eventually(() => expect(dan.received).toEqual(['first', 'second', 'third']));
  expect([ben.received, chi.received]).toEqual([[], []]);
  readers.letGo();
  for (const { received } of [ben, chi]) {
    await eventually(() => expect(received).toEqual(['first', 'second', 'third']));
  }
  expect(readers.prepared.map(({ names }) => names)).toEqual([['first'], ['second', 'third']]);
});

test('roomEvents: a group whose results are not made holds up no other group', async () => {
  const fixture = await createRoomFixture(db.dynamo);
  for (const user of ['ben', 'chi']) await fixture.admit(user);
  const readers = createReaders(fixture);
  readers.hold();
  const ben = await readers.open('ben', { key: 'slow' });
  await fixture.say('first');
  await eventually(() => expect(readers.prepared).toHaveLength(1));
  const stuck = readers.letGo;
  readers.hold();
  readers.letGo();
  const chi = await readers.open('chi', { key: 'other' });
  await fixture.say('second');
  await eventually(() => expect(chi.received).toEqual(['second']));
  expect(ben.received).toEqual([]);
  stuck();
  await ben.leave();
});

test('roomEvents: who is removed while results are made receives nothing more', async () => {
  const fixture = await createRoomFixture(db.dynamo);
  for (const user of ['ben', 'chi']) await fixture.admit(user);
  const readers = createReaders(fixture);
  const ben = await readers.open('ben', { key: 'same' });
  const chi = await readers.open('chi', { key: 'same' });
  readers.hold();
  await fixture.say('not for Ben');
  await eventually(() => expect(readers.prepared).toHaveLength(1));
  await fixture.expel('ben');
  await fixture.say('removed');
  let isOver = false;
  void ben.ended.then(() => {
    isOver = true;
  });
  await eventually(() => expect(isOver).toBe(true));
  readers.letGo();
  await eventually(() => expect(chi.received).toEqual(['not for Ben', 'removed']));
  expect(ben.received).toEqual([]);
});

test('roomEvents: more changes than a group keeps are handed over, and each reader reads them', async () => {
  const fixture = await createRoomFixture(db.dynamo);
  await fixture.admit('ben');
  const readers = createReaders(fixture);
  const ben = await readers.open('ben', { key: 'same' });
  readers.hold();
  const bodies = Array.from({ length: 150 }, (_, i) => `message ${i}`);
  await fixture.say(...bodies.slice(0, 100));
  expect(ben.received).toEqual([]);
  await fixture.say(...bodies.slice(100));
  await eventually(() => expect(ben.received).toEqual(bodies));
  // It comes while the group still reads the first ones, which were handed over.
  await fixture.say('last');
  readers.letGo();
  await eventually(() => expect(ben.received).toEqual([...bodies, 'last']));
});

test('roomEvents: what is not made in time is handed over, also for who joins later', async () => {
  const fixture = await createRoomFixture(db.dynamo);
  for (const user of ['ben', 'chi']) await fixture.admit(user);
  const readers = createReaders(fixture);
  const ben = await readers.open('ben', { key: 'same' });
  readers.hold();
  await fixture.say('first');
  await eventually(() => expect(readers.prepared).toHaveLength(1));
  const chi = await readers.open('chi', { key: 'same' });
  await fixture.say('second');
  fixture.clock.advance(1_000);
  await eventually(() => expect(ben.received).toContain('first'));
  await eventually(() => expect(readers.prepared).toHaveLength(2));
  fixture.clock.advance(1_000);
  await eventually(() => expect(ben.received).toEqual(['first', 'second']));
  await eventually(() => expect(chi.received).toEqual(['second']));
});

test('roomEvents: who joins while much is being made receives it once', async () => {
  const fixture = await createRoomFixture(db.dynamo);
  for (const user of ['ben', 'chi']) await fixture.admit(user);
  const readers = createReaders(fixture);
  const ben = await readers.open('ben', { key: 'same' });
  readers.hold();
  const bodies = Array.from({ length: 220 }, (_, i) => `message ${i}`);
  const room = held();
  const before = () => fixture.say(...bodies.slice(0, 100));
  const chi = await readers.open('chi', { key: 'same', until: room.promise, before });
  readers.letGo();
  await eventually(() => expect(ben.received).toEqual(bodies.slice(0, 100)));
  await fixture.say(...bodies.slice(100));
  await eventually(() => expect(ben.received).toEqual(bodies));
  // If it kept what it received twice, that would be more than it may keep.
  room.letGo();
  await eventually(() => expect(chi.received).toEqual(bodies));
});

test('roomEvents: a comparison that is under way and a group do not send the same twice', async () => {
  const fixture = await createRoomFixture(db.dynamo);
  await fixture.admit('ben');
  const readers = createReaders(fixture);
  const ben = await readers.open('ben', { key: 'same' });
  const updates = await fixture.store('x', 'y', 'z');
  const reads = held();
  const comparing = held();
  fixture.onRead((reading) => {
    // The room is read again, then its number by the reader, and then the log.
    if (reading < 2) return undefined;
    comparing.letGo();
    return reading === 2 ? reads.promise : undefined;
  });
  await fixture.rooms.refresh();
  await comparing.promise;
  await fixture.publish(updates);
  await eventually(() => expect(readers.prepared).toHaveLength(1));
  reads.letGo();
  await fixture.say('last');
  await eventually(() => expect(ben.received).toEqual(['x', 'y', 'z', 'last']));
});

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('say' as const), count: fc.integer({ min: 1, max: 5 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('open' as const),
        key: fc.constantFrom('a', 'b', undefined),
        slow: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'lose',
          'late',
          'publish',
          'repeat',
          'compare',
          'holdReads',
          'hold',
          'letGo',
          'leave',
        ),
      }),
    },
  ),
  { minLength: 5, maxLength: 25 },
);
type Step = typeof steps extends fc.Arbitrary<ReadonlyArray<infer S>> ? S : never;

const { numRuns, timeout, within } = budget({ runs: 25, seconds: 2 });

test(`roomEvents: every reader receives every message once and in order (seed ${seed})`, {
  timeout,
}, async () => {
  const run = within(async (list: readonly Step[]) => {
    const fixture = await createRoomFixture(db.dynamo);
    const readers = createReaders(fixture);
    const all: string[] = [];
    const opened: Array<{ readonly reader: Reader; readonly from: number }> = [];
    let published: Awaited<ReturnType<RoomFixture['store']>> = [];
    const late: typeof published = [];
    const comparisons: Array<Promise<void>> = [];
    let reads = held();
    const letGo = () => {
      readers.letGo();
      reads.letGo();
    };
    letGo();
    fixture.onRead(() => reads.promise);
    const named = (count: number) => {
      const names = Array.from({ length: count }, (_, i) => `message ${all.length + i}`);
      all.push(...names);
      return names;
    };
    for (const step of list) {
      if (step.do === 'say') {
        published = await fixture.store(...named(step.count));
        await fixture.publish(published);
      } else if (step.do === 'open') {
        const user = `user ${opened.length}`;
        await fixture.admit(user);
        const { slow, key } = step;
        letGo();
        const from = all.length;
        opened.push({
          from,
          reader: await readers.open(user, { slow, ...defined({ key }) }),
        });
      } else if (step.do === 'lose') await fixture.store(...named(2));
      else if (step.do === 'repeat') await fixture.publish(published);
      else if (step.do === 'leave') await opened.shift()?.reader.leave();
      else if (step.do === 'late') late.push(...(await fixture.store(...named(2))));
      else if (step.do === 'publish') await fixture.publish(late.splice(0));
      else if (step.do === 'compare') comparisons.push(fixture.rooms.refresh());
      else {
        letGo();
        if (step.do === 'hold') readers.hold();
        if (step.do === 'holdReads') reads = held();
      }
    }
    letGo();
    await Promise.all(comparisons);
    await fixture.publish(late);
    await fixture.say(...named(1));
    for (const { reader, from } of opened) {
      await eventually(() => expect(reader.received).toEqual(all.slice(from)));
      await reader.leave();
    }
    expect(fixture.bus.listening).toBe(0);
  });
  await fc.assert(fc.asyncProperty(steps, run), { seed, numRuns });
});
