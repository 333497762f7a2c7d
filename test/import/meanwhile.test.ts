/** What others do in a room while it is imported. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCommandServices } from '../../src/app/commandServices.ts';
import { userIdOf } from '../../src/core/identity.ts';
import { createTimestamps, toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keyOf, keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import { discardImport } from '../../src/import/discard.ts';
import { identitiesOf } from '../../src/import/identities.ts';
import { ImportStopped, NotImportable } from '../../src/import/problems.ts';
import { endJob, jobOf } from '../../src/jobs/job.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createDeletionJob, deletionJobId } from '../../src/roomDeletion/deletionJob.ts';
import { createRoomDeletion } from '../../src/roomDeletion/roomDeletion.ts';
import { seatsOf } from '../../src/rooms/room.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
import { remainsOf } from '../roomDeletion/support/room.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { recount } from '../verify/support/recount.ts';
import { beforeWrite } from './support/beforeWrite.ts';
import { exported, fileOf, importExport } from './support/files.ts';
import { make } from './support/rooms.ts';
import { importInto, messagesIn, type RowsOptions } from './support/rows.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database?.stop());

const { room: roomId, person } = identitiesOf('flat');
const services = () => createCommandServices(database.dynamo, silent);
const seatsIn = async (room: string) => seatsOf((await database.dynamo.get(keys.seats(room))) ?? {});

const importRows = (rows: readonly object[], options?: RowsOptions, dynamo = database.dynamo) =>
  importInto(dynamo, rows, options);

/** Deletes the room, up to the job. */
async function deleteRoom(owner: string, room: string, dynamo = database.dynamo): Promise<void> {
  const publisher = {
    publish: async () => {},
    resync: () => {},
    settled: async () => {},
    stop: async () => {},
  };
  await createRoomDeletion({ dynamo, publisher, timestamps: createTimestamps(), now: Date.now }).deleteRoom(
    owner,
    room,
  );
}

async function endDeletion(room: string, dynamo = database.dynamo): Promise<void> {
  const job = createDeletionJob({ dynamo, timestamps: createTimestamps(), now: Date.now });
  for (let cursor: string | null = 'members'; cursor !== null; ) {
    const next = await job.step({ room }, cursor);
    cursor = typeof next === 'string' || next === null ? next : next.cursor;
  }
  await dynamo.remove(keys.job(deletionJobId(room)));
}

const before = (when: (names: readonly string[]) => boolean, call: () => Promise<unknown>): Dynamo =>
  beforeWrite(database.dynamo, when, call);

/** Imports the room up to its first members. */
async function importPart(rows: readonly object[], options: RowsOptions): Promise<void> {
  const killed = before(
    (names) => names.join() === 'state,seats,members',
    () => Promise.reject(new Error('Killed')),
  );
  await expect(importRows(rows, options, killed)).rejects.toThrow('Killed');
}

