import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hashed,
  isId,
  type Key,
  keys,
  likers,
  MAX_SUFFIX,
  notificationList,
  type ParsedKey,
  parseKey,
  ranges,
  timerPartition,
} from '../../src/dynamo/keys.ts';
import { scaled } from '../support/run/budget.ts';

const letters = [...'0123456789abcdefghijklmnopqrstuvwxyz'];
const id = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 64 });
const timestamp = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 16, maxLength: 16 });
const handle = fc.string({ unit: fc.constantFrom(...letters, '_'), minLength: 3, maxLength: 20 });
const stampKey = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters, '_', '-'), minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('👍', '🏽', '#', '1', '\uFE0F', '\u200D'), minLength: 2, maxLength: 9 }),
);
/** What a client may send. */
const anything = fc.string({ unit: 'binary', maxLength: 64 });
const shard = fc.string({ unit: fc.constantFrom(...letters, '-'), minLength: 1, maxLength: 65 });
const subject = fc.record({
  kind: fc.stringMatching(/^[A-Z_]{1,32}$/),
  room: id,
  threadTs: timestamp,
  ts: timestamp,
});
const messageTimestamps = fc.record({ room: id, threadTs: timestamp, ts: timestamp });
const visibility = fc.constantFrom('PUBLIC', 'PRIVATE');
const count = fc.nat({ max: 2 ** 48 });
const timer = fc.stringMatching(/^[0-9A-Za-z_:.-]{1,100}$/);
const sequence = fc.bigInt({ min: 0n, max: 10n ** 39n }).map(String);

