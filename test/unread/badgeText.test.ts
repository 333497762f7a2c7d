/** The badge's events are written without executing them: the text is what execution returns. */
import fc from 'fast-check';
import { execute, parse, print, validate } from 'graphql';
import { expect, test } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { compileSync } from '../../src/graphql/syncExecution.ts';
import type { BadgeChange, BadgeRoom } from '../../src/unread/badge/badgeSubscription.ts';
import { BadgeDocument } from '../../web/src/generated/graphql.ts';
import { UnreadLive } from '../support/clients/operations.ts';
import { scaled } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';

const schema = createSchema();
const id = fc.stringMatching(/^[0-9a-z]{1,20}$/);
const time = fc.integer({ min: 0, max: 2 ** 50 }).map(toTimestamp);
const count = fc.nat(2 ** 31 - 1);

const rooms = fc
  .record({
    id,
    user: id,
    name: fc.string(),
    topic: fc.option(fc.string()),
    time,
    count,
    muted: fc.boolean(),
  })
  .map(({ id: room, user, name, topic, time: at, count: number, muted }): BadgeRoom => {
    const seats = { taken: number, capacity: muted ? number : null, owners: 1, waiting: 0, version: 1 };
    return {
      room: { id: room, name, topic, visibility: 'PUBLIC', createdAt: at, version: 1, seats },
      membership: {
        room,
        user,
        role: muted ? 'OWNER' : 'MEMBER',
        joinedAt: at,
        muted,
        lastReadTs: at,
        pendingReadRoot: null,
        readPosition: number,
        version: 1,
      },
      unreadCount: number,
      readPosition: number,
    };
  });

const changes = fc.record({
  total: count,
  notifications: count,
  rooms: fc.array(rooms, { maxLength: 3 }),
  removedRoomIds: fc.array(id, { maxLength: 2 }),
});

const ROOM = '__typename id name topic visibility capacity memberCount waitingCount createdAt'.split(' ');
const MEMBERSHIP = '__typename id role joinedAt muted'.split(' ');
const ROOM_UNREAD = ['__typename', 'unreadCount', 'readPosition'];
const CHANGE = ['__typename', 'total', 'notifications', 'removedRoomIds'];

/** Some of the fields, some with an alias, a condition, or in a fragment. */
const some = (type: string, names: readonly string[]) =>
  fc
    .array(fc.record({ name: fc.constantFrom(...names), way: fc.nat(5) }), { maxLength: 6 })
    .map((fields) =>
      fields.map(({ name, way }) => {
        if (way === 0) return `... on ${type} @include(if: $more) { ${name} }`;
        if (way === 1) return `x_${name}: ${name} @skip(if: $more)`;
        if (way === 2) return `...${type}Parts`;
        return name;
      }),
    )
    .map((fields) => ['__typename', ...fields].join(' '));

const queries = fc
  .record({
    change: some('UnreadChange', CHANGE),
    roomUnread: some('RoomUnread', ROOM_UNREAD),
    room: some('Room', ROOM),
    membership: some('Membership', MEMBERSHIP),
  })
  .map(
    ({ change, roomUnread, room, membership }) => `
      subscription Badge($more: Boolean! = true) {
        unread {
          ${change} never: total @skip(if: $more)
          ...UnreadChangeParts
          rooms { ${roomUnread} room { ${room} ...RoomParts } membership { ${membership} } ...RoomUnreadParts }
        }
      }
      fragment UnreadChangeParts on UnreadChange { total rooms { __typename } }
      fragment RoomUnreadParts on RoomUnread { same: unreadCount membership { ...MembershipParts } }
      fragment RoomParts on Room { ...NodeParts }
      fragment MembershipParts on Membership { ...NodeParts role }
      fragment NodeParts on Node { id }`,
  );

/** What the badge shows needs nothing of the context but the loader's reset. */
const contextValue = { viewer: 'aki', items: { clear() {} }, services: {} };

async function textOf(query: string, rootValue: BadgeChange, variableValues: Record<string, unknown> = {}) {
  const args = { schema, document: parse(query), contextValue, variableValues };
  expect(validate(schema, args.document)).toEqual([]);
  const { data, errors } = await execute({ ...args, rootValue });
  expect(errors).toBeUndefined();
  return { expected: JSON.stringify({ data }), written: compileSync(args)(rootValue, contextValue) };
}

test(`badge: random selections are written as they are executed (seed ${seed})`, async () => {
  const variables = fc.record({ more: fc.boolean() }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(queries, changes, variables, async (query, change, values) => {
      const { expected, written } = await textOf(query, change, values);
      expect(written).toBe(expected);
    }),
    { seed, numRuns: scaled(60) },
  );
});

test.each([
  ["the web client's", print(BadgeDocument)],
  ["the tests'", UnreadLive.toString()],
])('badge: %s selection is written', async (_what, query) => {
  const [change] = fc.sample(changes, { seed, numRuns: 1 });
  if (change === undefined) throw new Error('There is no sample.');
  const { expected, written } = await textOf(query, change);
  expect(written).toBe(expected);
});

test.each([
  'rooms { membership { unreadCount } }',
  'rooms { room { viewerMembership { id } } }',
  'rooms { membership { user { handle } } }',
])('badge: { %s } has to be executed', (selection) => {
  const [room] = fc.sample(rooms, { seed, numRuns: 1 });
  const change = { total: 1, notifications: 0, rooms: room === undefined ? [] : [room], removedRoomIds: [] };
  const document = parse(`subscription { unread { ${selection} } }`);
  const read = () => Promise.reject(new Error('This test has no table.'));
  const context = { ...contextValue, items: { ...contextValue.items, load: read, loadMany: read } };
  expect(compileSync({ schema, document })(change, context)).toBeUndefined();
});