describe('a room that is deleted', () => {
  test('is not imported before the rest of it is gone', async () => {
    const rows = messagesIn('again', 4);
    await importRows(rows, { create: 'PUBLIC' });
    const room = roomId('again');
    await deleteRoom(person('u1'), room);
    const error = await importRows(rows, { create: 'PUBLIC' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotImportable);
    expect(String(error)).toContain('its content is still being removed');
    await endDeletion(room);
    expect(await importRows(rows, { create: 'PUBLIC' })).toMatchObject({ newRooms: 1, newMessages: 4 });
    expect(await recount(database.dynamo)).toEqual([]);
  });

  test('whose content could not be removed is emptied by giving it up, and can be imported again', async () => {
    const { dynamo } = database;
    const rows = messagesIn('failed', 4);
    await importRows(rows, { create: 'PUBLIC' });
    const room = roomId('failed');
    await deleteRoom(person('u1'), room);
    const id = deletionJobId(room);
    const stored = await dynamo.get(keys.job(id));
    if (stored === undefined) throw new Error('There is no job.');
    const now = Date.now();
    await dynamo.transact([endJob(jobOf({ id }, stored), 'CANCELLED', now)]);
    const problem = 'removing its content has failed or was cancelled.';
    await expect(importRows(rows, { create: 'PUBLIC' })).rejects.toThrow(problem);
    expect(await discardImport({ dynamo, room, now: Date.now })).toBe('REMOVED');
    expect(await remainsOf(database, room)).toEqual([expect.stringContaining(id)]);
    // A server may have begun it: it ends there.
    const job = jobOf({ id }, (await dynamo.get(keys.job(id))) ?? {});
    expect(job.state).toBe('QUEUED');
    await expect(importRows(rows, { create: 'PUBLIC' })).rejects.toThrow('still being removed');
    await endDeletion(room);
    expect(await importRows(rows, { create: 'PUBLIC' })).toMatchObject({ newRooms: 1, newMessages: 4 });
    expect(await discardImport({ dynamo, room, now: Date.now })).toBe('NONE');
    expect(await recount(dynamo)).toEqual([]);
  });

  test('whose members were not all in, is emptied by giving it up once its deletion was cancelled', async () => {
    const { dynamo } = database;
    const rows = messagesIn('cancelled', 30).map((row, i) => ({ ...row, userId: `maker${i}` }));
    await importPart(rows, { create: 'PUBLIC' });
    const room = roomId('cancelled');
    const id = deletionJobId(room);
    await deleteRoom(await ownerOf(dynamo, room), room);
    const stored = (await dynamo.get(keys.job(id))) ?? {};
    await dynamo.transact([endJob(jobOf({ id }, stored), 'CANCELLED', Date.now())]);
    expect(await discardImport({ dynamo, room, now: Date.now })).toBe('REMOVED');
    expect(await remainsOf(database, room)).toEqual([expect.stringContaining(id)]);
    await endDeletion(room);
    expect(await discardImport({ dynamo, room, now: Date.now })).toBe('NONE');
    expect(await importRows(rows, { create: 'PUBLIC' })).toMatchObject({ newRooms: 1, newMessages: 30 });
    expect(await recount(dynamo)).toEqual([]);
  });

  test('while messages are added to it, gets no more of them', async () => {
    await importRows(messagesIn('living', 2), { create: 'PUBLIC' });
    const room = roomId('living');
    let writes = 0;
    const dynamo = before(
      // Some are written, and the job has looked for all that is there.
      (names) => names.length === 0 && ++writes > 2,
      async () => {
        await deleteRoom(person('u1'), room);
        await endDeletion(room);
      },
    );
    const rows = messagesIn('living', 30);
    await expect(importRows(rows, { create: 'PUBLIC', unread: true }, dynamo)).rejects.toThrow(ImportStopped);
    expect(await remainsOf(database, room)).toEqual([]);
    expect(await recount(database.dynamo)).toEqual([]);
  });
});

test('a room whose import was given up is not imported again while a server removes what was written', async () => {
  const { dynamo } = database;
  const rows = messagesIn('half', 300);
  // Some are written.
  let writes = 0;
  const killed = before(
    (names) => names.length === 0 && ++writes > 2,
    async () => {
      throw new Error('killed');
    },
  );
  await expect(importRows(rows, { create: 'PUBLIC' }, killed)).rejects.toThrow('killed');
  const room = roomId('half');
  const id = deletionJobId(room);
  // A server begins the job while the command removes the same.
  const shared: Dynamo = {
    ...dynamo,
    async remove(...request) {
      const job = jobOf({ id }, (await dynamo.get(keys.job(id))) ?? {});
      if (job.version === 1) await createJobs({ dynamo }).adopt(job);
      return dynamo.remove(...request);
    },
  };
  expect(await discardImport({ dynamo: shared, room, now: Date.now })).toBe('REMOVED');
  expect(await remainsOf(database, room)).toEqual([expect.stringContaining(id)]);
  await expect(importRows(rows, { create: 'PUBLIC' })).rejects.toThrow('still being removed');
  await endDeletion(room);
  expect(await importRows(rows, { create: 'PUBLIC' })).toMatchObject({ newRooms: 1, newMessages: 300 });
});

test('long replies to a thread that is there are added in parts of 250 write units', async () => {
  const name = 'long';
  const root = { id: 'm0', roomId: name, userId: 'u1', text: 'Hello', createdAt: '2024-01-01T00:00:00Z' };
  await importRows([root], { create: 'PUBLIC' });
  const parts: number[] = [];
  const { dynamo } = database;
  const measured: Dynamo = {
    ...dynamo,
    async tryTransact(writes, options) {
      const { puts = [] } = writes as { readonly puts?: ReadonlyArray<{ readonly put: object }> };
      const sizes = puts.map(({ put }) => Buffer.byteLength(JSON.stringify(put)));
      if (puts.length > 0) parts.push(sizes.reduce((sum, size) => sum + 2 * Math.ceil(size / 1024), 0));
      return dynamo.tryTransact(writes, options);
    },
  };
  const replies = Array.from({ length: 30 }, (_, i) => ({
    id: `r${i}`,
    roomId: name,
    userId: 'u1',
    replyToId: 'm0',
    text: 'あ'.repeat(4_000),
    createdAt: new Date(1_710_000_000_000 + i).toISOString(),
  }));
  await importRows([root, ...replies], { unread: true }, measured);
  expect(parts.filter((units) => units > 250)).toEqual([]);
  // 24 units and more for each.
  expect(parts.length).toBeLessThanOrEqual(4);
  expect(parts.reduce((sum, units) => sum + units, 0)).toBeGreaterThanOrEqual(30 * 24);
  expect(await recount(dynamo)).toEqual([]);
});

test('texts, stamps and likes of accounts that were deleted do not come back', async () => {
  const { dynamo } = database;
  const { room, people } = await make(
    dynamo,
    [
      { do: 'post', by: 0, body: 'A secret' },
      { do: 'post', by: 1, body: 'Hello' },
      { do: 'reply', by: 0, body: 'Another secret', to: 1 },
      { do: 'like', by: 0, to: 1 },
      { do: 'like', by: 2, to: 1 },
      { do: 'stamp', by: 0, to: 1, stamp: 'tea' },
    ],
    'PUBLIC',
  );
  const text = await exported(dynamo, room);
  const there = await openTestDynamo();
  onTestFinished(() => there.stop());
  await importExport(there.dynamo, text);
  const [former = ''] = people;
  const { rooms } = createCommandServices(there.dynamo, silent);
  await rooms.leave(former, room);
  await there.dynamo.update(keys.user(former), {
    update: 'SET deletedAt = :at',
    values: { ':at': toTimestamp(Date.now() * 1_000) },
  });
  await deleteRoom(await ownerOf(there.dynamo, room), room, there.dynamo);
  await endDeletion(room, there.dynamo);
  await importExport(there.dynamo, text);
  const lines = await exported(there.dynamo, room);
  expect(lines).not.toContain('secret');
  const [first, second] = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'thread');
  expect(first).toMatchObject({ body: null, deletedAt: expect.any(String) });
  expect(second).toMatchObject({ body: 'Hello', likeCount: 1, stamps: [], replies: [{ body: null }] });
  expect(await recount(there.dynamo)).toEqual([]);
});

