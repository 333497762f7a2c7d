import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { createStreamRepeats } from '../support/stream/streamRepeats.ts';
import { openTestSystem, type TestSystem, type TestUser } from './support/testSystem.ts';
import { entriesOf, entryKeysOf, listed } from './support/threads.ts';

const PEOPLE = 4;
const RETENTION = 30 * 24 * 3600;

const who = fc.nat({ max: PEOPLE - 1 });
const which = fc.nat({ max: 9 });
const mention = fc.option(who, { nil: undefined });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('root' as const), who }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('reply' as const), who, which, mention }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('follow' as const), who, which, following: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('leave' as const), who }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('readThread' as const), who, which }) },
  fc.record({ type: fc.constant('readAll' as const), who }),
  fc.record({ type: fc.constant('close' as const), which }),
  // The consumer is away in between.
  { weight: 4, arbitrary: fc.record({ type: fc.constant('consume' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two threads, so that most of the steps have something to do. */
const FIRST: readonly Step[] = [1, 2].flatMap((n): Step[] => [
  { type: 'root', who: n },
  { type: 'reply', who: n + 1, which: n - 1, mention: undefined },
]);

interface ModelThread {
  readonly threadTs: string;
  readonly author: number;
  /** The moment of the newest reply, and its timestamp. */
  newest: { readonly moment: number; readonly ts: string } | null;
  /** What each user chose, or did that makes them follow, and when. */
  readonly chosen: Map<number, { readonly following: boolean; readonly moment: number }>;
  closed: boolean;
}

/** A room in the product and in the model, whose time is the number of the step. */
async function createModelRoom(system: TestSystem) {
  const { services } = system;
  const people: TestUser[] = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await system.createUser());
  const person = (n: number): TestUser => people[n] ?? { id: '', handle: '' };
  const room = await system.room(person(0), ...people.slice(1));
  /** When each member has entered the room. */
  const joined = new Map([...people.keys()].map((n) => [n, 0]));
  const threads: ModelThread[] = [];
  let moment = 0;

  const follows = ({ author, chosen }: ModelThread, n: number): boolean =>
    chosen.get(n)?.following ?? author === n;

  function newestOf(thread: ModelThread, n: number): ModelThread['newest'] {
    const since = joined.get(n);
    const { closed, newest, chosen } = thread;
    if (since === undefined || closed || newest === null || !follows(thread, n)) return null;
    return newest.moment > since || (chosen.get(n)?.moment ?? 0) > since ? newest : null;
  }

  /** The threads that a user's list has, the newest reply first. */
  const expected = (n: number): string[] =>
    threads
      .filter((thread) => newestOf(thread, n) !== null)
      .sort((one, other) => (other.newest?.moment ?? 0) - (one.newest?.moment ?? 0))
      .map(({ threadTs }) => threadTs);

  async function reply(n: number, thread: ModelThread, mentioned: number | undefined): Promise<void> {
    const { threadTs } = thread;
    const body = mentioned === undefined ? 'Well.' : `Well, @${person(mentioned).handle}.`;
    const { ts } = await system.reply(person(n), { room, threadTs, ts: threadTs }, body);
    thread.newest = { moment, ts };
    const users = mentioned !== undefined && joined.has(mentioned) ? [n, mentioned] : [n];
    for (const one of users) {
      if (!follows(thread, one)) thread.chosen.set(one, { following: true, moment });
    }
  }

  async function enterOrLeave(n: number): Promise<void> {
    if (joined.delete(n)) return void (await services.rooms.leave(person(n).id, room));
    joined.set(n, moment);
    await services.rooms.join(person(n).id, room);
  }

  async function run(one: Step): Promise<void> {
    moment++;
    if (one.type === 'consume') return system.consume();
    if (one.type === 'readAll') return system.reading.markAllRead(person(one.who).id);
    if (one.type === 'leave') return one.who === 0 ? undefined : enterOrLeave(one.who);
    const open = threads.filter(({ closed }) => !closed);
    const thread = 'which' in one ? open[one.which % Math.max(1, open.length)] : undefined;
    const n = 'who' in one ? one.who : (thread?.author ?? 0);
    if (!joined.has(n)) return;
    if (one.type === 'root') {
      const { threadTs } = await system.say(person(n), room);
      threads.push({ threadTs, author: n, newest: null, chosen: new Map(), closed: false });
    }
    if (thread === undefined) return;
    const key = { room, threadTs: thread.threadTs, ts: thread.threadTs };
    if (one.type === 'reply') await reply(n, thread, one.mention);
    if (one.type === 'follow') {
      await services.following.follow(person(n).id, key, one.following);
      thread.chosen.set(n, { following: one.following, moment });
    }
    if (one.type === 'readThread') await system.reading.markThreadRead(person(n).id, key);
    if (one.type === 'close') {
      await services.messages.remove(person(n).id, key);
      thread.closed = true;
    }
  }

  /** What a list shows is always right, also while the consumer is behind: then threads may be missing. */
  async function expectNothingElse(): Promise<void> {
    for (const [n, one] of people.entries()) {
      const wrong = (await listed(system, one)).filter((threadTs) => !expected(n).includes(threadTs));
      expect(wrong).toEqual([]);
    }
  }

  /** Expects the lists, the table's entries and what is unread to equal the model, once everything is handled. */
  async function compare(): Promise<void> {
    const entries: string[] = [];
    for (const [n, one] of people.entries()) {
      const found = await listed(system, one);
      expect(found).toEqual(expected(n));
      const unread = new Set(
        (await system.notifications(one))
          .filter(({ kind, readAt }) => kind === 'REPLY' && readAt === null)
          .map(({ threadTs }) => threadTs),
      );
      expect(await listed(system, one, { unreadOnly: true })).toEqual(
        found.filter((threadTs) => unread.has(threadTs)),
      );
      const items = createItemLoader(system.dynamo);
      for (const { threadTs } of threads) {
        const thread = { user: one.id, room, threadTs };
        expect(await services.followedThreads.hasUnread(thread, items)).toBe(unread.has(threadTs));
      }
      for (const thread of threads) {
        const newest = newestOf(thread, n);
        if (newest !== null) entries.push([one.id, thread.threadTs, newest.ts].join(' '));
      }
    }
    expect((await entriesOf(system, room)).sort()).toEqual(entries.sort());
  }

  /** Loses some entries, and lets others stay behind. */
  async function damage(): Promise<void> {
    for (const [i, { key }] of (await entryKeysOf(system.dynamo, room)).entries()) {
      if (i % 3 === 0) await system.dynamo.remove(key);
      if (i % 3 === 1) {
        await system.dynamo.update(key, {
          update: 'SET newestReply = :old',
          values: { ':old': '0'.repeat(16) },
        });
      }
    }
  }

  return { run, compare, expectNothingElse, damage };
}

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem({ wrapDispatcher: createStreamRepeats(seed) });
});
afterAll(() => system.stop());

const { numRuns, timeout, start } = budget({ runs: 3, seconds: 8 });

test(`followed threads: equal the model, also after repeated records, and after a repair (seed ${seed})`, {
  timeout,
}, async () => {
  const isOver = start();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 45 }), async (steps) => {
      if (isOver()) return;
      const model = await createModelRoom(system);
      for (const one of FIRST) await model.run(one);
      for (const one of steps) await model.run(one);
      await model.expectNothingElse();
      await system.consume();
      await model.compare();
      await model.damage();
      await backfillNotifications({ dynamo: system.dynamo, retention: RETENTION, now: Date.now });
      await model.compare();
    }),
    { numRuns, endOnFailure: true, seed },
  );
});
