import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandServices } from '../../src/app/commandServices.ts';
import { userIdOf } from '../../src/core/identity.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { identitiesOf } from '../../src/import/identities.ts';
import type { Plan } from '../../src/import/import.ts';
import { NotImportable } from '../../src/import/problems.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { recount } from '../verify/support/recount.ts';
import { exported, fileOf } from './support/files.ts';
import { importText, type RowsOptions } from './support/rows.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database?.stop());

const importFlat = (text: string, options?: RowsOptions, name = 'flat.csv'): Promise<Plan> =>
  importText(database.dynamo, text, options, name);

async function problemsOf(run: Promise<unknown>): Promise<readonly string[]> {
  const error = await run.catch((reason: unknown) => reason);
  if (!(error instanceof NotImportable)) throw error;
  return error.problems.map(({ place, message }) => `${place}: ${message}`);
}

const HEADER = 'id,roomId,createdAt,userId,text,replyToId,deletedAt';
const csv = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n');

interface Line {
  readonly [field: string]: unknown;
  readonly body: string | null;
  readonly replies: readonly Line[];
}

async function threadsOf(room: string): Promise<readonly Line[]> {
  const lines = (await exported(database.dynamo, room)).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'thread');
}

test('flat form: becomes threads in the order of their times, once', async () => {
  const text = csv(
    'm2,general,2026-01-31T12:00:01.5+00:00,u2,"Hello,',
    'all",m1,',
    'm1,general,2026-01-31T12:00:00Z,u1,Good morning,,',
    'm3,general,2026-01-31T12:00:02Z,u1,To you,m2,',
    'm4,general,2026-01-31T11:00:00Z,u3@example.org,,,2026-01-31T12:09:00Z',
    'm5,general,2026-01-31T11:00:00Z,u1,At the same time,,',
  );
  const people = await fileOf('id,displayName,handle,subject\nu1,Una,una,sub-of-una\n', 'people.csv');
  const options = { people, create: 'PUBLIC' } as const;
  expect(await importFlat(text, options)).toMatchObject({ newRooms: 1, people: 3, newMessages: 5 });
  const { room, person } = identitiesOf('flat');
  const threads = await threadsOf(room('general'));
  expect(threads.map(({ body, position, createdAt }) => [body, position, createdAt])).toEqual([
    [null, 1, '2026-01-31T11:00:00.000000Z'],
    ['At the same time', 2, '2026-01-31T11:00:00.000001Z'],
    ['Good morning', 3, '2026-01-31T12:00:00.000000Z'],
  ]);
  const [, , last] = threads;
  expect(last?.replies.map(({ body }) => body)).toEqual(['Hello,\nall', 'To you']);
  expect(last?.replies[1]?.inReplyTo).toBe(last?.replies[0]?.id);
  expect(last?.author).toEqual({
    id: encodeId('User', userIdOf('sub-of-una')),
    handle: 'una',
    displayName: 'Una',
  });
  // A name shows no e-mail address.
  expect(threads[0]?.author).toMatchObject({ displayName: 'u3', handle: null });

  const before = await dump(database.dynamo);
  expect(await importFlat(text, options)).toMatchObject({ newRooms: 0, newMessages: 0 });
  expect(await dump(database.dynamo)).toEqual(
    new Map([...before, ...[...(await dump(database.dynamo))].filter(([key]) => key.startsWith('STREAM#'))]),
  );
  expect(await recount(database.dynamo)).toEqual([]);
  expect(await database.dynamo.get(keys.user(person('u2')))).toMatchObject({ externalId: 'import:flat:u2' });
  expect(await database.dynamo.get(keys.room(room('general')))).toMatchObject({
    externalId: 'import:flat:general',
  });

  // The person signs in: the profile is theirs, and follows the token.
  const { users, messages } = createCommandServices(database.dynamo, silent);
  const una = await users.ensure({ sub: 'sub-of-una', name: 'Una Real', handle: 'una', issuedAt: 5 });
  expect(await database.dynamo.get(keys.user(una))).toMatchObject({ displayName: 'Una Real', handle: 'una' });
  // They are a member, and what was imported is as other messages are.
  const { nodes } = await messages.roots(room('general'), {
    limit: 1,
    direction: 'backward',
    from: undefined,
  });
  const [replyTo] = nodes;
  if (replyTo === undefined) throw new Error('There is no root.');
  const sent = await messages.send({ room: room('general'), author: una, body: 'Here I am', replyTo });
  expect(sent.author).toBe(una);
});

