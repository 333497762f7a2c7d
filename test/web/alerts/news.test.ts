import { expect, it } from 'vitest';
import { isLeftOut as isLeftOutOfDeliveries } from '../../../src/delivery/settings/settings.ts';
import { isLeftOut, newsIn, type Seen } from '../../../web/src/alerts/news.ts';
import { isQuiet } from '../../../web/src/alerts/quiet.ts';
import type {
  DeliveryKind,
  DeliveryMode,
  NotificationKind,
  RoomDelivery,
} from '../../../web/src/generated/graphql.ts';

type Node = Seen['answer']['viewer']['notifications']['edges'][number]['node'];

const NOW = new Date('2026-03-04T12:00:00Z');
const settings = { hideText: false, pausedUntil: null, quietHours: null, kinds: [] };
const own = (['hall', 'muted', 'pair'] as const).map(
  (id) =>
    ({ room: { id, visibility: id === 'pair' ? 'DIRECT' : 'PUBLIC' } }) as unknown as Seen['own'][number],
);
const choice = (id: string, delivery: RoomDelivery = 'DEFAULT') => ({
  id,
  viewerMembership: { id: `own ${id}`, muted: id === 'muted', delivery },
});

const notification = (kind: NotificationKind, change: Readonly<Record<string, unknown>> = {}): Node =>
  ({
    id: `n ${kind}`,
    kind,
    text: `About ${kind}`,
    readAt: null,
    updatedAt: '2026-03-04T11:59:00.000Z',
    room: choice('hall'),
    message: { id: 'message', root: null },
    latestReply: null,
    ...change,
  }) as unknown as Node;

/** The texts of what is new. */
const news = (nodes: readonly Node[], change: Partial<Seen> = {}, chosen: object = {}) =>
  newsIn({
    answer: {
      nodes: [choice('pair'), choice('hall'), null],
      viewer: {
        id: 'viewer',
        notifications: { edges: nodes.map((node) => ({ node })) },
        deliverySettings: { ...settings, ...chosen },
      },
    },
    alerted: { at: '', direct: {} },
    direct: new Map(),
    own,
    pages: [],
    now: NOW,
    ...change,
  }).map(({ text }) => text);

const MENTION = notification('MENTION');

it('reports mentions, replies and reminders; likes, stamps, seats and invitations are in the bell', () => {
  const kinds = ['MENTION', 'LIKE', 'REPLY', 'STAMP', 'SEAT', 'INVITED', 'REMINDER'] as const;
  const all = kinds.map((kind) => notification(kind));
  expect(news(all)).toEqual(['About MENTION', 'About REPLY', 'About REMINDER']);
});

it('reports nothing that was read or reported before', () => {
  expect(news([notification('MENTION', { readAt: NOW.toISOString() })])).toEqual([]);
  const before = { at: MENTION.updatedAt, direct: { pair: 7 } };
  expect(news([MENTION], { alerted: before, direct: new Map([['pair', 7]]) })).toEqual([]);
  expect(news([MENTION], { alerted: before, direct: new Map([['pair', 8]]) })).toEqual([undefined]);
});

it('reports nothing in muted rooms, in former ones and in those that the viewer looks at', () => {
  expect(news([notification('MENTION', { room: choice('muted') })])).toEqual([]);
  expect(news([notification('MENTION', { room: choice('former') })])).toEqual([]);
  const page = { room: 'hall', canSound: true };
  expect(news([MENTION], { pages: [{ ...page, isActive: true }] })).toEqual([]);
  expect(news([MENTION], { pages: [{ ...page, isActive: false }] })).toHaveLength(1);
});

it('reports what was chosen for a room', () => {
  expect(news([notification('MENTION', { room: choice('hall', 'NOTHING') })])).toEqual([]);
  expect(news([notification('REPLY', { room: choice('hall', 'MENTIONS') })])).toEqual([]);
  expect(news([notification('MENTION', { room: choice('muted', 'MENTIONS') })])).toHaveLength(1);
  expect(news([notification('REMINDER', { room: choice('muted') })])).toHaveLength(1);
});

const CHOICES = ['DEFAULT', 'ALL', 'MENTIONS', 'NOTHING'] as const;

it.each(['MENTION', 'REPLY', 'REMINDER', 'DIRECT_MESSAGE'] as const)(
  'leaves a %s out where deliveries leave it out',
  (kind) => {
    for (const delivery of CHOICES) {
      for (const muted of [true, false]) {
        const stored = { muted, ...(delivery === 'DEFAULT' ? {} : { delivery }) };
        expect(isLeftOut(kind, { muted, delivery })).toBe(isLeftOutOfDeliveries(kind, stored));
      }
    }
  },
);

it('reports messages in direct rooms only, and once if one is a mention', () => {
  const direct = new Map([
    ['pair', 1],
    ['hall', 1],
  ]);
  expect(news([], { direct })).toEqual([undefined]);
  expect(news([notification('MENTION', { room: choice('pair') })], { direct })).toEqual(['About MENTION']);
});

it('reports nothing that the viewer has switched off', () => {
  const off = (kind: DeliveryKind) => ({ kinds: [{ kind, mode: 'OFF' satisfies DeliveryMode }] });
  expect(news([MENTION], {}, off('MENTION'))).toEqual([]);
  expect(news([MENTION], {}, off('REPLY'))).toHaveLength(1);
  expect(news([], { direct: new Map([['pair', 1]]) }, off('DIRECT_MESSAGE'))).toEqual([]);
});

it('quiet hours hold back all but reminders, and a pause holds back everything', () => {
  const both = [MENTION, notification('REMINDER')];
  const direct = new Map([['pair', 1]]);
  const quietHours = { from: '11:00', to: '13:00', timeZone: 'UTC', days: ['WEDNESDAY'] };
  expect(news(both, { direct }, { quietHours })).toEqual(['About REMINDER']);
  expect(news(both, { direct }, { pausedUntil: '2026-03-04T12:00:01Z' })).toEqual([]);
  expect(news(both, { direct }, { pausedUntil: '2026-03-04T11:59:59Z' })).toHaveLength(3);
});

it.each([
  // 12:00 UTC on a Wednesday.
  ['UTC', '11:00', '12:01', 'WEDNESDAY', true],
  ['UTC', '11:00', '12:00', 'WEDNESDAY', false],
  ['UTC', '12:00', '12:01', 'WEDNESDAY', true],
  ['UTC', '11:00', '13:00', 'THURSDAY', false],
  // 21:00 there.
  ['Asia/Tokyo', '20:00', '07:00', 'WEDNESDAY', true],
  ['Asia/Tokyo', '22:00', '07:00', 'WEDNESDAY', false],
  // 02:00 on Thursday there.
  ['Pacific/Kiritimati', '22:00', '07:00', 'WEDNESDAY', true],
  ['Pacific/Kiritimati', '22:00', '07:00', 'THURSDAY', false],
  ['No/Such', '00:00', '23:59', 'WEDNESDAY', false],
] as const)('quiet hours in %s, %s to %s on %s: %s', (timeZone, from, to, day, expected) => {
  expect(isQuiet({ ...settings, quietHours: { from, to, timeZone, days: [day] } }, NOW)).toBe(expected);
});
