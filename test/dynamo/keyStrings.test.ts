import { expect, test } from 'vitest';
import {
  directory,
  handleList,
  type Key,
  type KeyRange,
  keys,
  likers,
  memberHandles,
  notificationList,
  type ParsedKey,
  parseKey,
  publicTags,
  ranges,
  savedLists,
  savedTagsByCount,
  savers,
} from '../../src/dynamo/keys.ts';

// What the table holds is never rewritten: these strings stay, byte for byte.
const [threadTs, ts, stampedAt] = ['1700000000000001', '1700000000000002', '1700000000000003'] as const;
const reply = { room: 'r1', threadTs, ts };
const root = { room: 'r1', threadTs, ts: threadTs };
const subject = { ...reply, kind: 'LIKE' } as const;
const reactions = 'USER#u1#LIKES#r1';
const savedList = { user: 'u1', visibility: 'PUBLIC', list: 'ALL' };

const expectedKeys: Record<Exclude<ParsedKey['type'], 'unknown'>, ReadonlyArray<[Key, string, string]>> = {
  user: [[keys.user('u1'), 'USER#u1', 'PROFILE']],
  handle: [[keys.handle('aki_1'), 'HANDLE#aki_1', 'HANDLE']],
  membership: [[keys.membership('u1', 'r1'), 'USER#u1', 'ROOM#r1']],
  roomImport: [[keys.roomImport('r1'), 'ROOM#r1', 'IMPORT']],
  adder: [[keys.adder('u1', 'u2'), 'USER#u1', 'ADDER#u2']],
  left: [[keys.left('u1', 'r1'), 'USER#u1', 'LEFT#r1']],
  block: [[keys.block('u1', 'u2'), 'USER#u1', 'BLOCK#u2']],
  blockCount: [[keys.blockCount('u1'), 'USER#u1', 'BLOCKS']],
  badge: [[keys.badge('u1'), 'USER#u1', 'BADGE']],
  notification: [[keys.notification('u1', 'n1'), 'USER#u1', 'NOTE#n1']],
  followedThread: [[keys.followedThread('u1', 'r1', threadTs), 'USER#u1', `THREAD#r1#${threadTs}`]],
  pointer: [[keys.pointer('u1', subject), 'USER#u1', `UNREAD#r1#${threadTs}#${ts}#LIKE`]],
  notified: [[keys.notified('u1', subject, 'a1'), `NOTE#u1#LIKE#r1#${threadTs}#${ts}`, 'ACTOR#a1']],
  gathering: [[keys.gathering('u1', 'LIKE', 'r1'), 'USER#u1', 'GATHER#LIKE#r1']],
  listener: [[keys.listener('r1', 'MESSAGE', 600, 'u1'), 'ROOM#r1', 'LISTENER#MESSAGE#000600#u1']],
  listening: [[keys.listening('r1', 'MESSAGE', 0), 'ROOM#r1', 'LISTENING#MESSAGE#000000']],
  deliverySettings: [[keys.deliverySettings('u1'), 'USER#u1', 'DELIVERIES']],
  delivery: [[keys.delivery('u1', ts), 'USER#u1', `DELIVERY#${ts}`]],
  saved: [
    [keys.saved('u1', root), reactions, `ROOT#${threadTs}#${threadTs}#SAVED`],
    [keys.saved('u1', reply), reactions, `REPLY#${threadTs}#${ts}#SAVED`],
  ],
  savedRow: [
    [
      keys.savedRow({ user: 'u1', visibility: 'PRIVATE', list: 'ALL' }, { ...reply, savedAt: stampedAt }),
      'USER#u1#SAVED#PRIVATE#ALL',
      `${stampedAt}#r1#${threadTs}#${ts}`,
    ],
    [
      keys.savedRow({ user: 'u1', visibility: 'PUBLIC', list: 't1' }, { ...reply, savedAt: stampedAt }),
      'USER#u1#SAVED#PUBLIC#t1',
      `${stampedAt}#r1#${threadTs}#${ts}`,
    ],
  ],
  reminder: [[keys.reminder('u1', 5, reply), 'USER#u1#REMINDERS', `0000000000000005#r1#${threadTs}#${ts}`]],
  savedCounts: [[keys.savedCounts('u1'), 'USER#u1', 'SAVED']],
  savedTag: [[keys.savedTag('u1', 't1'), 'USER#u1#TAGS', 'TAG#t1']],
  savedTagName: [[keys.savedTagName('u1', 'to read'), 'USER#u1#TAGS', 'NAME#to read']],
  saves: [[keys.saves(reply), 'ROOM#r1', `SAVES#${threadTs}#${ts}`]],
  pushSubscriptions: [[keys.pushSubscriptions('u1'), 'USER#u1', 'PUSHES']],
  pushEndpoint: [[keys.pushEndpoint('e1'), 'PUSH#e1', 'ENDPOINT']],
  recentPushes: [[keys.recentPushes('e1'), 'PUSH#e1', 'RECENT']],
  pushToken: [[keys.pushToken('key'), 'TOKEN#LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM', 'PUSH']],
  secret: [[keys.secret('unsubscribe'), 'SECRETS', 'unsubscribe']],
  goneWebhook: [[keys.goneWebhook('w1'), 'WEBHOOK#w1', 'GONE']],
  idempotencyRecord: [
    [keys.idempotencyRecord('u1', 'key'), 'USER#u1', 'SENT#LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM'],
  ],
  room: [[keys.room('r1'), 'ROOM#r1', 'ROOM']],
  seats: [[keys.seats('r1'), 'ROOM#r1', 'SEATS']],
  counter: [[keys.counter('r1'), 'ROOM#r1', 'COUNTER']],
  member: [[keys.member('r1', 'u1'), 'ROOM#r1', 'MEMBER#u1']],
  ban: [[keys.ban('r1', 'u1'), 'ROOM#r1', 'BAN#u1']],
  lifted: [[keys.lifted('r1', 'u1'), 'ROOM#r1', 'LIFTED#u1']],
  invite: [[keys.invite('r1', 'i1'), 'ROOM#r1', 'INVITE#i1']],
  waitlistEntry: [[keys.waitlistEntry('r1', threadTs, 'u1'), 'ROOM#r1', `WAIT#${threadTs}#u1`]],
  waiting: [[keys.waiting('u1', 'r1'), 'USER#u1', 'WAIT#r1']],
  waits: [[keys.waits('u1'), 'USER#u1', 'WAITS']],
  root: [
    [keys.root('r1', threadTs), 'ROOM#r1', `ROOT#${threadTs}#${threadTs}`],
    [keys.message('r1', threadTs, threadTs), 'ROOM#r1', `ROOT#${threadTs}#${threadTs}`],
  ],
  reply: [
    [keys.reply('r1', threadTs, ts), 'ROOM#r1', `REPLY#${threadTs}#${ts}`],
    [keys.message('r1', threadTs, ts), 'ROOM#r1', `REPLY#${threadTs}#${ts}`],
  ],
  stamp: [[keys.stamp('r1', threadTs, ts, stampedAt), 'ROOM#r1', `STAMP#${threadTs}#${ts}#${stampedAt}`]],
  like: [
    [keys.like('u1', root), reactions, `ROOT#${threadTs}#${threadTs}`],
    [keys.like('u1', reply), reactions, `REPLY#${threadTs}#${ts}`],
  ],
  stampGuard: [
    [keys.stampGuard('u1', root, 'tea'), reactions, `ROOT#${threadTs}#${threadTs}#STAMP#tea`],
    [keys.stampGuard('u1', reply, 'tea'), reactions, `REPLY#${threadTs}#${ts}#STAMP#tea`],
    [keys.stampGuard('u1', reply, '#️⃣'), reactions, `REPLY#${threadTs}#${ts}#STAMP#+23-fe0f-20e3`],
  ],
  follow: [[keys.follow('r1', threadTs, 'u1'), 'ROOM#r1', `FOLLOW#${threadTs}#u1`]],
  log: [[keys.log('r1', 42), 'ROOM#r1#LOG', '0000000000000042']],
  conversion: [[keys.conversion('handles'), 'CONVERSIONS', 'handles']],
  body: [[keys.body(reply), 'ROOM#r1', `BODY#${threadTs}#${ts}`]],
  shape: [[keys.shape(), 'SHAPE', 'SHAPE']],
  heartbeat: [[keys.heartbeat('s1'), 'SERVERS', 'SERVER#s1']],
  carry: [[keys.carry(), 'CARRY', 'CARRY']],
  fence: [[keys.fence(7), 'CARRY', 'FENCE#7']],
  sentinel: [[keys.sentinel('x1'), 'SENTINEL#x1', 'SENTINEL']],
  job: [[keys.job('j1'), 'JOB#j1', 'JOB']],
  personJob: [[keys.personJob('u1', '0000000000000001'), 'USER#u1', 'JOB#0000000000000001']],
  liked: [
    [
      keys.liked('u1', '0000000000000009', {
        room: 'r1',
        threadTs: '0000000000000001',
        ts: '0000000000000002',
      }),
      'USER#u1',
      'LIKED#0000000000000009#r1#0000000000000001#0000000000000002',
    ],
  ],
  scheduledMessage: [[keys.scheduledMessage('u1', 's1'), 'USER#u1', 'SCHEDULED#s1']],
  scheduledCount: [[keys.scheduledCount('u1'), 'USER#u1', 'SCHEDULES']],
  openJobs: [[keys.openJobs('u1'), 'USER#u1', 'JOBS']],
  timer: [
    [keys.timer(1_500, 'job:j1'), 'DUE#5', '0000000000001500#job:j1'],
    [keys.timer(1_500, 'job:j2'), 'DUE#3', '0000000000001500#job:j2'],
  ],
  failedTimer: [[keys.failedTimer(1_500, 'job:j1'), 'TIMERS', 'FAILED#0000000000001500#job:j1']],
  lastRevocation: [[keys.lastRevocation(), 'REVOKED', 'LAST']],
  revocation: [[keys.revocation(7), 'REVOKED', '0000000000000007']],
  shard: [[keys.shard('s-1', 'shardId-0001'), 'STREAM#s-1', 'SHARD#shardId-0001']],
  deadLetter: [
    [keys.deadLetter('s-1', '123'), 'STREAM#s-1', 'ASIDE#0000000000000000000000000000000000000123'],
  ],
};

