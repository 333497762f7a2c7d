/** Invalid requests are refused with the same error over HTTP and over a websocket, and change nothing. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { connect } from '../server/support/socket.ts';
import { Me, Timeline } from '../support/clients/operations.ts';
import { globalId, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { dump } from '../support/database/table.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';

let app: TestApp;
let [owner, member, stranger]: Person[] = [];
let cursorElsewhere: string;
let ids: Readonly<Record<'room' | 'secret' | 'message' | 'other' | 'owner' | 'member', string>>;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
  const [one, two, three] = await people(app, 3);
  [owner, member, stranger] = [one, two, three];
  await three.do(Me);
  const room = await roomOf(one, [two]);
  const secret = await roomOf(one, [], { visibility: 'PRIVATE' });
  const [{ id: message }, { id: other }] = [
    await say(one, room, 'first'),
    await say(one, secret, 'elsewhere'),
  ];
  const elsewhere = await one.do(Timeline, { roomId: secret });
  cursorElsewhere = elsewhere.room?.messages.edges[0]?.cursor ?? '';
  ids = { room, secret, message, other, owner: globalId(one), member: globalId(two) };
});
afterAll(() => app?.stop());

interface Answer {
  readonly data?: unknown;
  readonly errors?: ReadonlyArray<{ readonly message: string; readonly extensions: Record<string, unknown> }>;
}

async function overHttp(handle: string, query: string): Promise<Answer> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenFor(handle)}` },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as Answer;
}

async function overWebSocket(handle: string, query: string): Promise<Answer> {
  const socket = await connect(`${app.url.replace('http', 'ws')}/graphql`);
  socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${await tokenFor(handle)}` } });
  await socket.next();
  socket.subscribe('1', query);
  const { type, payload } = await socket.next();
  return type === 'error' ? { errors: payload } : payload;
}

const page = (args: string) => `{ room(id: "${ids.room}") { messages(${args}) { edges { cursor } } } }`;
const send = (body: string) =>
  `mutation { sendMessage(input: { roomId: "${ids.room}", body: ${body} }) { message { id } } }`;
const join = (id: string) => `mutation { joinRoom(input: { roomId: "${id}" }) { room { id } } }`;
const leave = () => `mutation { leaveRoom(input: { roomId: "${ids.room}" }) { deletedMembershipId } }`;
const promote = () =>
  `mutation { setMemberRole(input: { roomId: "${ids.room}", userId: "${ids.member}", role: OWNER }) { membership { id } } }`;
const read = (upTo: string) =>
  `mutation { markRoomRead(input: { roomId: "${ids.room}", upTo: "${upTo}" }) { membership { id } } }`;

const events = (id: string) => `subscription { roomEvents(roomId: "${id}") { cursor } }`;

const users = { owner: () => owner, member: () => member, stranger: () => stranger };
type Row = [what: string, user: keyof typeof users, query: () => string, code: string, details?: Details];
/** What an error has in addition to its code. */
type Details = { readonly field?: string; readonly limit?: number; readonly reason?: string };

const body = (limit?: number): Details => ({
  field: 'input.body',
  ...defined({ limit }),
});
const mentions = (count: number) => Array.from({ length: count }, (_, i) => `@unknown_${i} `).join('');

