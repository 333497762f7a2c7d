import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conflictReasons, errorCatalogue } from '../../src/core/errors.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
import { globalId, newUser, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { tokenFor } from '../support/clients/tokens.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

interface RawError {
  readonly message: string;
  readonly path?: readonly string[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Sends any document over HTTP. */
async function send(person: Person | undefined, query: string, variables: object = {}) {
  const token = person === undefined ? {} : { authorization: `Bearer ${await tokenFor(person.handle)}` };
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...token },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { data?: unknown; errors?: RawError[] };
  return { status: response.status, ...body };
}

/** Runs a mutation with this input, and returns why it is refused. */
async function reasonOf(person: Person, mutation: string, input: object): Promise<unknown> {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${mutation}(input: $input) { __typename } }`;
  const { errors } = await send(person, query, { input });
  const { code, reason } = errors?.[0]?.extensions ?? {};
  return code === 'CONFLICT' ? reason : code;
}

test.each([
  ['prefix', 'query ($value: String = "a") { searchUsers(prefix: $value) { edges { cursor } } }'],
  ['input', 'mutation ($value: ID = "a") { likeMessage(input: { messageId: $value }) { message { id } } }'],
  ['if', 'query ($value: Boolean = true) { viewer { id @include(if: $value) } }'],
  ['if', 'query ($value: Boolean = true) { viewer @include(if: $value) { id } }'],
])(
  'BAD_USER_INPUT: names the argument `%s` that a variable with a default leaves null: %s',
  async (field, query) => {
    const [aki] = await people(app, 1);
    const { errors } = await send(aki, query, { value: null });
    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      { code: 'BAD_USER_INPUT', field, fields: [{ field, message: errors?.[0]?.message }] },
    ]);
  },
);

test('CONFLICT: has a reason for each cause', async () => {
  const [aki, ben, cho] = await people(app, 3);
  const roomId = await roomOf(aki, [ben, cho]);
  const { id: root } = await say(aki, roomId, 'root');
  const { id: gone } = await say(aki, roomId, 'gone');
  const key = { idempotencyKey: 'k', roomId };

  expect(await reasonOf(aki, 'leaveRoom', { roomId })).toBe('LAST_OWNER');
  expect(await reasonOf(aki, 'setMemberRole', { roomId, userId: globalId(aki), role: 'MEMBER' })).toBe(
    'LAST_OWNER',
  );
  expect(await reasonOf(aki, 'updateRoom', { roomId, capacity: 2 })).toBe('CAPACITY_BELOW_MEMBERS');
  expect(await reasonOf(aki, 'banMember', { roomId, userId: globalId(cho) })).toBeUndefined();
  expect(await reasonOf(aki, 'addMember', { roomId, userId: globalId(cho) })).toBe('BANNED');
  expect(await reasonOf(aki, 'sendMessage', { ...key, body: 'one' })).toBeUndefined();
  expect(await reasonOf(aki, 'sendMessage', { ...key, body: 'two' })).toBe('KEY_REUSED');
  expect(await reasonOf(ben, 'addStamp', { messageId: root, stamp: 'thumbs-up' })).toBeUndefined();
  expect(await reasonOf(ben, 'addStamp', { messageId: root, stamp: 'thumbs-up' })).toBe('ALREADY_STAMPED');
  expect(await reasonOf(aki, 'deleteMessage', { messageId: gone })).toBeUndefined();
  expect(await reasonOf(aki, 'editMessage', { messageId: gone, body: 'new' })).toBe('DELETED');
  expect(await reasonOf(ben, 'likeMessage', { messageId: gone })).toBe('DELETED');
  expect(await reasonOf(ben, 'addStamp', { messageId: gone, stamp: 'thumbs-up' })).toBe('DELETED');
  expect(await reasonOf(ben, 'sendMessage', { roomId, replyTo: gone, body: 'reply' })).toBe('THREAD_CLOSED');
});

test('CONFLICT: says whether the viewer or another user is in too many rooms', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki);
  const [open, fill] = [
    (person: Person, other: Person) => reasonOf(person, 'openDirectRoom', { userIds: [globalId(other)] }),
    (person: Person, rooms: number) =>
      app.dynamo.update(keys.user(person.id), { update: 'SET rooms = :n', values: { ':n': rooms } }),
  ];
  await newUserRequest(ben);
  await fill(ben, MAX_ROOMS);
  expect(await reasonOf(aki, 'addMember', { roomId, userId: globalId(ben) })).toBe('USER_IN_TOO_MANY_ROOMS');
  expect(await open(aki, ben)).toBe('USER_IN_TOO_MANY_ROOMS');
  expect(await open(ben, aki)).toBe('TOO_MANY_ROOMS');
  expect(await reasonOf(ben, 'joinRoom', { roomId })).toBe('TOO_MANY_ROOMS');
  expect(await reasonOf(ben, 'createRoom', { name: 'One more', visibility: 'PUBLIC' })).toBe(
    'TOO_MANY_ROOMS',
  );
});

const newUserRequest = (person: Person) => send(person, '{ viewer { id } }');

test('BAD_USER_INPUT: lists every field that is wrong, each with a sentence', async () => {
  const aki = await newUser(app);
  const input = { name: '', topic: 'x'.repeat(251), visibility: 'PUBLIC', capacity: 0 };
  const query = 'mutation($input: CreateRoomInput!) { createRoom(input: $input) { room { id } } }';
  const { errors } = await send(aki, query, { input });
  expect(errors?.[0]).toMatchObject({
    message: '`input.capacity` must be 1 to 1000000.',
    extensions: { code: 'BAD_USER_INPUT', field: 'input.capacity', limit: 1 },
  });
  const name = '`input.name` must have at least one visible character.';
  expect(errors?.[0]?.extensions.fields).toEqual([
    { field: 'input.capacity', min: 1, max: 1_000_000, message: '`input.capacity` must be 1 to 1000000.' },
    { field: 'input.name', min: 1, message: name },
    { field: 'input.topic', max: 250, message: '`input.topic` must have at most 250 characters.' },
  ]);
  const both = await send(
    aki,
    'mutation($input: OpenDirectRoomInput!) { openDirectRoom(input: $input) { __typename } }',
    {
      input: { userIds: [] },
    },
  );
  expect(both.errors?.[0]?.message).toBe('`input.userIds` must have at least 1 item.');
});

test('BAD_USER_INPUT: lists every wrong field of nested input, each by its path', async () => {
  const aki = await newUser(app);
  const query =
    'mutation($input: UpdateDeliverySettingsInput!) { updateDeliverySettings(input: $input) { __typename } }';
  const fieldsOf = async (input: object) => {
    const { errors } = await send(aki, query, { input });
    const { code, field, fields } = errors?.[0]?.extensions ?? {};
    const paths = (fields as Array<{ field: string }>).map((one) => one.field);
    expect([code, field]).toEqual(['BAD_USER_INPUT', paths[0]]);
    return paths;
  };
  const quietHours = { from: '22:00', to: '6:00', timeZone: 'Europe/Atlantis', days: [] };
  const kinds = [
    { kind: 'LIKE', delaySeconds: 60 },
    { kind: 'STAMP', delaySeconds: -1, channels: ['EMAIL', 'EMAIL', 'EMAIL', 'EMAIL'] },
  ];
  expect(await fieldsOf({ kinds, quietHours })).toEqual([
    ...['input.kinds.1.channels', 'input.kinds.1.delaySeconds'],
    ...['input.quietHours.days', 'input.quietHours.timeZone', 'input.quietHours.to'],
  ]);
  const same = { from: '22:00', to: '22:00', timeZone: 'Asia/Tokyo' };
  expect(await fieldsOf({ kinds: [kinds[0], kinds[0]], quietHours: same })).toEqual([
    ...['input.kinds', 'input.quietHours'],
  ]);
});

const late = new Date(0).toISOString();
const crowd = Array.from({ length: 51 }, (_, n) => `@abc${n}`).join(' ');
const noHours = { from: '22:00', to: '22:00', timeZone: 'Asia/Tokyo' };
const endpoint = 'https://push.example.com/a';
test.each([
  [
    'a time and mentions',
    'scheduleMessage',
    { roomId: 'x', idempotencyKey: '' },
    { body: crowd, sendAt: late },
  ],
  [
    'a time, with a key',
    'scheduleMessage',
    { roomId: 'x', body: '', idempotencyKey: 'key' },
    { sendAt: late },
  ],
  ['a time', 'updateScheduledMessage', { scheduledMessageId: 'x', body: '' }, { sendAt: late }],
  ['mentions', 'sendMessage', { roomId: 'x', idempotencyKey: '' }, { body: crowd }],
  ['what is not set up', 'updateDeliverySettings', { quietHours: noHours }, { emailDigest: 'DAILY' }],
  ['what is not allowed', 'registerPushSubscription', { p256dh: 'y', auth: 'y', label: '' }, { endpoint }],
])('BAD_USER_INPUT: beside wrong forms it lists %s (%s)', async (_what, mutation, form, also) => {
  const aki = await newUser(app);
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${mutation}(input: $input) { __typename } }`;
  const { errors } = await send(aki, query, { input: { ...form, ...also } });
  const { code, fields } = errors?.[0]?.extensions ?? {};
  const all: ReadonlyArray<[string, unknown]> = Object.entries({ ...form, ...also });
  const wrong = all.filter(([, value]) => value !== 'x' && value !== 'key').map(([name]) => name);
  expect(code).toBe('BAD_USER_INPUT');
  expect((fields as Array<{ field: string }>).map(({ field }) => field).sort()).toEqual(
    wrong.map((name) => `input.${name}`).sort(),
  );
});

