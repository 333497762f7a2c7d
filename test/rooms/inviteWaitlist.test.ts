/** Invites to a full room: waiting for a seat, what is seen from the waitlist, and how a wait ends. */

import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { createKeyedMutex } from '../../src/core/keyedMutex.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createWaitlist, WAITS_MAX } from '../../src/rooms/membership/waitlist.ts';
import { graphql } from '../generated/gql.ts';
import {
  BanMember,
  JoinRoom,
  LeaveRoom,
  Members,
  SendMessage,
  Timeline,
  UnbanMember,
  UpdateRoom,
} from '../support/clients/operations.ts';
import { globalId, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { admit } from '../support/clients/roles.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { recount } from '../verify/support/recount.ts';
import { CreateInvite, Invites, JoinOrWait, NotificationRooms, RevokeInvite } from './support/operations.ts';

const WaitWithInvite = graphql(`
  mutation WaitWithInvite($code: String!) {
    joinWithInvite(input: { code: $code, waitlist: true }) {
      membership { id }
      room { id name topic visibility capacity memberCount waitingCount waitlistPosition viewerMembership { id } }
    }
  }
`);
const Waits = graphql(`
  query Waits($first: Int, $after: String) {
    viewer {
      waitlists(first: $first, after: $after) {
        edges { cursor position since node { id name } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);
const SeenRoom = graphql(
  `query SeenRoom($id: ID!) { room(id: $id) { name topic memberCount waitlistPosition } }`,
);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.quiet();
  expect(await recount(app.dynamo)).toEqual([]);
  await app.stop();
});

/** A private room whose two seats are taken, and a code. */
async function fullRoom(maxUses?: number) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', name: 'Secret', topic: 'Topic' });
  await admit(aki, roomId, ben);
  await aki.do(UpdateRoom, { input: { roomId, capacity: 2 } });
  const { code, invite } = (await aki.do(CreateInvite, { input: { roomId, ...defined({ maxUses }) } }))
    .createInvite;
  return { aki, ben, roomId, code, inviteId: invite.id };
}

const wait = async (person: Person, code: string) =>
  (await person.do(WaitWithInvite, { code })).joinWithInvite;
const seen = async (person: Person, id: string) => (await person.do(SeenRoom, { id })).room;
const waits = async (person: Person) => (await person.do(Waits, {})).viewer.waitlists.edges;
const usesOf = async (by: Person, roomId: string) =>
  (await by.do(Invites, { roomId })).room?.invites.edges.map(({ node }) => node.uses);

describe('joinWithInvite with waitlist', () => {
  test('waits for a seat of a private room, sees what is public of it and nothing else, and gets the seat', async () => {
    const { aki, ben, roomId, code } = await fullRoom();
    const [chi, dan] = await people(app, 2);
    await say(aki, roomId, 'for members');
    expect(await chi.refused(WaitWithInvite, { code: `${code}x` })).toBe('NOT_FOUND');
    expect(await seen(chi, roomId)).toBeNull();
    expect(await wait(chi, code)).toMatchObject({
      membership: null,
      room: {
        id: roomId,
        name: 'Secret',
        topic: 'Topic',
        visibility: 'PRIVATE',
        capacity: 2,
        memberCount: 2,
        waitlistPosition: 1,
        viewerMembership: null,
      },
    });
    expect((await wait(dan, code)).room.waitlistPosition).toBe(2);
    expect(await seen(chi, roomId)).toEqual({
      name: 'Secret',
      topic: 'Topic',
      memberCount: 2,
      waitlistPosition: 1,
    });
    for (const outcome of [
      await chi.refused(Timeline, { roomId }),
      await chi.refused(Members, { roomId }),
      await chi.refused(JoinRoom, { roomId }),
      await chi.refused(JoinOrWait, { roomId }),
      await chi.refused(SendMessage, { input: { roomId, body: 'let me in' } }),
    ]) {
      expect(outcome).toBe('FORBIDDEN');
    }
    await ben.do(LeaveRoom, { roomId });
    await app.quiet();
    expect((await chi.do(Members, { roomId })).room?.members.edges).toHaveLength(2);
    expect((await chi.do(NotificationRooms, {})).viewer.notifications.edges).toHaveLength(1);
    expect(await waits(chi)).toEqual([]);
    expect((await waits(dan)).map(({ position }) => position)).toEqual([1]);
  });

  test('counts one use for each user, however often they ask, and none for the seat', async () => {
    const { aki, ben, roomId, code } = await fullRoom(1);
    const [chi, dan] = await people(app, 2);
    await Promise.all([wait(chi, code), wait(chi, code), wait(chi, code)]);
    expect((await wait(chi, code)).room.waitingCount).toBe(1);
    expect(await usesOf(aki, roomId)).toEqual([1]);
    expect(await dan.refused(WaitWithInvite, { code })).toBe('NOT_FOUND');
    await ben.do(LeaveRoom, { roomId });
    await app.quiet();
    expect((await chi.do(Members, { roomId })).room?.members.edges).toHaveLength(2);
    expect(await usesOf(aki, roomId)).toEqual([1]);
  });

  test('gives a free seat at once, and the place stays when the invite ends', async () => {
    const { aki, roomId, code, inviteId } = await fullRoom();
    const [chi, dan] = await people(app, 2);
    await wait(chi, code);
    await aki.do(RevokeInvite, { inviteId });
    expect((await seen(chi, roomId))?.waitlistPosition).toBe(1);
    expect(await dan.refused(WaitWithInvite, { code })).toBe('NOT_FOUND');
    await aki.do(UpdateRoom, { input: { roomId, capacity: 4 } });
    await app.quiet();
    expect((await seen(chi, roomId))?.memberCount).toBe(3);
    const other = (await aki.do(CreateInvite, { input: { roomId } })).createInvite.code;
    expect((await wait(dan, other)).membership).not.toBeNull();
  });

  test('the room is not seen any more after leaving the waitlist, and after a ban', async () => {
    const { aki, roomId, code } = await fullRoom();
    const [chi, dan] = await people(app, 2);
    await wait(chi, code);
    await wait(dan, code);
    expect((await chi.do(LeaveRoom, { roomId })).leaveRoom.room).toBeNull();
    expect([await seen(chi, roomId), await waits(chi)]).toEqual([null, []]);
    await aki.do(BanMember, { roomId, userId: globalId(dan) });
    expect([await seen(dan, roomId), await waits(dan)]).toEqual([null, []]);
    expect(await app.dynamo.get(keys.waiting(dan.id, rawId(roomId)))).toBeUndefined();
    expect(await dan.refused(WaitWithInvite, { code })).toBe('NOT_FOUND');
    await aki.do(UnbanMember, { roomId, userId: globalId(dan) });
    expect((await wait(dan, code)).room.waitlistPosition).toBe(1);
  });

  test('a ban and a wait at the same moment leave no place', async () => {
    for (let n = 0; n < 10; n++) {
      const { aki, roomId, code } = await fullRoom();
      const [chi] = await people(app, 1);
      await chi.do(Waits, {});
      await Promise.all([
        chi.refused(WaitWithInvite, { code }),
        aki.do(BanMember, { roomId, userId: globalId(chi) }),
      ]);
      expect([await seen(chi, roomId), await waits(chi)]).toEqual([null, []]);
    }
  });

  test('no one gets a seat of a private room that all members have left', async () => {
    const { aki, ben, roomId, code } = await fullRoom();
    const [chi, dan] = await people(app, 2);
    await ben.do(LeaveRoom, { roomId });
    await aki.do(UpdateRoom, { input: { roomId, capacity: 1 } });
    await wait(chi, code);
    await wait(dan, code);
    await aki.do(LeaveRoom, { roomId });
    await app.quiet();
    expect([await seen(chi, roomId), await waits(chi)]).toEqual([null, []]);
    expect([await seen(dan, roomId), await waits(dan)]).toEqual([null, []]);
  });
});

describe('Viewer.waitlists', () => {
  test('lists the rooms in pages, the longest wait first', async () => {
    const [aki, chi] = await people(app, 2);
    const names = ['a', 'b', 'c'];
    for (const name of names) {
      const roomId = await roomOf(aki, [], { capacity: 1, name });
      await chi.do(JoinOrWait, { roomId });
    }
    const all = await waits(chi);
    expect(all.map(({ node, position }) => [node.name, position])).toEqual(names.map((name) => [name, 1]));
    expect(all.map(({ since }) => since)).toEqual(all.map(({ since }) => since).sort());
    const { edges, pageInfo } = (await chi.do(Waits, { first: 2 })).viewer.waitlists;
    expect([edges.map(({ node }) => node.name), pageInfo.hasNextPage]).toEqual([['a', 'b'], true]);
    const rest = (await chi.do(Waits, { first: 2, after: pageInfo.endCursor })).viewer.waitlists;
    expect([rest.edges.map(({ node }) => node.name), rest.pageInfo.hasNextPage]).toEqual([['c'], false]);
    expect(await waits(aki)).toEqual([]);
    expect(await aki.refused(Waits, { after: pageInfo.endCursor })).toBe('BAD_USER_INPUT');
  });

  test(`a user is on ${WAITS_MAX} waitlists at most, also if they ask at the same moment`, async () => {
    const [aki, chi] = await people(app, 2);
    await chi.do(Waits, {});
    const rooms: string[] = [];
    for (let n = 0; n < WAITS_MAX + 3; n++) rooms.push(await roomOf(aki, [], { capacity: 1 }));
    for (const roomId of rooms.slice(0, WAITS_MAX - 2)) await chi.do(JoinOrWait, { roomId });
    const outcomes = await Promise.all(
      rooms.slice(WAITS_MAX - 2).map((roomId) => chi.refused(JoinOrWait, { roomId })),
    );
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(2);
    expect(outcomes.filter((code) => code === 'CONFLICT')).toHaveLength(3);
    expect(await waits(chi)).toHaveLength(WAITS_MAX);
    await chi.do(LeaveRoom, { roomId: rooms[0] ?? '' });
    const free = rooms[outcomes.indexOf('CONFLICT') + WAITS_MAX - 2] ?? '';
    expect(await chi.refused(JoinOrWait, { roomId: free })).toBeUndefined();
  });

  test(`a place that another request takes between two reads counts: ${WAITS_MAX} at most`, async () => {
    const [aki, chi] = await people(app, 2);
    await chi.do(Waits, {});
    const rooms: string[] = [];
    for (let n = 0; n < WAITS_MAX + 1; n++) rooms.push(await roomOf(aki, [], { capacity: 1 }));
    const [first = '', second = '', ...others] = rooms;
    for (const roomId of others) await chi.do(JoinOrWait, { roomId });
    let meanwhile: Promise<unknown> | undefined;
    const racing: Dynamo = {
      ...app.dynamo,
      // What is read at the same time as the places comes later.
      async get(key) {
        await turn();
        await meanwhile;
        return app.dynamo.get(key);
      },
      async query(range, options) {
        const page = app.dynamo.query(range, options);
        meanwhile ??= page.then(() => chi.do(JoinOrWait, { roomId: first }));
        await meanwhile;
        return page;
      },
    };
    const waitlist = createWaitlist({
      dynamo: racing,
      timestamps: createTimestamps(),
      userMutex: createKeyedMutex(),
      seatsMutex: createKeyedMutex(),
    });
    const waiting = waitlist.wait({ user: chi.id, room: rawId(second) });
    await expect(waiting).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await waits(chi)).toHaveLength(WAITS_MAX);
  });
});
