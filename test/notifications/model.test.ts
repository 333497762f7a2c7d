import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activity } from '../../src/notifications/derive/activity.ts';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import type { NotificationKind } from '../../src/notifications/notification.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { createStreamRepeats } from '../support/stream/streamRepeats.ts';
import { createReference } from './support/reference.ts';
import { openTestSystem, type TestSystem, type TestUser } from './support/testSystem.ts';

const PEOPLE = 4;
const RETENTION = 30 * 24 * 3600;
/** An expiry after the end of the test. */
const NEVER = Number.MAX_SAFE_INTEGER;

const who = fc.nat({ max: PEOPLE - 1 });
const which = fc.nat({ max: 9 });
/** The user that a message mentions. */
const mention = fc.option(who, { nil: undefined });
const step = fc.oneof(
  fc.record({ type: fc.constant('root' as const), who, mention }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('reply' as const), who, which, mention }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('like' as const), who, which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('stamp' as const),
      who,
      which,
      key: fc.constantFrom('heart', 'tada'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('read' as const), who, which }) },
  fc.record({ type: fc.constant('readAll' as const), who }),
  fc.record({ type: fc.constant('readUpTo' as const), who, which }),
  fc.record({ type: fc.constant('unreadFrom' as const), who, which }),
  fc.record({ type: fc.constant('mute' as const), who }),
  fc.record({ type: fc.constant('leave' as const), who }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('edit' as const), which, mention }) },
  fc.record({ type: fc.constant('remove' as const), which }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A reply that mentions a follower of its thread, and is edited. */
const FIRST: readonly Step[] = [
  { type: 'root', who: 1, mention: undefined },
  { type: 'reply', who: 2, which: 0, mention: 1 },
  { type: 'edit', which: 1, mention: undefined },
];

interface ModelMessage {
  readonly room: string;
  readonly threadTs: string;
  readonly ts: string;
  readonly author: number;
  mentions: readonly number[];
  readonly likes: Set<number>;
  readonly stamps: Map<string, { readonly who: number; readonly stampedAt: string }>;
  /** The users who are notified of a root's replies. */
  readonly followers: Set<number>;
  deleted: boolean;
}

/** A room in the product and in the reference model. Each step changes both. */
async function createModelRoom(system: TestSystem) {
  const people: TestUser[] = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await system.createUser());
  const person = (n: number): TestUser => people[n] ?? { id: '', handle: '' };
  const room = await system.room(person(0), ...people.slice(1));
  const members = new Set(people.keys());
  const muted = new Set<number>();
  const sent: ModelMessage[] = [];
  const roots: ModelMessage[] = [];
  /** How many of the roots each member has read. */
  const readRoots = new Map([...members].map((n) => [n, 0]));
  const references = new Map<
    string,
    { user: number; kind: NotificationKind; reference: ReturnType<typeof createReference>; read: number[] }
  >();
  let at = 0;

  function referenceOf(
    user: number,
    kind: NotificationKind,
    { threadTs, ts }: { threadTs: string; ts: string },
  ) {
    const name = `${user} ${kind} ${threadTs} ${ts}`;
    const known = references.get(name) ?? { user, kind, reference: createReference(kind), read: [] };
    references.set(name, known);
    return known.reference;
  }

  interface Expected {
    readonly user: number;
    readonly kind: NotificationKind;
    readonly of: { readonly threadTs: string; readonly ts: string };
    readonly actor: number;
    readonly op: Activity['op'];
    /** The stamp. */
    readonly key?: string;
    /** Whether the actor has no other stamp on the message. */
    readonly wasLast?: boolean;
  }

  function expectActivity({ user, kind, of, actor, op, key = '', wasLast = true }: Expected): void {
    if (user === actor) return;
    const leftRoom = !members.has(user);
    const isMuted = leftRoom || (muted.has(user) && kind !== 'MENTION');
    const context = { muted: isMuted, leftRoom, now: 0 };
    referenceOf(user, kind, of).apply(person(actor).id, op, ++at, context, { key, wasLast });
  }

  const bodyOf = (text: string, mentioned: number | undefined): string =>
    mentioned === undefined ? `${text}.` : `${text}, @${person(mentioned).handle}.`;

  const mentionsOf = (mentioned: number | undefined): number[] =>
    mentioned !== undefined && members.has(mentioned) ? [mentioned] : [];

  async function send(author: number, mentioned: number | undefined, to?: ModelMessage): Promise<void> {
    const body = bodyOf('Hello', mentioned);
    const { threadTs, ts } =
      to === undefined
        ? await system.say(person(author), room, body)
        : await system.reply(person(author), to, body);
    const mentions = mentionsOf(mentioned);
    const fresh = { likes: new Set<number>(), stamps: new Map(), deleted: false };
    const followers = to === undefined ? new Set([author]) : new Set<number>();
    const message = { room, threadTs, ts, author, mentions, ...fresh, followers };
    sent.push(message);
    for (const user of mentions)
      expectActivity({ user, kind: 'MENTION', of: { threadTs, ts }, actor: author, op: 'added' });
    if (to === undefined) readRootsTo(author, roots.push(message));
    const root = sent.find((one) => one.threadTs === threadTs && one.ts === threadTs);
    if (to === undefined || root === undefined) return;
    for (const user of root.followers) {
      if (!mentions.includes(user))
        expectActivity({ user, kind: 'REPLY', of: { threadTs, ts: threadTs }, actor: author, op: 'added' });
    }
    for (const user of [author, ...mentions]) root.followers.add(user);
  }

  async function like(n: number, message: ModelMessage): Promise<void> {
    const isLiked = !message.likes.delete(n);
    if (isLiked) message.likes.add(n);
    await system.services.likes[isLiked ? 'add' : 'remove'](person(n).id, message);
    expectActivity({
      user: message.author,
      kind: 'LIKE',
      of: message,
      actor: n,
      op: isLiked ? 'added' : 'removed',
    });
  }

  async function stamp(n: number, message: ModelMessage, key: string): Promise<void> {
    const name = `${n} ${key}`;
    const hasStamps = () => [...message.stamps.values()].some(({ who: one }) => one === n);
    const put = message.stamps.get(name);
    if (put === undefined) {
      const { stampedAt } = await system.services.stamps.add(person(n).id, message, key);
      message.stamps.set(name, { who: n, stampedAt });
      expectActivity({ user: message.author, kind: 'STAMP', of: message, actor: n, op: 'added', key });
    } else {
      await system.services.stamps.remove(person(n).id, { ...message, stampedAt: put.stampedAt });
      message.stamps.delete(name);
      const removed = { user: message.author, kind: 'STAMP', of: message, actor: n, op: 'removed' } as const;
      expectActivity({ ...removed, key, wasLast: !hasStamps() });
    }
  }

  async function edit(message: ModelMessage, mentioned: number | undefined): Promise<void> {
    const { author, mentions: before } = message;
    await system.services.messages.edit(person(author).id, message, bodyOf('Hello again', mentioned));
    message.mentions = mentionsOf(mentioned);
    for (const user of before.filter((one) => !message.mentions.includes(one)))
      expectActivity({ user, kind: 'MENTION', of: message, actor: author, op: 'removed' });
  }

  async function remove(message: ModelMessage): Promise<void> {
    await system.services.messages.remove(person(message.author).id, message);
    message.deleted = true;
    const { author, mentions, likes, stamps } = message;
    const removed = { of: message, op: 'removed' } as const;
    for (const user of mentions) expectActivity({ ...removed, user, kind: 'MENTION', actor: author });
    for (const actor of likes) expectActivity({ ...removed, user: author, kind: 'LIKE', actor });
    for (const { who: actor } of stamps.values())
      expectActivity({ ...removed, user: author, kind: 'STAMP', actor });
  }

  function readIn(one: { reference: ReturnType<typeof createReference>; read: number[] }): void {
    if (one.reference.count > 0) one.read.push(one.reference.count);
    one.reference.readAll(NEVER);
  }

  /** The notifications of mentions in these roots are read, and stay read. */
  function readRootsTo(n: number, count: number): void {
    readRoots.set(n, count);
    for (const { threadTs } of roots.slice(0, count)) {
      const known = references.get(`${n} MENTION ${threadTs} ${threadTs}`);
      if (known !== undefined) readIn(known);
    }
  }

  async function readUpTo(n: number, message: ModelMessage): Promise<void> {
    await system.services.readPositions.markRead(person(n).id, room, message);
    const count = roots.findIndex(({ threadTs }) => threadTs === message.threadTs) + 1;
    readRootsTo(n, Math.max(readRoots.get(n) ?? 0, count));
  }

  async function unreadFrom(n: number, message: ModelMessage): Promise<void> {
    await system.services.readPositions.markUnread(person(n).id, message);
    const before = roots.findIndex(({ threadTs }) => threadTs === message.threadTs);
    readRoots.set(n, Math.min(readRoots.get(n) ?? 0, before));
  }

  /** Unread roots without those whose mention is unread, and notifications. */
  function expectedTotal(n: number): number {
    const own = [...references.values()].filter(({ user }) => user === n);
    const notifications = own.reduce((sum, { reference }) => sum + reference.count, 0);
    const upTo = readRoots.get(n);
    if (upTo === undefined || muted.has(n)) return notifications;
    const counted = roots.slice(upTo).filter(({ threadTs }) => {
      const known = references.get(`${n} MENTION ${threadTs} ${threadTs}`);
      return known === undefined || known.reference.count === 0;
    });
    return notifications + counted.length;
  }

  async function readOne(n: number, pick: number): Promise<void> {
    const unread = (await system.notifications(person(n))).filter(({ readAt }) => readAt === null);
    const one = unread[pick % Math.max(1, unread.length)];
    if (one === undefined) return;
    await system.reading.markRead(person(n).id, [one.id]);
    const known = references.get(`${n} ${one.kind} ${one.threadTs} ${one.ts}`);
    if (known !== undefined) readIn(known);
  }

  async function run(one: Step): Promise<void> {
    const open = sent.filter(({ deleted }) => !deleted);
    const message = 'which' in one ? open[one.which % Math.max(1, open.length)] : undefined;
    const n = 'who' in one ? one.who : (message?.author ?? 0);
    if (one.type === 'leave' && n !== 0) {
      if (members.delete(n)) {
        muted.delete(n);
        readRoots.delete(n);
        await system.services.rooms.leave(person(n).id, room);
      } else {
        members.add(n);
        await system.services.rooms.join(person(n).id, room);
        readRootsTo(n, roots.length);
      }
    }
    if (one.type === 'read') await readOne(n, one.which);
    if (one.type === 'readAll') {
      await system.reading.markAllRead(person(n).id);
      for (const known of references.values()) if (known.user === n) readIn(known);
    }
    if (!members.has(n)) return;
    if (one.type === 'mute') {
      const isMuted = !muted.delete(n);
      if (isMuted) muted.add(n);
      await system.services.readPositions.mute(person(n).id, room, isMuted);
    }
    if (one.type === 'root') await send(n, one.mention);
    if (message === undefined) return;
    const closed = sent.some(
      (root) => root.threadTs === message.threadTs && root.ts === message.threadTs && root.deleted,
    );
    if (one.type === 'reply' && !closed) await send(n, one.mention, message);
    if (one.type === 'readUpTo') await readUpTo(n, message);
    if (one.type === 'unreadFrom') await unreadFrom(n, message);
    if (one.type === 'like') await like(n, message);
    if (one.type === 'stamp') await stamp(n, message, one.key);
    if (one.type === 'edit') await edit(message, one.mention);
    if (one.type === 'remove') await remove(message);
  }

  /** Expects a user's notifications and badge to equal the reference model's. Unread ones are compared with actors. */
  async function compare(n: number): Promise<void> {
    const real = await system.notifications(person(n));
    const own = [...references].filter(([, { user }]) => user === n);
    const unread = own.flatMap(([name, { reference }]) =>
      reference.count === 0 ? [] : [`${name.slice(2)}: ${reference.count} by ${reference.newest.join(' ')}`],
    );
    const read = own.flatMap(([name, known]) => known.read.map((count) => `${name.slice(2)}: ${count}`));
    const named = ({ kind, threadTs, ts, count }: (typeof real)[number]) =>
      `${kind} ${threadTs} ${ts}: ${count}`;
    expect(
      real
        .filter(({ readAt }) => readAt === null)
        .map((one) => `${named(one)} by ${one.actors.map(({ user }) => user).join(' ')}`)
        .sort(),
    ).toEqual(unread.sort());
    expect(
      real
        .filter(({ readAt }) => readAt !== null)
        .map(named)
        .sort(),
    ).toEqual(read.sort());
    expect(await system.badge(person(n))).toBe(
      own.reduce((sum, [, { reference }]) => sum + reference.count, 0),
    );
    expect((await system.services.unread.state(person(n).id)).total).toBe(expectedTotal(n));
  }

  return { run, compare: () => Promise.all(people.map((_, n) => compare(n))) };
}

let system: TestSystem;
beforeAll(async () => {
  const repeats = createStreamRepeats(seed);
  system = await openTestSystem({ wrapDispatcher: repeats });
});
afterAll(() => system.stop());

const repair = () => backfillNotifications({ dynamo: system.dynamo, retention: RETENTION, now: Date.now });

const { numRuns, timeout, start } = budget({ runs: 2, seconds: 6 });

test(`notifications: equal those of the reference model, also after repeated records, and after a repair (seed ${seed})`, {
  timeout,
}, async () => {
  const isOver = start();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      if (isOver()) return;
      const { run, compare } = await createModelRoom(system);
      for (const part of [FIRST, steps]) {
        for (const one of part) {
          await run(one);
          await system.consume();
        }
        await compare();
        expect(await repair()).toBe(0);
        await compare();
      }
    }),
    { numRuns, endOnFailure: true },
  );
});