test('flat form: later messages of the same source are added, and only once', async () => {
  const first = 'm1,more,2026-01-31T12:00:00Z,u1,One,,';
  await importFlat(csv(first), { create: 'PRIVATE' });
  const second = csv(
    first,
    'm0,more,2026-01-31T12:00:00Z,u1,Also then,,',
    'm2,more,2026-02-01T12:00:00Z,u2,Two,m1,',
  );
  expect(await problemsOf(importFlat(second, { create: 'PRIVATE' }))).toEqual([
    'flat.csv:2: The room has members, and these 2 messages would be unread for them. Add --unread if that is meant.',
  ]);
  const options = { create: 'PRIVATE', unread: true } as const;
  expect(await importFlat(second, options)).toMatchObject({ newMessages: 2 });
  expect(await importFlat(second, options)).toMatchObject({ newMessages: 0 });
  const threads = await threadsOf(identitiesOf('flat').room('more'));
  expect(threads.map(({ body, replies }) => [body, replies.length])).toEqual([
    ['One', 1],
    ['Also then', 0],
  ]);
  expect(await recount(database.dynamo)).toEqual([]);
});

test('flat form: messages of one moment are found again in any order', async () => {
  const at = '2026-01-31T12:00:00Z';
  const root = (id: string) => `${id},ties,${at},u1,${id},,`;
  const reply = (id: string) => `${id},ties,${at},u1,${id},a,`;
  const options = { create: 'PRIVATE', unread: true } as const;
  const first = csv(root('a'), root('b'), reply('x'), reply('y'));
  expect(await importFlat(first, options)).toMatchObject({ newMessages: 4 });
  // As a database without an order writes them the next day, with two more.
  const second = csv(reply('z'), reply('y'), reply('x'), root('c'), root('b'), root('a'));
  expect(await importFlat(second, options)).toMatchObject({ newMessages: 2 });
  expect(await importFlat(second, options)).toMatchObject({ newMessages: 0 });
  expect(await importFlat(first, options)).toMatchObject({ newMessages: 0 });
  const threads = await threadsOf(identitiesOf('flat').room('ties'));
  expect(threads.map(({ body, replies }) => [body, replies.map((one) => one.body)])).toEqual([
    ['a', ['x', 'y', 'z']],
    ['b', []],
    ['c', []],
  ]);
  expect(await recount(database.dynamo)).toEqual([]);
});

test('flat form: rooms by a file, without ids, as NDJSON', async () => {
  const people = await fileOf('{"id":"p1","displayName":"Pia"}\n{"id":"p2"}\n', 'people.ndjson');
  const rooms = await fileOf('id,name,visibility,owner,members\nr1,The Room,PUBLIC,p2,p1;p2\n', 'rooms.csv');
  const row = { roomId: 'r1', createdAt: '2026-01-31T12:00:00Z', userId: 'p1', text: 'Same' };
  const text = [row, row, { ...row, userId: 'p2' }].map((one) => JSON.stringify(one)).join('\n');
  const options = { people, rooms };
  expect(await importFlat(text, options, 'flat.ndjson')).toMatchObject({ newMessages: 3 });
  expect(await importFlat(text, options, 'flat.ndjson')).toMatchObject({ newMessages: 0 });
  const { room, person } = identitiesOf('flat');
  expect(await threadsOf(room('r1'))).toHaveLength(3);
  expect(await database.dynamo.get(keys.room(room('r1')))).toMatchObject({ name: 'The Room' });
  expect(await database.dynamo.get(keys.member(room('r1'), person('p2')))).toMatchObject({ role: 'OWNER' });
  // The API's id of a room that exists.
  const byId = JSON.stringify({ ...row, roomId: encodeId('Room', room('r1')), text: 'More' });
  expect(await importFlat(byId, { people, unread: true }, 'flat.ndjson')).toMatchObject({ newMessages: 1 });
  expect(await recount(database.dynamo)).toEqual([]);
});