test.each(Object.entries(expectedKeys))('keys: %s has the strings that the table holds', (type, all) => {
  for (const [key, pk, sk] of all) {
    expect(key).toEqual({ pk, sk });
    expect(parseKey(key).type).toBe(type);
  }
});

/** The name of a range, the range, its partition, and its prefix or both of its ends. */
const expectedRanges: ReadonlyArray<[keyof typeof ranges, KeyRange, string, string | [string, string]]> = [
  ['memberships', ranges.memberships('u1'), 'USER#u1', 'ROOM#'],
  ['members', ranges.members('r1'), 'ROOM#r1', 'MEMBER#'],
  ['bans', ranges.bans('r1'), 'ROOM#r1', 'BAN#'],
  ['invites', ranges.invites('r1'), 'ROOM#r1', 'INVITE#'],
  ['waitlist', ranges.waitlist('r1'), 'ROOM#r1', 'WAIT#'],
  ['waits', ranges.waits('u1'), 'USER#u1', 'WAIT#'],
  ['roots', ranges.roots('r1'), 'ROOM#r1', 'ROOT#'],
  ['replies', ranges.replies('r1', threadTs), 'ROOM#r1', `REPLY#${threadTs}#`],
  ['stamps', ranges.stamps('r1', threadTs, ts), 'ROOM#r1', `STAMP#${threadTs}#${ts}#`],
  ['allReplies', ranges.allReplies('r1'), 'ROOM#r1', 'REPLY#'],
  ['allStamps', ranges.allStamps('r1'), 'ROOM#r1', 'STAMP#'],
  ['follows', ranges.follows('r1', threadTs), 'ROOM#r1', `FOLLOW#${threadTs}#`],
  ['notifications', ranges.notifications('u1'), 'USER#u1', 'NOTE#'],
  ['personJobs', ranges.personJobs('u1'), 'USER#u1', 'JOB#'],
  ['blocks', ranges.blocks('u1'), 'USER#u1', 'BLOCK#'],
  ['liked', ranges.liked('u1'), 'USER#u1', 'LIKED#'],
  ['listeners', ranges.listeners('r1', 'MESSAGE'), 'ROOM#r1', 'LISTENER#MESSAGE#'],
  ['listenersWaiting', ranges.listenersWaiting('r1', 'MESSAGE', 600), 'ROOM#r1', 'LISTENER#MESSAGE#000600#'],
  ['gatherings', ranges.gatherings('u1'), 'USER#u1', 'GATHER#'],
  ['deliveries', ranges.deliveries('u1'), 'USER#u1', 'DELIVERY#'],
  ['followedThreads', ranges.followedThreads('u1', 'r1'), 'USER#u1', 'THREAD#r1#'],
  ['threadPointers', ranges.threadPointers('u1', 'r1', threadTs), 'USER#u1', `UNREAD#r1#${threadTs}#`],
  ['roomPointers', ranges.roomPointers('u1', 'r1'), 'USER#u1', 'UNREAD#r1#'],
  ['pointers', ranges.pointers('u1'), 'USER#u1', 'UNREAD#'],
  ['notified', ranges.notified('u1', subject), `NOTE#u1#LIKE#r1#${threadTs}#${ts}`, 'ACTOR#'],
  ['stampGuards', ranges.stampGuards('u1', reply), reactions, `REPLY#${threadTs}#${ts}#STAMP#`],
  ['shards', ranges.shards('s-1'), 'STREAM#s-1', 'SHARD#'],
  ['deadLetters', ranges.deadLetters('s-1'), 'STREAM#s-1', 'ASIDE#'],
  ['failedTimers', ranges.failedTimers(), 'TIMERS', 'FAILED#'],
  ['timersUntil', ranges.timersUntil(11, 1_500), 'DUE#11', ['0', '0000000000001500\u{10FFFF}']],
  ['log', ranges.log('r1', 3, 10), 'ROOM#r1#LOG', ['0000000000000003', '0000000000000059']],
  ['savedList', ranges.savedList(savedList), 'USER#u1#SAVED#PUBLIC#ALL', ['0', '\u{10FFFF}']],
  ['savedTagNames', ranges.savedTagNames('u1', 'to'), 'USER#u1#TAGS', 'NAME#to'],
  ['reminders', ranges.reminders('u1'), 'USER#u1#REMINDERS', ['0', '\u{10FFFF}']],
  ['heartbeats', ranges.heartbeats(), 'SERVERS', 'SERVER#'],
  ['roomItems', ranges.roomItems('r1'), 'ROOM#r1', ['0', '\u{10FFFF}']],
  ['roomLog', ranges.roomLog('r1'), 'ROOM#r1#LOG', ['0', '\u{10FFFF}']],
  ['revocations', ranges.revocations(7), 'REVOKED', ['0000000000000007', '9999999999999999']],
  [
    'viewerReactions',
    ranges.viewerReactions('u1', root, { room: 'r1', threadTs: ts, ts }),
    reactions,
    [`ROOT#${threadTs}#${threadTs}`, `ROOT#${ts}#${ts}\u{10FFFF}`],
  ],
];