/** A key of every type, with the parts that it is made of. */
const known: Record<Exclude<ParsedKey['type'], 'unknown'>, fc.Arbitrary<[Key, object]>> = {
  user: id.map((user) => [keys.user(user), { user }]),
  handle: handle.map((one) => [keys.handle(one), { handle: one }]),
  membership: fc.tuple(id, id).map(([user, room]) => [keys.membership(user, room), { user, room }]),
  adder: fc.tuple(id, id).map(([user, adder]) => [keys.adder(user, adder), { user, adder }]),
  left: fc.tuple(id, id).map(([user, room]) => [keys.left(user, room), { user, room }]),
  block: fc.tuple(id, id).map(([user, blocked]) => [keys.block(user, blocked), { user, blocked }]),
  blockCount: id.map((user) => [keys.blockCount(user), { user }]),
  badge: id.map((user) => [keys.badge(user), { user }]),
  gathering: fc
    .tuple(id, fc.stringMatching(/^[A-Z_]{1,32}$/), id)
    .map(([user, kind, room]) => [keys.gathering(user, kind, room), { user, kind, room }]),
  listener: fc
    .tuple(id, fc.stringMatching(/^[A-Z_]{1,32}$/), fc.nat({ max: 999_999 }), id)
    .map(([room, kind, wait, user]) => [keys.listener(room, kind, wait, user), { room, kind, wait, user }]),
  listening: fc
    .tuple(id, fc.stringMatching(/^[A-Z_]{1,32}$/), fc.nat({ max: 999_999 }))
    .map(([room, kind, wait]) => [keys.listening(room, kind, wait), { room, kind, wait }]),
  roomImport: id.map((room) => [keys.roomImport(room), { room }]),
  deliverySettings: id.map((user) => [keys.deliverySettings(user), { user }]),
  delivery: fc.tuple(id, timestamp).map(([user, at]) => [keys.delivery(user, at), { user, at }]),
  pushSubscriptions: id.map((user) => [keys.pushSubscriptions(user), { user }]),
  pushEndpoint: id.map((one) => [keys.pushEndpoint(one), { id: one }]),
  recentPushes: id.map((one) => [keys.recentPushes(one), { id: one }]),
  secret: fc.stringMatching(/^[a-zA-Z]{1,40}$/).map((secret) => [keys.secret(secret), { secret }]),
  goneWebhook: id.map((one) => [keys.goneWebhook(one), { id: one }]),
  pushToken: anything.map((jti) => [keys.pushToken(jti), { hash: hashed(jti) }]),
  idempotencyRecord: fc
    .tuple(id, anything)
    .map(([user, text]) => [keys.idempotencyRecord(user, text), { user, hash: hashed(text) }]),
  saved: fc.tuple(id, messageTimestamps).map(([user, of]) => [keys.saved(user, of), { user, ...of }]),
  savedRow: fc
    .tuple(
      fc.record({ user: id, visibility, list: fc.constantFrom('ALL', 'UNTAGGED', 't1') }),
      messageTimestamps,
      timestamp,
    )
    .map(([list, of, savedAt]) => [keys.savedRow(list, { ...of, savedAt }), { ...list, ...of, savedAt }]),
  reminder: fc
    .tuple(id, fc.nat(), messageTimestamps)
    .map(([user, due, of]) => [keys.reminder(user, due, of), { user, due, ...of }]),
  savedCounts: id.map((user) => [keys.savedCounts(user), { user }]),
  savedTag: fc.tuple(id, id).map(([user, tag]) => [keys.savedTag(user, tag), { user, tag }]),
  savedTagName: fc
    .tuple(id, fc.string({ unit: 'grapheme', minLength: 1 }))
    .filter(([, name]) => !name.includes('#'))
    .map(([user, name]) => [keys.savedTagName(user, name), { user, tagName: name }]),
  saves: messageTimestamps.map((of) => [keys.saves(of), of]),
  notification: fc.tuple(id, id).map(([user, one]) => [keys.notification(user, one), { user, id: one }]),
  followedThread: fc
    .tuple(id, id, timestamp)
    .map(([user, room, threadTs]) => [keys.followedThread(user, room, threadTs), { user, room, threadTs }]),
  pointer: fc.tuple(id, subject).map(([user, of]) => [keys.pointer(user, of), { user, ...of }]),
  notified: fc
    .tuple(id, subject, id)
    .map(([user, of, actor]) => [keys.notified(user, of, actor), { user, ...of, actor }]),
  follow: fc
    .tuple(id, timestamp, id)
    .map(([room, threadTs, user]) => [keys.follow(room, threadTs, user), { room, threadTs, user }]),
  conversion: fc
    .stringMatching(/^[a-zA-Z]{1,40}$/)
    .map((conversion) => [keys.conversion(conversion), { conversion }]),
  body: messageTimestamps.map((message) => [keys.body(message), message]),
  shape: fc.constant([keys.shape(), {}]),
  heartbeat: id.map((server) => [keys.heartbeat(server), { server }]),
  carry: fc.constant([keys.carry(), {}]),
  fence: fc.integer({ min: 0, max: 7 }).map((fence) => [keys.fence(fence), { fence }]),
  sentinel: id.map((one) => [keys.sentinel(one), { id: one }]),
  job: id.map((one) => [keys.job(one), { id: one }]),
  personJob: fc.tuple(id, id).map(([user, one]) => [keys.personJob(user, one), { user, id: one }]),
  liked: fc
    .tuple(id, timestamp, id, timestamp, timestamp)
    .map(([user, at, room, threadTs, ts]) => [
      keys.liked(user, at, { room, threadTs, ts }),
      { user, at, room, threadTs, ts },
    ]),
  scheduledMessage: fc
    .tuple(id, id)
    .map(([user, one]) => [keys.scheduledMessage(user, one), { user, id: one }]),
  scheduledCount: id.map((user) => [keys.scheduledCount(user), { user }]),
  openJobs: id.map((user) => [keys.openJobs(user), { user }]),
  room: id.map((room) => [keys.room(room), { room }]),
  seats: id.map((room) => [keys.seats(room), { room }]),
  counter: id.map((room) => [keys.counter(room), { room }]),
  member: fc.tuple(id, id).map(([room, user]) => [keys.member(room, user), { room, user }]),
  invite: fc.tuple(id, id).map(([room, invite]) => [keys.invite(room, invite), { room, invite }]),
  waitlistEntry: fc
    .tuple(id, timestamp, id)
    .map(([room, waitingSince, user]) => [
      keys.waitlistEntry(room, waitingSince, user),
      { room, waitingSince, user },
    ]),
  waiting: fc.tuple(id, id).map(([user, room]) => [keys.waiting(user, room), { user, room }]),
  waits: id.map((user) => [keys.waits(user), { user }]),
  ban: fc.tuple(id, id).map(([room, user]) => [keys.ban(room, user), { room, user }]),
  lifted: fc.tuple(id, id).map(([room, user]) => [keys.lifted(room, user), { room, user }]),
  root: fc
    .tuple(id, timestamp)
    .map(([room, threadTs]) => [keys.root(room, threadTs), { room, threadTs, ts: threadTs }]),
  reply: fc
    .tuple(id, timestamp, timestamp)
    .map(([room, threadTs, ts]) => [keys.reply(room, threadTs, ts), { room, threadTs, ts }]),
  stamp: fc
    .tuple(id, timestamp, timestamp, timestamp)
    .map(([room, threadTs, ts, stampedAt]) => [
      keys.stamp(room, threadTs, ts, stampedAt),
      { room, threadTs, ts, stampedAt },
    ]),
  like: fc
    .tuple(id, id, timestamp, timestamp)
    .map(([user, room, threadTs, ts]) => [
      keys.like(user, { room, threadTs, ts }),
      { user, room, threadTs, ts },
    ]),
  stampGuard: fc
    .tuple(id, id, timestamp, timestamp, stampKey)
    .map(([user, room, threadTs, ts, key]) => [
      keys.stampGuard(user, { room, threadTs, ts }, key),
      { user, room, threadTs, ts, stampKey: key },
    ]),
  log: fc.tuple(id, count).map(([room, change]) => [keys.log(room, change), { room, change }]),
  timer: fc
    .tuple(count, timer)
    .map(([due, id]) => [keys.timer(due, id), { partition: timerPartition(id), due, timer: id }]),
  failedTimer: fc.tuple(count, timer).map(([due, id]) => [keys.failedTimer(due, id), { due, timer: id }]),
  lastRevocation: fc.constant([keys.lastRevocation(), {}]),
  revocation: count.map((number) => [keys.revocation(number), { number }]),
  shard: fc.tuple(shard, shard).map(([stream, one]) => [keys.shard(stream, one), { stream, shard: one }]),
  deadLetter: fc
    .tuple(shard, sequence)
    .map(([stream, number]) => [keys.deadLetter(stream, number), { stream, sequence: number }]),
};