test('flat form: a room without a time and messages is as old as the import', async () => {
  const people = await fileOf('{"id":"p3"}\n', 'people.ndjson');
  const rooms = await fileOf('{"id":"crew","members":["p3"]}\n{"id":"void"}\n', 'rooms.ndjson');
  const from = toTimestamp(Date.now() * 1_000);
  expect(await importFlat('', { people, rooms }, 'flat.ndjson')).toMatchObject({ newRooms: 2 });
  const to = toTimestamp(Date.now() * 1_000);
  const { room, person } = identitiesOf('flat');
  const createdAt = async (id: string) =>
    (await database.dynamo.get(keys.room(room(id))))?.createdAt as string;
  for (const time of [await createdAt('crew'), await createdAt('void')]) {
    expect(time >= from && time <= to, time).toBe(true);
  }
  const member = await database.dynamo.get(keys.member(room('crew'), person('p3')));
  expect(member?.joinedAt).toBe(await createdAt('crew'));
});

test('flat form: lists by line what is wrong, and writes nothing', async () => {
  const before = await dump(database.dynamo);
  const good = { id: 'a', roomId: 'r', createdAt: '2020-01-31T12:00:00Z', userId: 'u', text: 'x' };
  const bad = [
    { ...good, createdAt: '2999-01-31T12:00:00Z' },
    { ...good, createdAt: '2020-02-30T12:00:00Z' },
    { ...good, text: '' },
    { ...good, text: 'x'.repeat(4_001) },
    { ...good, text: 'x', userId: '' },
    { ...good, replyTo: 'a' },
    { ...good, replyToId: 'zz' },
    { ...good, id: 'b', replyToId: 'c' },
    { ...good, id: 'c', replyToId: 'b' },
    { ...good, roomId: undefined },
  ];
  const text = [...bad.map((one) => JSON.stringify(one)), 'nonsense'].join('\n');
  expect(await problemsOf(importFlat(text, { create: 'PUBLIC' }, 'f.ndjson'))).toEqual([
    'f.ndjson:1: `createdAt` must not be in the future.',
    'f.ndjson:2: `createdAt` must be a time such as 2026-01-31T12:00:00Z, from 1970 on.',
    'f.ndjson:3: `text` must have at least one visible character.',
    'f.ndjson:4: `text` must have at most 4000 characters.',
    'f.ndjson:5: `userId` must not be empty.',
    'f.ndjson:6: It has a field that is not known: `replyTo`.',
    'f.ndjson:10: `roomId` is missing.',
    'f.ndjson:11: It is not JSON.',
    'f.ndjson:7: It answers "zz", which is not a message of its room in this input.',
    'f.ndjson:8: It answers a message that answers it.',
    'f.ndjson:9: It answers a message that answers it.',
  ]);
  const unknown = csv('a,nowhere,2020-01-31T12:00:00Z,nobody,x,,', 'b,general,2020-01-31T12:00:00Z,nobody,x');
  expect((await problemsOf(importFlat(unknown))).toSorted()).toEqual([
    'flat.csv:2: The room "nowhere" is not known. Name it in a file for --rooms, or add --create.',
    'flat.csv:3: The row and the first line must have the same number of values.',
  ]);
  const stranger = csv('a,general,2020-01-31T12:00:00Z,nobody,x,,');
  expect(await problemsOf(importFlat(stranger))).toEqual([
    'flat.csv:2: The person "nobody" is not known. Name them in a file for --people, or add --create.',
  ]);
  expect(await dump(database.dynamo)).toEqual(before);
});

test('flat: a person with two ids of the other system is one member', async () => {
  const people = await fileOf('id,subject\nold,sub-of-two\nnew,sub-of-two\n', 'people.csv');
  const rooms = await fileOf('id,owner,members\ntwo,old,old;new\n', 'rooms.csv');
  const messages = csv('m1,two,2024-01-01T00:00:00Z,old,One,,', 'm2,two,2024-01-01T00:00:01Z,new,Two,,');
  await importFlat(messages, { people, rooms });
  const room = identitiesOf('flat').room('two');
  const { dynamo } = database;
  expect(await dynamo.get(keys.seats(room))).toMatchObject({ taken: 1, owners: 1 });
  expect(await dynamo.get(keys.member(room, userIdOf('sub-of-two')))).toMatchObject({ role: 'OWNER' });
  expect(await recount(dynamo)).toEqual([]);
});
