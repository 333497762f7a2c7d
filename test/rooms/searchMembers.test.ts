/** Members are found by the beginning of their handle, and their entries follow it. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import {
  AddMember,
  BanMember,
  JoinRoom,
  LeaveRoom,
  RemoveMember,
  UpdateProfile,
} from '../support/clients/operations.ts';
import { globalId, newUser, type Person, people, rawId, roomOf } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import {
  asOfEarlierRelease,
  conversionOf,
  foundIn,
  renameByEarlierRelease,
  SearchMembers,
} from '../users/support/search.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const unique = () => `p${newId().slice(0, 8)}`;
const rename = (person: Person, handle: string | null) => person.do(UpdateProfile, { input: { handle } });

async function named(handle: string): Promise<Person> {
  const user = await newUser(app);
  await rename(user, handle);
  return { ...user, handle };
}

describe('Room.searchMembers', () => {
  test('finds members by the beginning of their handle, in its order, for members only', async () => {
    const prefix = unique();
    const [aki, ben, chi] = [await named(`${prefix}a`), await named(`${prefix}b`), await named(`${prefix}c`)];
    const roomId = await roomOf(aki, [ben]);
    expect(await foundIn(ben, roomId, prefix.toUpperCase())).toEqual([`${prefix}a`, `${prefix}b`]);
    expect(await foundIn(aki, roomId, `${prefix}b`)).toEqual([`${prefix}b`]);
    expect(await chi.refused(SearchMembers, { roomId, prefix })).toBe('FORBIDDEN');
    expect(await aki.refused(SearchMembers, { roomId, prefix: '' })).toBe('BAD_USER_INPUT');
    const hidden = await roomOf(aki, [], { visibility: 'PRIVATE' });
    expect(await foundIn(chi, hidden, prefix)).toBeUndefined();
    const { room } = await aki.do(SearchMembers, { roomId, prefix });
    expect(room?.searchMembers.edges.map(({ node }) => [node.role, node.unreadCount])).toEqual([
      ['OWNER', 0],
      ['MEMBER', null],
    ]);
  });

  test('does not find users who left, were removed or were banned, and finds them when they return', async () => {
    const prefix = unique();
    const [aki] = await people(app, 1);
    const crowd = [await named(`${prefix}a`), await named(`${prefix}b`), await named(`${prefix}c`)] as const;
    const [left, removed, banned] = crowd;
    const roomId = await roomOf(aki, crowd);
    expect(await foundIn(aki, roomId, prefix)).toEqual(crowd.map(({ handle }) => handle));
    await left.do(LeaveRoom, { roomId });
    await aki.do(RemoveMember, { roomId, userId: globalId(removed) });
    await aki.do(BanMember, { roomId, userId: globalId(banned) });
    expect(await foundIn(aki, roomId, prefix)).toEqual([]);
    await left.do(JoinRoom, { roomId });
    await aki.do(AddMember, { roomId, userId: globalId(removed) });
    expect(await foundIn(aki, roomId, prefix)).toEqual([left.handle, removed.handle]);
  });

  test('a changed handle is found in all rooms of the user, and the one before it in none', async () => {
    const prefix = unique();
    const [aki] = await people(app, 1);
    const ben = await named(`${prefix}old`);
    const rooms = await Promise.all(Array.from({ length: 27 }, () => roomOf(aki)));
    for (const roomId of rooms) await ben.do(JoinRoom, { roomId });
    await rename(ben, `${prefix}new`);
    // Until the entry has followed, the member is not found by a handle that they do not have.
    expect(await foundIn(aki, rooms[0] ?? '', `${prefix}old`)).toEqual([]);
    await app.quiet();
    for (const roomId of rooms) expect(await foundIn(aki, roomId, prefix)).toEqual([`${prefix}new`]);
    await rename(ben, null);
    await app.quiet();
    for (const roomId of rooms) expect(await foundIn(aki, roomId, prefix)).toEqual([]);
  });

  test('pages have 50 members at most in all', async () => {
    const prefix = unique();
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const crowd = await Promise.all(Array.from({ length: 52 }, (_, i) => named(`${prefix}${i + 10}`)));
    for (const { id } of crowd) await app.services.rooms.join(id, rawId(roomId));
    const first = (await aki.do(SearchMembers, { roomId, prefix, first: 45 })).room?.searchMembers;
    const after = first?.pageInfo.endCursor ?? null;
    const second = (await aki.do(SearchMembers, { roomId, prefix, first: 45, after })).room?.searchMembers;
    expect([first?.edges.length, second?.edges.length, second?.pageInfo.hasNextPage]).toEqual([45, 5, false]);
  });
});

describe('a table of the release before', () => {
  test('its members are found after the conversion, and users that its servers let in or rename', async () => {
    const prefix = unique();
    const aki = await named(`${prefix}a`);
    const roomId = await roomOf(aki);
    const room = rawId(roomId);
    await asOfEarlierRelease(app.dynamo, aki, [room]);
    await app.dynamo.remove(keys.conversion('handles'));
    await conversionOf(app.dynamo).upkeep();
    await app.quiet();
    expect(await foundIn(aki, roomId, prefix)).toEqual([aki.handle]);

    const ben = await named(`${prefix}b`);
    await ben.do(JoinRoom, { roomId });
    const item = await app.dynamo.get(keys.member(room, ben.id));
    await ben.do(LeaveRoom, { roomId });
    const { handleRev: _rev, gsi1pk: _pk, gsi1sk: _sk, ...earlier } = item ?? {};
    await app.dynamo.put({ ...keys.member(room, ben.id), ...earlier });
    await app.quiet();
    expect(await foundIn(aki, roomId, prefix)).toEqual([aki.handle, ben.handle]);

    await renameByEarlierRelease(app.dynamo, aki, `${prefix}c`);
    await app.quiet();
    expect(await foundIn(aki, roomId, prefix)).toEqual([ben.handle, `${prefix}c`]);
  });
});

const { numRuns, timeout, within } = budget({ runs: 12, seconds: 4 });
const USERS = 4;
const ROOMS = 3;

/** What one user does next; several users do it at the same time. */
const step = fc.record({
  user: fc.nat(USERS - 1),
  room: fc.nat(ROOMS - 1),
  /** A number: the ending of a handle that several want. Null: no handle. */
  does: fc.oneof(fc.constant('join'), fc.constant('leave'), fc.nat(2), fc.constant(null)),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two users who join a room, and then get handles: at least they are found. */
const FOUND: Array<Array<Step>> = [
  [
    { user: 0, room: 0, does: 'join' },
    { user: 1, room: 0, does: 'join' },
  ],
  [
    { user: 0, room: 0, does: 0 },
    { user: 1, room: 0, does: 1 },
  ],
];

test(`search: finds exactly the members who have such a handle, after any moves at once (seed ${seed})`, {
  timeout,
}, async () => {
  let foundCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 6 }),
      within(async (rounds) => {
        const prefix = unique();
        const { services, dynamo } = app;
        const users = await people(app, USERS);
        const [aki] = await people(app, 1);
        const rooms = await Promise.all(Array.from({ length: ROOMS }, () => roomOf(aki)));
        for (const user of users) await services.users.ensure({ sub: user.handle });
        for (const round of rounds) {
          // Some are refused: the handle is taken, or they are in the room already.
          await Promise.allSettled(
            round.map(({ user: i, room: j, does }) => {
              const [{ id } = aki, room = ''] = [users[i], rawId(rooms[j] ?? '')];
              if (does === 'join') return services.rooms.join(id, room);
              if (does === 'leave') return services.rooms.leave(id, room);
              return services.users.update(id, { handle: does === null ? null : `${prefix}${does}` });
            }),
          );
          // Only what is true is found, however late the entries are.
          for (const roomId of rooms) {
            for (const handle of (await foundIn(aki, roomId, prefix)) ?? []) {
              expect(handle?.startsWith(prefix)).toBe(true);
            }
          }
        }
        await app.quiet();
        const profiles = await dynamo.batchGet(users.map(({ id }) => keys.user(id)));
        const handles = profiles.map((item) => (item?.handle as string | undefined) ?? '');
        for (const roomId of rooms) {
          const members = await dynamo.batchGet(users.map(({ id }) => keys.member(rawId(roomId), id)));
          const expected = handles.filter((one, i) => members[i] !== undefined && one.startsWith(prefix));
          expect(await foundIn(aki, roomId, prefix)).toEqual(expected.sort());
          foundCount += expected.length;
        }
      }),
    ),
    { numRuns, endOnFailure: true, examples: [[FOUND]] },
  );
  expect(foundCount).toBeGreaterThan(0);
});
