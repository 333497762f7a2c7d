/** What happens to a user at the moment of their deletion is done before it, or refused. Nothing of them comes back. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { StartError, TsudoiError } from '../../src/core/errors.ts';
import { createKeyedMutex } from '../../src/core/keyedMutex.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createWaitlist } from '../../src/rooms/membership/waitlist.ts';
import { verify } from '../../src/verify/verify.ts';
import { createFullRoom } from '../roomDeletion/support/room.ts';
import { Me } from '../support/clients/operations.ts';
import { newUser } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { followsAndRecordsOf } from './support/remains.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

type Room = Awaited<ReturnType<typeof createFullRoom>> & {
  readonly stranger: string;
  readonly other: string;
  /** Its only seat is taken. */
  readonly busy: string;
};

/** Ben's account is deleted: he is a member, has liked and stamped, and wrote messages. */
const actions: Readonly<Record<string, (room: Room) => Promise<unknown>>> = {
  send: ({ ben, room }) => app.services.messages.send({ room, author: ben.id, body: 'Now' }),
  reply: ({ ben, room, root }) =>
    app.services.messages.send({ room, author: ben.id, body: 'Now', replyTo: root }),
  edit: ({ ben, reply }) => app.services.messages.edit(ben.id, reply, 'Edited'),
  like: ({ ben, root }) => app.services.likes.add(ben.id, root),
  unlike: ({ ben, root }) => app.services.likes.remove(ben.id, root),
  stamp: ({ ben, root }) => app.services.stamps.add(ben.id, root, 'heart'),
  rename: ({ ben }) => app.services.users.update(ben.id, { displayName: 'New name' }),
  rehandle: ({ ben }) => app.services.users.update(ben.id, { handle: `n${ben.id.slice(0, 8)}` }),
  create: ({ ben }) =>
    app.services.rooms.create(ben.id, { name: 'N', topic: null, visibility: 'PUBLIC', capacity: null }),
  join: ({ ben, other }) => app.services.rooms.joinOrWait(ben.id, other),
  wait: ({ ben, busy }) => app.services.rooms.joinOrWait(ben.id, busy),
  leave: ({ ben, room }) => app.services.rooms.leave(ben.id, room),
  likedByAnother: ({ aki, reply }) => app.services.likes.add(aki.id, reply),
  mentioned: ({ aki, ben, room }) =>
    app.services.messages.send({ room, author: aki.id, body: `Hello @${ben.handle}` }),
  added: ({ stranger, ben, other }) => app.services.rooms.add({ by: stranger, room: other, user: ben.id }),
  direct: ({ aki, ben }) => app.services.rooms.openDirect(aki.id, [ben.id]),
  removed: ({ aki, ben, room }) => app.services.rooms.remove({ by: aki.id, room, user: ben.id }),
  promoted: ({ aki, ben, room }) => app.services.rooms.setRole({ by: aki.id, room, user: ben.id }, 'OWNER'),
  ownerLeaves: ({ aki, room }) => app.services.rooms.leave(aki.id, room),
  roomDeleted: ({ aki, room }) => app.services.roomDeletion.deleteRoom(aki.id, room),
  ownerDeleted: ({ aki }) => app.services.accountDeletion.remove(aki.id, { eraseMessages: true }),
  again: ({ ben }) => app.services.accountDeletion.remove(ben.id, { eraseMessages: true }),
};

test('removeOrAgain: of two operators at once one deletes the account, and the other one learns by which job', async () => {
  const person = await newUser(app);
  await person.do(Me);
  const { removeOrAgain } = app.services.accountDeletion;
  const ended = await Promise.allSettled([0, 1].map(() => removeOrAgain(person.id, false)));
  const [job] = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [refusal] = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refusal).toEqual(
    new StartError(`The job ${job} still deletes what the account held. Try again when it has ended.`),
  );
});