test('BAD_USER_INPUT: what is right beside a wrong form is not listed', async () => {
  const aki = await newUser(app);
  const query = 'mutation($input: ScheduleMessageInput!) { scheduleMessage(input: $input) { __typename } }';
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { errors } = await send(aki, query, { input: { roomId: 'x', body: '', sendAt } });
  expect(errors?.[0]?.extensions.fields).toMatchObject([{ field: 'input.body' }]);
});

test('BAD_USER_INPUT: a value of the wrong type is named by its path', async () => {
  const aki = await newUser(app);
  const query = 'mutation($input: CreateRoomInput!) { createRoom(input: $input) { room { id } } }';
  const { errors } = await send(aki, query, { input: { name: 'x', capacity: 'many' } });
  const wrong = errors?.map(({ extensions: { code, field } }) => [code, field]);
  expect(wrong?.every(([code]) => code === 'BAD_USER_INPUT')).toBe(true);
  expect(wrong?.map(([, field]) => field).sort()).toEqual(['input.capacity', 'input.visibility']);
});

test.each([
  ['syntax', '{ viewer'],
  ['a field', '{ viewr { id } }'],
  ['depth', `{ viewer ${'{ user '.repeat(20)}{ id }${' }'.repeat(20)} }`],
  [
    'cost',
    '{ viewer { memberships(first: 100) { edges { node { room { members(first: 100) { edges { node { user { id } } } } messages(first: 100) { edges { node { likers(first: 100) { edges { node { id } } } } } } } } } } }',
  ],
])('GRAPHQL_VALIDATION_FAILED: a mistake in the document (%s) is not the user’s', async (_what, query) => {
  const { errors, data, status } = await send(await newUser(app), query);
  expect([errors?.[0]?.extensions.code, data, status]).toEqual(['GRAPHQL_VALIDATION_FAILED', undefined, 200]);
});