test('ranges: every range is in this list', () => {
  expect(expectedRanges.map(([name]) => name).sort()).toEqual(Object.keys(ranges).sort());
});

test.each(expectedRanges)('ranges: %s has the ends that it always had', (_, range, pk, ends) => {
  const [from, to] = typeof ends === 'string' ? [ends, `${ends}\u{10FFFF}`] : ends;
  expect(range).toEqual({ pk, from, to });
});

test('ranges: more properties than a range is made of do not change it', () => {
  const more = { ...subject, actor: 'a1', stampKey: 'tea', user: 'u2' };
  expect(ranges.notified('u1', more)).toEqual(ranges.notified('u1', subject));
  expect(ranges.stampGuards('u1', more)).toEqual(ranges.stampGuards('u1', reply));
  expect(keys.pointer('u1', more)).toEqual(keys.pointer('u1', subject));
});

test('keys: the index has the strings that the table holds', () => {
  expect([directory.pk, directory.sk(threadTs, 'r1')]).toEqual(['DIRECTORY', `${threadTs}#r1`]);
  expect(directory.room(`${threadTs}#r1`)).toBe('r1');
  expect([likers.pk(reply), likers.sk(threadTs, 'u1')]).toEqual([
    `LIKES#r1#${threadTs}#${ts}`,
    `${threadTs}#u1`,
  ]);
  expect([notificationList.unread('u1'), notificationList.read('u1')]).toEqual([
    'USER#u1#UNREAD',
    'USER#u1#READ',
  ]);
  expect(notificationList.sk(threadTs, 'n1')).toBe(`${threadTs}#n1`);
  expect([handleList.pk('a'), handleList.pk('aki_1'), handleList.sk('aki_1', 'u1')]).toEqual([
    'HANDLES#a',
    'HANDLES#a',
    'aki_1#u1',
  ]);
  expect([memberHandles.pk('r1'), memberHandles.sk('aki_1', 'u1')]).toEqual(['ROOM#r1#HANDLES', 'aki_1#u1']);
  expect([savers.pk(reply), savers.sk(stampedAt, 'u1')]).toEqual([
    `SAVES#r1#${threadTs}#${ts}`,
    `${stampedAt}#u1`,
  ]);
  expect(savedLists.pk(savedList)).toBe('USER#u1#SAVED#PUBLIC#ALL');
  expect(savedLists.sk(reply, ['t1', 't2'])).toBe(`${ts}#r1#${threadTs}#t1.t2`);
  for (const tags of [[], ['t1'], ['t1', 't2']]) {
    expect(savedLists.tags(savedLists.sk(reply, tags))).toEqual(tags);
  }
  const position = `${ts}#r1#${threadTs}`;
  expect(savedLists.position(savedLists.sk(reply, ['t1']))).toBe(position);
  const part = { first: undefined, last: undefined, after: undefined, reverse: false };
  expect(savedLists.between(part)).toEqual({ from: '0', to: '\u{10FFFF}' });
  expect(savedLists.between({ ...part, first: threadTs, after: position })).toEqual({
    from: `${position}#\u{10FFFF}`,
    to: '\u{10FFFF}',
  });
  expect(savedLists.between({ ...part, last: stampedAt, after: position, reverse: true })).toEqual({
    from: '0',
    to: position,
  });
  expect(savedTagsByCount.tag(savedTagsByCount.sk(3, 't1'))).toBe('t1');
  expect([savedTagsByCount.pk('u1'), savedTagsByCount.sk(3, 't1')]).toEqual([
    'USER#u1#TAGS',
    '0000000000000003#t1',
  ]);
  expect([publicTags.pk('u1'), publicTags.sk('to read', 't1')]).toEqual(['USER#u1#PUBLICTAGS', 'to read#t1']);
  expect(publicTags.after('to read')).toEqual({ from: 'to read#\u{10FFFF}', to: '\u{10FFFF}' });
  expect(memberHandles.parts('aki_1#u1')).toEqual({ handle: 'aki_1', user: 'u1' });
});