const REFUSALS = [
  ...['NOT_FOUND', 'FORBIDDEN', 'ACCOUNT_DELETED', 'CONFLICT'],
  // Of an action that was chosen twice.
  ...['ALREADY_MEMBER', 'ROOM_FULL'],
];

async function race(chosen: readonly string[]): Promise<void> {
  const full = await createFullRoom(app);
  const stranger = await newUser(app);
  await app.services.users.ensure({ sub: stranger.handle, handle: stranger.handle });
  const { id: other } = await app.services.rooms.create(stranger.id, {
    name: 'Other',
    topic: null,
    visibility: 'PUBLIC',
    capacity: 2,
  });
  const { id: busy } = await app.services.rooms.create(stranger.id, {
    name: 'Busy',
    topic: null,
    visibility: 'PUBLIC',
    capacity: 1,
  });
  const room: Room = { ...full, stranger: stranger.id, other, busy };
  const { ben } = room;
  const [deletion, results] = await Promise.all([
    app.services.accountDeletion.remove(ben.id, { eraseMessages: true }).catch((error: unknown) => error),
    Promise.allSettled(chosen.map((name) => actions[name]?.(room))),
  ]);
  if (typeof deletion !== 'string') expect((deletion as TsudoiError).code).toBe('ACCOUNT_DELETED');
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') continue;
    expect(result.reason, chosen[i]).toBeInstanceOf(TsudoiError);
    expect(REFUSALS, chosen[i]).toContain((result.reason as TsudoiError).code);
  }
  await eventually(async () => {
    const texts: unknown[] = [];
    const left: string[] = [];
    for await (const item of app.dynamo.scan({})) {
      const key = `${item.pk} ${item.sk}`;
      if (item.author === ben.id && item.body !== undefined) texts.push(item);
      if (key.startsWith(`USER#${ben.id}`) && item.sk !== 'PROFILE') left.push(key);
      if (key.includes(`MEMBER#${ben.id}`)) left.push(key);
      if (key.includes(' WAIT#') && key.endsWith(ben.id)) left.push(key);
    }
    expect([texts, left]).toEqual([[], []]);
  });
  await app.quiet();
  expect(await followsAndRecordsOf(app.dynamo, ben.id)).toEqual([]);
  expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
  const profile = await app.dynamo.get(keys.user(ben.id));
  expect(profile).toMatchObject({ displayName: 'Former member', rooms: 0 });
  expect(profile).not.toHaveProperty('handle');
  const seats = await app.dynamo.get(keys.seats(room.room));
  if (seats !== undefined && Number(seats.taken) > 0) expect(Number(seats.owners)).toBeGreaterThan(0);
}

test('waitlist: not for a user who deletes their account while they join it', async () => {
  const stranger = await newUser(app);
  const ben = await newUser(app);
  for (const { handle } of [stranger, ben]) await app.services.users.ensure({ sub: handle, handle });
  const { id: room } = await app.services.rooms.create(stranger.id, {
    name: 'Busy',
    topic: null,
    visibility: 'PUBLIC',
    capacity: 1,
  });
  const { wait } = createWaitlist({
    dynamo: {
      ...app.dynamo,
      async tryTransact(...args) {
        await app.services.accountDeletion.remove(ben.id, { eraseMessages: false });
        return app.dynamo.tryTransact(...args);
      },
    },
    timestamps: createTimestamps(),
    userMutex: createKeyedMutex(),
    seatsMutex: createKeyedMutex(),
  });
  await expect(wait({ user: ben.id, room })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await app.dynamo.get(keys.seats(room))).toMatchObject({ waiting: 0 });
});

const { numRuns, timeout, within } = budget({ runs: 10, seconds: 6 });

test('deleteAccount: with anything else at the same moment', { timeout }, async () => {
  const chosen = fc.array(fc.constantFrom(...Object.keys(actions)), { minLength: 1, maxLength: 10 });
  await fc.assert(fc.asyncProperty(chosen, within(race)), { numRuns });
});

test('deleteAccount: with everything else at the same moment', () => race(Object.keys(actions)));