async function ownerOf(dynamo: Dynamo, room: string): Promise<string> {
  const { items } = await dynamo.query(ranges.members(room), { limit: 100 });
  const owner = items.find(({ role }) => role === 'OWNER');
  const key = owner === undefined ? undefined : parseKey(keyOf(owner));
  return key?.type === 'member' ? key.user : '';
}

describe('an import that was killed when its room was there', () => {
  /** Whether the same input continues, at a later time. */
  async function expectContinues(room: string, rows: readonly object[], options: RowsOptions): Promise<void> {
    await importPart(rows, options);
    expect(await database.dynamo.get(keys.roomImport(room))).toMatchObject({ members: 23 });
    await importRows(rows, { ...options, now: Date.now() + 60_000 });
    expect(await database.dynamo.get(keys.roomImport(room))).toBeUndefined();
    expect(await seatsIn(room)).toMatchObject({ taken: 30, owners: 1 });
    expect(await recount(database.dynamo)).toEqual([]);
  }

  test('continues with members of a file that has no times', async () => {
    const members = Array.from({ length: 30 }, (_, i) => `timeless${i}`);
    const rooms = await fileOf(JSON.stringify({ id: 'timeless', members }), 'rooms.ndjson');
    const people = await fileOf(members.map((id) => JSON.stringify({ id })).join('\n'), 'people.ndjson');
    const rows = messagesIn('timeless', 3).map((row) => ({ ...row, userId: members[0] }));
    await expectContinues(roomId('timeless'), rows, { rooms, people });
  });

  test('continues with members who are in the maximum of rooms, of which this is one', async () => {
    const members = Array.from({ length: 30 }, (_, i) => `busy${i}`);
    const rooms = await fileOf(JSON.stringify({ id: 'busy', visibility: 'PUBLIC', members }), 'rooms.ndjson');
    const people = await fileOf(
      members.map((id) => JSON.stringify({ id, subject: `sub-${id}` })).join('\n'),
      'people.ndjson',
    );
    const rows = messagesIn('busy', 1).map((row) => ({ ...row, userId: members[0] }));
    const [own, joined, other] = [2, 25, 26].map((i) => userIdOf(`sub-busy${i}`)) as [string, string, string];
    const setRooms = (user: string, count: number) =>
      database.dynamo.update(keys.user(user), {
        update: 'SET rooms = :count',
        values: { ':count': count },
      });
    await importPart(rows, { rooms, people });
    // One is in by the import, and one has joined since.
    await services().rooms.join(joined, roomId('busy'));
    for (const user of [own, joined, other]) await setRooms(user, MAX_ROOMS);
    const problem = `${other}: This person would be in ${MAX_ROOMS + 1} rooms; the maximum is ${MAX_ROOMS}.`;
    expect(await importRows(rows, { rooms, people }).catch(String)).toBe(`NotImportable: ${problem}`);
    await setRooms(other, MAX_ROOMS - 1);
    await importRows(rows, { rooms, people });
    expect(await seatsIn(roomId('busy'))).toMatchObject({ taken: 30, owners: 1 });
    expect((await database.dynamo.get(keys.user(other)))?.rooms).toBe(MAX_ROOMS);
    for (const user of [own, joined, other]) await setRooms(user, 1);
    expect(await recount(database.dynamo)).toEqual([]);
  });

  test('continues with a room that was made because it was not known', async () => {
    const rows = messagesIn('made', 30).map((row, i) => ({ ...row, userId: `maker${i}` }));
    await expectContinues(roomId('made'), rows, { create: 'PUBLIC' });
  });
});