test('UNAUTHENTICATED: has the same status without a token and with a wrong one', async () => {
  const post = async (authorization: Record<string, string>) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify({ query: '{ viewer { id } }' }),
    });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    return [response.status, ((await response.json()) as { errors: RawError[] }).errors[0]?.extensions.code];
  };
  expect(await post({})).toEqual([401, 'UNAUTHENTICATED']);
  expect(await post({ authorization: 'Bearer no.real.token' })).toEqual([401, 'UNAUTHENTICATED']);
  expect((await send(undefined, '{ __typename }')).data).toEqual({ __typename: 'Query' });
});

test('anonymous documents: the schema can be read, longer ones are refused, and a wrong token before they are read', async () => {
  const introspected = await send(undefined, getIntrospectionQuery({ oneOf: true, specifiedByUrl: true }));
  expect(introspected.errors).toBeUndefined();
  const fragments = Array.from({ length: 6 }, (_, i) => `fragment f${i} on Query { __typename }`).join(' ');
  const spreads = Array.from({ length: 6 }, (_, i) => `...f${i}`).join(' ');
  const { errors } = await send(undefined, `{ ${spreads} } ${fragments}`);
  expect(errors?.[0]?.extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', limit: 5 });
  const long = await send(undefined, `{ ${'__typename '.repeat(500)} }`);
  expect(long.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer no.real.token' },
    body: JSON.stringify({ query: '{ not valid' }),
  });
  expect(response.status).toBe(401);
});

test('errorCodes: lists all codes with their reasons', async () => {
  const { data } = await send(await newUser(app), '{ errorCodes { code description retryable reasons } }');
  const { errorCodes } = data as { errorCodes: Array<{ code: string; reasons: string[] }> };
  expect(errorCodes.map(({ code }) => code)).toEqual(Object.keys(errorCatalogue));
  expect(errorCodes.flatMap(({ reasons }) => reasons)).toEqual(Object.keys(conflictReasons));
});
