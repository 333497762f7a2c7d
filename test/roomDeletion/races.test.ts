/** What happens to a room at the moment of its deletion is done before it, or refused. Nothing of it comes back. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { TsudoiError } from '../../src/core/errors.ts';
import { keyOf, keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import { verify } from '../../src/verify/verify.ts';
import { newUser } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { createFullRoom, remainsOf } from './support/room.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

type Room = Awaited<ReturnType<typeof createFullRoom>>;
type Action = (room: Room, stranger: string) => Promise<unknown>;

const actions: Readonly<Record<string, Action>> = {
  send: ({ ben, room }) => app.services.messages.send({ room, author: ben.id, body: 'Now' }),
  sendWithKey: ({ ben, room }) =>
    app.services.messages.send({ room, author: ben.id, body: 'Now', idempotencyKey: 'the key' }),
  reply: ({ ben, room, root }) =>
    app.services.messages.send({ room, author: ben.id, body: 'Now', replyTo: root }),
  edit: ({ ben, reply }) => app.services.messages.edit(ben.id, reply, 'Edited'),
  remove: ({ aki, reply }) => app.services.messages.remove(aki.id, reply),
  like: ({ aki, reply }) => app.services.likes.add(aki.id, reply),
  unlike: ({ ben, root }) => app.services.likes.remove(ben.id, root),
  stamp: ({ ben, root }) => app.services.stamps.add(ben.id, root, 'heart'),
  follow: ({ ben, root }) => app.services.following.follow(ben.id, root, true),
  read: ({ ben, room }) => app.services.readPositions.markRead(ben.id, room),
  mute: ({ ben, room }) => app.services.readPositions.mute(ben.id, room, true),
  join: ({ room }, stranger) => app.services.rooms.join(stranger, room),
  wait: ({ room }, stranger) => app.services.rooms.joinOrWait(stranger, room),
  stopWaiting: ({ eri, room }) => app.services.rooms.leave(eri.id, room),
  accept: ({ code }, stranger) => app.services.rooms.joinWithInvite(stranger, code),
  invite: ({ aki, room }) =>
    app.services.rooms.createInvite({ by: aki.id, room, seconds: 60, maxUses: null }),
  add: ({ aki, room }, user) => app.services.rooms.add({ by: aki.id, room, user }),
  removeMember: ({ aki, ben, room }) => app.services.rooms.remove({ by: aki.id, room, user: ben.id }),
  ban: ({ aki, ben, room }) => app.services.rooms.ban({ by: aki.id, room, user: ben.id }),
  leave: ({ ben, room }) => app.services.rooms.leave(ben.id, room),
  leaveAsOwner: ({ aki, room }) => app.services.rooms.leave(aki.id, room),
  promote: ({ aki, ben, room }) => app.services.rooms.setRole({ by: aki.id, room, user: ben.id }, 'OWNER'),
  rename: ({ aki, room }) => app.services.rooms.update(aki.id, room, { name: 'Other' }),
  enlarge: ({ aki, room }) => app.services.rooms.update(aki.id, room, { capacity: 50 }),
  deleteAgain: ({ aki, room }) => app.services.roomDeletion.deleteRoom(aki.id, room),
};

const EXPECTED = [
  ...['NOT_FOUND', 'FORBIDDEN', 'ROOM_FULL', 'ALREADY_MEMBER'],
  // Of a last owner before the deletion, and of a message that was deleted before.
  'CONFLICT',
];

/** An owner of the room. If Ben was removed before Aki left, there is no one in it, and who joins becomes its owner. */
async function ownerOf(room: string): Promise<string> {
  // Those who wait get the free seats.
  await app.quiet();
  const { items } = await app.dynamo.query(ranges.members(room), { limit: 100 });
  const [owner] = items.flatMap((item) => {
    const key = parseKey(keyOf(item));
    return key.type === 'member' && item.role === 'OWNER' ? [key.user] : [];
  });
  if (owner !== undefined) return owner;
  const { id, handle } = await newUser(app);
  await app.services.users.ensure({ sub: handle, handle });
  await app.services.rooms.join(id, room);
  return id;
}

async function race(chosen: readonly string[]): Promise<void> {
  const room = await createFullRoom(app);
  const strangers = await Promise.all(chosen.map(() => newUser(app)));
  for (const { handle } of strangers) await app.services.users.ensure({ sub: handle, handle });
  const { deleteRoom } = app.services.roomDeletion;
  const [deletion, results] = await Promise.all([
    deleteRoom(room.aki.id, room.room).catch((error: unknown) => error),
    Promise.allSettled(chosen.map((name, i) => actions[name]?.(room, strangers[i]?.id ?? ''))),
  ]);
  if (deletion !== undefined) {
    // Another deletion was faster, or Aki had left.
    expect(['NOT_FOUND', 'FORBIDDEN']).toContain((deletion as TsudoiError).code);
    if ((deletion as TsudoiError).code === 'FORBIDDEN') await deleteRoom(await ownerOf(room.room), room.room);
  }
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') continue;
    expect(result.reason, chosen[i]).toBeInstanceOf(TsudoiError);
    expect(EXPECTED, chosen[i]).toContain((result.reason as TsudoiError).code);
  }
  await eventually(async () => expect(await remainsOf(app, room.room)).toEqual([]));
  await app.quiet();
  expect(await remainsOf(app, room.room)).toEqual([]);
  const { differences } = await verify({ dynamo: app.dynamo, counters, fix: false });
  expect(differences).toEqual([]);
  for (const { id } of [room.aki, room.ben, ...strangers]) {
    expect(await app.dynamo.get(keys.user(id))).toMatchObject({ rooms: 0 });
  }
}

const { numRuns, timeout, within } = budget({ runs: 15, seconds: 6 });

test('deleteRoom: with anything else at the same moment', { timeout }, async () => {
  const chosen = fc.array(fc.constantFrom(...Object.keys(actions)), { minLength: 1, maxLength: 12 });
  await fc.assert(fc.asyncProperty(chosen, within(race)), { numRuns });
});

test('deleteRoom: of a room that all members have left, by the one who joins it', async () => {
  const room = await createFullRoom(app);
  const { aki, ben } = room;
  await app.services.rooms.leave(room.eri.id, room.room);
  await app.services.rooms.leave(ben.id, room.room);
  await app.services.rooms.leave(aki.id, room.room);
  const code = await app.services.roomDeletion
    .deleteRoom(aki.id, room.room)
    .catch((error: TsudoiError) => error.code);
  expect(code).toBe('FORBIDDEN');
  await app.services.roomDeletion.deleteRoom(await ownerOf(room.room), room.room);
  await eventually(async () => expect(await remainsOf(app, room.room)).toEqual([]));
});

test('deleteRoom: with everything else at the same moment', () => race(Object.keys(actions)));