const entries = Object.entries(known) as Array<[ParsedKey['type'], fc.Arbitrary<[Key, object]>]>;
const anyKey = fc.oneof(...entries.map(([, arbitrary]) => arbitrary));

describe('keys', () => {
  test.each(entries)('parseKey: %s returns the parts that the key was built from', (type, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, ([key, parts]) => {
        expect(parseKey(key)).toEqual({ type, ...parts });
      }),
    );
  });

  test('parseKey: a key with anything inserted is another key, or unknown', () => {
    const bit = fc.constantFrom('#', '#x', 'x#', '##', 'X', '#ROOT#', ' ', '\u0000', MAX_SUFFIX);
    fc.assert(
      fc.property(anyKey, bit, fc.nat(200), fc.boolean(), ([key], extra, at, inPk) => {
        const name = inPk ? 'pk' : 'sk';
        const where = at % (key[name].length + 1);
        const changed = { ...key, [name]: key[name].slice(0, where) + extra + key[name].slice(where) };
        expect(parseKey(changed)).not.toEqual(parseKey(key));
      }),
      { numRuns: scaled(200) },
    );
  });

  test('likers: the index key has the time and the user, and sorts by time', () => {
    fc.assert(
      fc.property(id, id, timestamp, timestamp, (user, other, at, later) => {
        const sortKey = likers.sk(at, user);
        expect(likers.parts(sortKey)).toEqual({ at, user });
        if (at < later) expect(sortKey < likers.sk(later, other)).toBe(true);
      }),
    );
  });

  test('notificationList: the index key has the time and the id, and sorts by time', () => {
    fc.assert(
      fc.property(id, id, timestamp, timestamp, (one, other, updatedAt, later) => {
        const sortKey = notificationList.sk(updatedAt, one);
        expect(notificationList.parts(sortKey)).toEqual({ updatedAt, id: one });
        if (updatedAt < later) expect(sortKey < notificationList.sk(later, other)).toBe(true);
      }),
    );
  });

  test('parseKey: never throws', () => {
    fc.assert(fc.property(anything, anything, (pk, sk) => void parseKey({ pk, sk })));
  });

  test('keys: contain only the hash of what a client chose', () => {
    fc.assert(
      fc.property(id, anything, (user, text) => {
        const { pk, sk } = keys.idempotencyRecord(user, text);
        expect(pk).toBe(`USER#${user}`);
        expect(sk).toMatch(/^SENT#[\w-]{43}$/);
      }),
    );
    for (const wrong of ['', 'A', 'a#b', 'a b', 'é', `${'a'.repeat(65)}`, '\u0000', '../x']) {
      expect(isId(wrong)).toBe(false);
    }
  });
});