const rows: Row[] = [
  ['a page of 101', 'member', () => page('first: 101'), 'BAD_USER_INPUT', { field: 'first', limit: 100 }],
  ['a page of -1', 'member', () => page('first: -1'), 'BAD_USER_INPUT', { field: 'first', limit: 100 }],
  ['both directions at once', 'member', () => page('first: 1, last: 1'), 'BAD_USER_INPUT', { field: 'last' }],
  ['a malformed cursor', 'member', () => page('first: 1, after: "x"'), 'BAD_USER_INPUT', { field: 'after' }],
  [
    'a cursor of another room',
    'owner',
    () => page(`first: 1, after: "${cursorElsewhere}"`),
    'BAD_USER_INPUT',
    { field: 'after' },
  ],
  ['a misspelt field', 'member', () => '{ viewr { id } }', 'GRAPHQL_VALIDATION_FAILED'],
  [
    '21 levels',
    'member',
    () => `{ viewer ${'{ user '.repeat(20)}{ id }${' }'.repeat(20)} }`,
    'GRAPHQL_VALIDATION_FAILED',
    { limit: 20 },
  ],
  ['an empty text', 'member', () => send('""'), 'BAD_USER_INPUT', body(1)],
  ['a blank text', 'member', () => send('" \\t\\u3000"'), 'BAD_USER_INPUT', body(1)],
  ['a NUL', 'member', () => send('"a\\u0000b"'), 'BAD_USER_INPUT', body()],
  // The document itself is not valid. messages/badInput.test.ts sends it as a variable.
  ['half of a surrogate pair', 'member', () => send('"a\\uD83D"'), 'GRAPHQL_VALIDATION_FAILED'],
  ['4,001 characters', 'member', () => send(`"${'x'.repeat(4_001)}"`), 'BAD_USER_INPUT', body(4_000)],
  ['51 mentions', 'member', () => send(`"${mentions(51)}"`), 'BAD_USER_INPUT', body(50)],
  ['ten thousand mentions', 'member', () => send(`"${mentions(10_000)}"`), 'BAD_USER_INPUT', body(4_000)],
  ['an id of another type', 'member', () => join(ids.message), 'NOT_FOUND'],
  ['an id of an invisible room', 'member', () => join(ids.secret), 'NOT_FOUND'],
  ['an id that does not exist', 'member', () => join(encodeId('Room', 'nothing')), 'NOT_FOUND'],
  ['a malformed id', 'member', () => join('\u26e9'), 'NOT_FOUND'],
  ['a message of another room', 'member', () => read(ids.other), 'NOT_FOUND'],
  ['the events of an invisible room', 'member', () => events(ids.secret), 'NOT_FOUND'],
  [
    'the events of a room that does not exist',
    'member',
    () => events(encodeId('Room', 'nothing')),
    'NOT_FOUND',
  ],
  ['the events of a message', 'member', () => events(ids.message), 'NOT_FOUND'],
  ['the events of a room without membership', 'stranger', () => events(ids.room), 'FORBIDDEN'],
  ['a message without membership', 'stranger', () => send('"x"'), 'FORBIDDEN'],
  ['the last owner who leaves', 'owner', leave, 'CONFLICT', { reason: 'LAST_OWNER' }],
  ['a member who promotes themselves', 'member', promote, 'FORBIDDEN'],
];

test('requests: the same requests with valid values succeed', async () => {
  const [one, two] = [owner?.handle ?? '', member?.handle ?? ''];
  const good: Array<[string, string]> = [
    [two, page('first: 100')],
    [two, send('"good"')],
    [two, read(ids.message)],
    [one, promote()],
    [one, promote().replace('OWNER', 'MEMBER')],
    [two, leave()],
    [two, join(ids.room)],
  ];
  for (const [handle, query] of good) {
    expect([query, (await overHttp(handle, query)).errors]).toEqual([query, undefined]);
  }
});

test.each(rows)('requests: %s is refused', async (_what, name, query, code, details = {}) => {
  const user = users[name]();
  if (user === undefined) throw new Error('There is no such user.');
  const before = await dump(app.dynamo);
  // Subscriptions are served over websockets only.
  const onBoth = !query().startsWith('subscription');
  const onSocket = await overWebSocket(user.handle, query());
  const answers = [onBoth ? await overHttp(user.handle, query()) : onSocket, onSocket];
  for (const { errors } of answers) {
    const fields =
      details.field === undefined ? {} : { fields: [expect.objectContaining({ field: details.field })] };
    expect(errors?.map(({ extensions }) => extensions)).toEqual([{ code, ...details, ...fields }]);
  }
  expect(answers[0]?.errors).toEqual(answers[1]?.errors);
  expect(JSON.stringify(answers)).not.toMatch(/Did you mean|\bat .*\.(ts|js):\d/);
  expect(await dump(app.dynamo)).toEqual(before);
});

test('queries: invisible objects, other types and unknown ids are null', async () => {
  const handle = member?.handle ?? '';
  for (const id of [ids.secret, ids.other, encodeId('Room', 'nothing'), '\u26e9', '']) {
    const query = `{ room(id: "${id}") { name } node(id: "${id}") { id } nodes(ids: ["${id}"]) { id } }`;
    const answers = [await overHttp(handle, query), await overWebSocket(handle, query)];
    for (const { data, errors } of answers) {
      expect([id, data, errors]).toEqual([id, { room: null, node: null, nodes: [null] }, undefined]);
    }
  }
});

test('markRoomRead: an earlier position changes nothing', async () => {
  const handle = member?.handle ?? '';
  const { id: newer } = await say(owner as Person, ids.room, 'newer');
  await overHttp(handle, read(newer));
  const unread = `{ viewer { unread { total rooms { unreadCount readPosition } } } }`;
  const before = await overHttp(handle, unread);
  expect((await overHttp(handle, read(ids.message))).errors).toBeUndefined();
  // No consumer runs here. Which of the two comes first is not known before they have positions, so both are kept,
  // once.
  const stored = await dump(app.dynamo);
  expect((await overWebSocket(handle, read(ids.message))).errors).toBeUndefined();
  expect(await dump(app.dynamo)).toEqual(stored);
  expect((await overHttp(handle, unread)).data).toEqual(before.data);
});