describe('a public room whose members are not all in', () => {
  /** Imports a room of sixty members, and calls back when it is there with the first of them. */
  async function importCrowd(name: string, call: (room: string) => Promise<unknown>) {
    const ids = Array.from({ length: 60 }, (_, i) => `${name}${i}`);
    const people = await fileOf(
      ids.map((id) => JSON.stringify({ id, subject: `sub-${id}` })).join('\n'),
      'people.ndjson',
    );
    const rooms = await fileOf(
      JSON.stringify({ id: name, visibility: 'PUBLIC', owner: ids[0], members: ids }),
      'rooms.ndjson',
    );
    const room = roomId(name);
    const isLaterChunk = (names: readonly string[]) => names.join() === 'state,seats,members';
    const rows = [{ roomId: name, createdAt: '2024-01-01T00:00:00Z', userId: ids[0], text: 'Hello' }];
    await importRows(
      rows,
      { people, rooms },
      before(isLaterChunk, () => call(room)),
    );
    expect(await database.dynamo.get(keys.roomImport(room))).toBeUndefined();
    expect(await recount(database.dynamo)).toEqual([]);
    return { room, user: (i: number) => userIdOf(`sub-${ids[i]}`) };
  }

  test('is complete although some of them have joined, and others were banned', async () => {
    const { room, user } = await importCrowd('joined', async (room) => {
      const { rooms } = services();
      await rooms.join(userIdOf('sub-joined50'), room);
      await rooms.ban({ by: userIdOf('sub-joined0'), room, user: userIdOf('sub-joined51') });
    });
    expect(await seatsIn(room)).toMatchObject({ taken: 59, owners: 1 });
    expect(await database.dynamo.get(keys.member(room, user(51)))).toBeUndefined();
  });

  test('has no more members than its capacity', async () => {
    const { room } = await importCrowd('small', (room) =>
      services().rooms.update(userIdOf('sub-small0'), room, { capacity: 30 }),
    );
    expect(await seatsIn(room)).toMatchObject({ taken: 30, owners: 1 });
  });
});