/** As DynamoDB sorts: by UTF-8 bytes. */
const within = ({ pk, from, to }: { pk: string; from: string; to: string }, key: Key) =>
  key.pk === pk &&
  Buffer.compare(Buffer.from(from), Buffer.from(key.sk)) <= 0 &&
  Buffer.compare(Buffer.from(key.sk), Buffer.from(to)) <= 0;

/** Whether it is a reaction of the user `a` in the room `b`. */
const isReaction = (key: ParsedKey): key is ParsedKey & { type: 'like' | 'stampGuard' } =>
  (key.type === 'like' || key.type === 'stampGuard') && key.user === 'a' && key.room === 'b';

describe('ranges: each contains exactly the keys of its type and owner', () => {
  const subjects = ['LIKE', 'REPLY', 'MENTION', 'STAMP'].map((kind) => ({
    kind,
    room: 'b',
    threadTs: '1'.repeat(16),
    ts: '2'.repeat(16),
  }));
  /** Few users, rooms and timestamps, so that keys share them. */
  const few = {
    id: fc.constantFrom('a', 'aa', 'b'),
    timestamp: fc.constantFrom('1', '2', '9').map((n) => n.repeat(16)),
    subject: fc.constantFrom(...subjects),
  };
  const inOneRoom = fc.oneof(
    few.id.map(keys.room),
    few.id.map(keys.seats),
    few.id.map(keys.counter),
    few.id.map(keys.user),
    few.id.map(keys.badge),
    fc.tuple(few.id, anything).map(([u, text]) => keys.idempotencyRecord(u, text)),
    fc.tuple(few.id, few.id).map(([u, one]) => keys.scheduledMessage(u, one)),
    few.id.map(keys.scheduledCount),
    fc.tuple(few.id, few.id).map(([r, u]) => keys.member(r, u)),
    fc.tuple(few.id, few.id).map(([r, u]) => keys.ban(r, u)),
    fc.tuple(few.id, few.id).map(([r, i]) => keys.invite(r, i)),
    fc
      .tuple(few.id, few.timestamp, few.id)
      .map(([r, waitingSince, u]) => keys.waitlistEntry(r, waitingSince, u)),
    fc.tuple(few.id, few.id).map(([u, r]) => keys.waiting(u, r)),
    few.id.map(keys.waits),
    fc.tuple(few.id, few.id).map(([u, r]) => keys.membership(u, r)),
    fc.tuple(few.id, few.timestamp).map(([r, threadTs]) => keys.root(r, threadTs)),
    fc.tuple(few.id, few.id).map(([u, n]) => keys.notification(u, n)),
    fc.tuple(few.id, few.subject).map(([u, of]) => keys.pointer(u, of)),
    fc.tuple(few.id, few.subject, few.id).map(([u, of, a]) => keys.notified(u, of, a)),
    fc.tuple(few.id, few.timestamp, few.id).map(([r, threadTs, u]) => keys.follow(r, threadTs, u)),
    fc.tuple(few.id, few.timestamp, few.timestamp).map(([r, threadTs, ts]) => keys.reply(r, threadTs, ts)),
    fc
      .tuple(few.id, few.timestamp, few.timestamp, few.timestamp)
      .map(([r, threadTs, ts, stampedAt]) => keys.stamp(r, threadTs, ts, stampedAt)),
    fc.tuple(few.id, count).map(([r, n]) => keys.log(r, n)),
    fc
      .tuple(few.id, few.id, few.timestamp, few.timestamp)
      .map(([u, room, threadTs, ts]) => keys.like(u, { room, threadTs, ts })),
    fc
      .tuple(few.id, few.id, few.timestamp, few.timestamp)
      .map(([u, room, threadTs, ts]) => keys.stampGuard(u, { room, threadTs, ts }, 'tea')),
  );
  const [one, two] = ['1', '2'].map((n) => n.repeat(16)) as [string, string];
  const root = (threadTs: string) => ({ room: 'b', threadTs, ts: threadTs });

  test.each([
    ['memberships', ranges.memberships('a'), (k: ParsedKey) => k.type === 'membership' && k.user === 'a'],
    ['gatherings', ranges.gatherings('a'), (k: ParsedKey) => k.type === 'gathering' && k.user === 'a'],
    ['deliveries', ranges.deliveries('a'), (k: ParsedKey) => k.type === 'delivery' && k.user === 'a'],
    ['members', ranges.members('a'), (k: ParsedKey) => k.type === 'member' && k.room === 'a'],
    ['invites', ranges.invites('a'), (k: ParsedKey) => k.type === 'invite' && k.room === 'a'],
    ['waitlist', ranges.waitlist('a'), (k: ParsedKey) => k.type === 'waitlistEntry' && k.room === 'a'],
    ['waits', ranges.waits('a'), (k: ParsedKey) => k.type === 'waiting' && k.user === 'a'],
    ['bans', ranges.bans('a'), (k: ParsedKey) => k.type === 'ban' && k.room === 'a'],
    ['roots', ranges.roots('a'), (k: ParsedKey) => k.type === 'root' && k.room === 'a'],
    [
      'replies',
      ranges.replies('a', '1'.repeat(16)),
      (k: ParsedKey) => k.type === 'reply' && k.room === 'a' && k.threadTs === '1'.repeat(16),
    ],
    [
      'stamps',
      ranges.stamps('a', '1'.repeat(16), '2'.repeat(16)),
      (k: ParsedKey) =>
        k.type === 'stamp' && k.room === 'a' && k.threadTs === '1'.repeat(16) && k.ts === '2'.repeat(16),
    ],
    ['all replies', ranges.allReplies('a'), (k: ParsedKey) => k.type === 'reply' && k.room === 'a'],
    [
      'notifications',
      ranges.notifications('a'),
      (k: ParsedKey) => k.type === 'notification' && k.user === 'a',
    ],
    ['pointers', ranges.pointers('a'), (k: ParsedKey) => k.type === 'pointer' && k.user === 'a'],
    [
      'actors that a user was notified of',
      ranges.notified('a', { kind: 'LIKE', room: 'b', threadTs: one, ts: two }),
      (k: ParsedKey) => k.type === 'notified' && k.user === 'a' && k.kind === 'LIKE',
    ],
    [
      'present and former followers of a thread',
      ranges.follows('a', one),
      (k: ParsedKey) => k.type === 'follow' && k.room === 'a' && k.threadTs === one,
    ],
    [
      'a user’s stamps on a message',
      ranges.stampGuards('a', root(one)),
      (k: ParsedKey) => k.type === 'stampGuard' && isReaction(k) && k.threadTs === one && k.ts === one,
    ],
    [
      'a user’s reactions to roots',
      ranges.viewerReactions('a', root(one), root(two)),
      (k: ParsedKey) => isReaction(k) && k.threadTs === k.ts && k.threadTs <= two,
    ],
    [
      'a user’s reactions to the replies of a thread',
      ranges.viewerReactions('a', { ...root(one), ts: two }, { ...root(one), ts: '9'.repeat(16) }),
      (k: ParsedKey) => isReaction(k) && k.threadTs === one && k.ts > one,
    ],
    ['all stamps', ranges.allStamps('a'), (k: ParsedKey) => k.type === 'stamp' && k.room === 'a'],
    ['reminders', ranges.reminders('a'), (k: ParsedKey) => k.type === 'reminder' && k.user === 'a'],
  ] as const)('%s', (_, range, belongs) => {
    // DynamoDB refuses an empty one.
    expect(range.from).not.toBe('');
    fc.assert(
      fc.property(inOneRoom, (key) => {
        expect([key, within(range, key)]).toEqual([key, belongs(parseKey(key))]);
      }),
      { numRuns: scaled(200) },
    );
  });
});
