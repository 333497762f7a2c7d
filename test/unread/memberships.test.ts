import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { graphql } from '../generated/gql.ts';
import type { MembershipOrder } from '../generated/graphql.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { messageKey, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const Rooms = graphql(`
  query RoomsInOrder($first: Int, $after: String, $orderBy: MembershipOrder, $unreadOnly: Boolean) {
    viewer {
      memberships(first: $first, after: $after, orderBy: $orderBy, unreadOnly: $unreadOnly) {
        pageInfo { hasNextPage endCursor }
        edges { node { room { name lastActivityAt lastMessage { id body createdAt deletedAt } } } }
      }
    }
  }
`);
const Outside = graphql(`query LastOutside($id: ID!) { room(id: $id) { name lastMessage { id } } }`);
const ActivityOutside = graphql(`query ActivityOutside($id: ID!) { room(id: $id) { lastActivityAt } }`);
const Mute = graphql(`
  mutation MuteInOrder($roomId: ID!) { muteRoom(input: { roomId: $roomId, muted: true }) { membership { id } } }
`);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

interface Options {
  readonly first?: number;
  readonly after?: string | null;
  readonly orderBy?: MembershipOrder;
  readonly unreadOnly?: boolean;
}

async function listed(who: Person, options: Options = {}) {
  await app.quiet();
  return (await who.do(Rooms, options)).viewer.memberships;
}

const names = async (who: Person, options?: Options) =>
  (await listed(who, options)).edges.map(({ node }) => node.room.name);

/** Three rooms in the order in which the first person joined them. */
async function threeRooms(who: Person, members: readonly Person[] = []) {
  const [a, b, c] = [
    await roomOf(who, members, { name: 'a' }),
    await roomOf(who, members, { name: 'b' }),
    await roomOf(who, members, { name: 'c' }),
  ];
  return { a, b, c };
}

describe('Viewer.memberships', () => {
  test('Viewer.memberships: by last activity, where a new room counts as active and a reply does not', async () => {
    const [aki] = await people(app, 1);
    const { a, b } = await threeRooms(aki);
    expect(await names(aki)).toEqual(['c', 'b', 'a']);
    const root = await say(aki, a, 'first');
    expect(await names(aki)).toEqual(['a', 'c', 'b']);
    await say(aki, b, 'second');
    await say(aki, a, 'reply', root.id);
    expect(await names(aki)).toEqual(['b', 'a', 'c']);
    expect(await names(aki, { orderBy: 'JOINED' })).toEqual(['c', 'b', 'a']);
  });

  test.each(['LAST_ACTIVITY', 'JOINED'] as const)('Viewer.memberships: has pages by %s', async (orderBy) => {
    const [aki] = await people(app, 1);
    await threeRooms(aki);
    const { edges, pageInfo } = await listed(aki, { first: 2, orderBy });
    expect(edges.map(({ node }) => node.room.name)).toEqual(['c', 'b']);
    expect(pageInfo.hasNextPage).toBe(true);
    const after = pageInfo.endCursor;
    expect(await names(aki, { first: 2, after, orderBy })).toEqual(['a']);
    const other = orderBy === 'JOINED' ? 'LAST_ACTIVITY' : 'JOINED';
    const { errors } = await aki.send(Rooms, { after, orderBy: other });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'after' });
  });

  test('Viewer.memberships: only rooms with unread roots, muted ones included', async () => {
    const [aki, ben] = await people(app, 2);
    const { a, b, c } = await threeRooms(aki, [ben]);
    await say(ben, a, 'unread');
    await say(ben, c, 'unread and muted');
    await say(ben, b, 'read');
    await say(aki, b, 'read by an answer');
    await aki.do(Mute, { roomId: c });
    expect(await names(aki, { unreadOnly: true })).toEqual(['c', 'a']);
    expect(await names(aki, { unreadOnly: true, orderBy: 'JOINED', first: 1 })).toEqual(['c']);
    expect(await names(ben, { unreadOnly: true })).toEqual(['b']);
  });
});

describe('Room.lastMessage', () => {
  test('Room.lastMessage: is the newest root, also after it was deleted', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    expect((await listed(aki)).edges[0]?.node.room.lastMessage).toBeNull();
    const root = await say(aki, roomId, 'one');
    await say(aki, roomId, 'reply', root.id);
    const two = await say(aki, roomId, 'two');
    await aki.do(DeleteMessage, { messageId: two.id });
    const last = (await listed(aki)).edges[0]?.node.room;
    expect(last?.lastMessage).toMatchObject({ id: two.id, body: null, deletedAt: expect.any(String) });
    expect(last?.lastActivityAt).toBe(last?.lastMessage?.createdAt);
  });

  test('Room.lastMessage: is hidden from users who are not in the room', async () => {
    const [aki, ben] = await people(app, 2);
    const id = await roomOf(aki);
    await say(aki, id, 'for members');
    await app.quiet();
    expect((await ben.do(Outside, { id })).room).toMatchObject({ name: 'Room', lastMessage: null });
    expect((await ben.send(ActivityOutside, { id })).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test('Room.lastMessage: of a room of the release before, and after one of its consumers counted roots', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const counter = keys.counter(rawId(roomId));
    const last = async () => (await listed(aki)).edges[0]?.node.room.lastMessage?.body;
    await say(aki, roomId, 'one');
    await say(aki, roomId, 'two');
    await app.quiet();
    await app.dynamo.update(counter, { update: 'REMOVE newestRoot, newestRootOf' });
    expect(await last()).toBe('two');
    const three = await say(aki, roomId, 'three');
    expect(await last()).toBe('three');
    expect((await app.dynamo.get(counter))?.newestRoot).toBe(messageKey(three.id).threadTs);
    // That consumer raised the number, and left the name as it was.
    await app.dynamo.update(counter, {
      update: 'SET newestRoot = :one, newestRootOf = :two',
      values: { ':one': messageKey(three.id).threadTs, ':two': 2 },
    });
    await say(aki, roomId, 'four');
    expect(await last()).toBe('four');
  });
});
