/** Texts and keys that are refused with the field and the limit, without any write. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CreateRoom, SendMessage, Timeline } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { dump } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
let aki: Person;
let roomId: string;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
  [aki] = await people(app, 1);
  roomId = await roomOf(aki);
});
afterAll(() => app.stop());

const bodies: Array<[string, string, number | undefined]> = [
  ['nothing', '', 1],
  ['blanks', ' \t\r\n\u00a0\u3000', 1],
  ['the empty Braille pattern', '\u2800\u2800', 1],
  ['the empty musical note', '\u{1d159}', 1],
  ['marks of annotations', '\ufff9\ufffa\ufffb', 1],
  ['noncharacters', '\uffff\u{1fffe}', 1],
  ['invisible characters', '\u200b\u200d\u2060\ufeff\ufe0f\u00ad\u{e0001}', 1],
  ['a NUL', 'a\u0000b', undefined],
  ['another control character', 'bell\u0007', undefined],
  ['half of a surrogate pair', 'a\ud83d', undefined],
  ['the other half', '\ude00b', undefined],
  ['4,001 characters', 'x'.repeat(4_001), 4_000],
  ['4,001 characters of four bytes', '𠮷'.repeat(4_001), 4_000],
  ['4,097 characters of four bytes, over 16 KB', '😀'.repeat(4_097), 4_000],
  ['half a megabyte', 'x'.repeat(500_000), 4_000],
];

test.each(bodies)('sendMessage: refuses a body of %s', async (_, body, limit) => {
  await expectRefused(() => aki.send(SendMessage, { input: { roomId, body } }), 'body', limit);
});

test.each([
  ['nothing', '', 1],
  ['blanks', ' \u3000', 1],
  ['65 characters', 'k'.repeat(65), 64],
  ['a NUL', 'a\u0000', undefined],
  ['another control character', 'a\u001b[2J', undefined],
  ['two lines', 'a\nb', undefined],
  ['half of a surrogate pair', '\ud800', undefined],
] as const)('sendMessage: refuses an idempotency key of %s', async (_, idempotencyKey, limit) => {
  const input = { roomId, body: 'x', idempotencyKey };
  await expectRefused(() => aki.send(SendMessage, { input }), 'idempotencyKey', limit);
});

test.each([
  ['name', { name: '' }, 1],
  ['name', { name: ' \u3000' }, 1],
  ['name', { name: '\u2060' }, 1],
  ['name', { name: 'x'.repeat(81) }, 80],
  ['name', { name: 'two\nlines' }, undefined],
  ['name', { name: 'a\u0000' }, undefined],
  ['name', { name: '\udfff' }, undefined],
  ['topic', { topic: 'x'.repeat(251) }, 250],
  ['topic', { topic: 'two\u2028lines' }, undefined],
  ['capacity', { capacity: 0 }, 1],
  ['capacity', { capacity: -1 }, 1],
  ['capacity', { capacity: 1_000_001 }, 1_000_000],
  ['visibility', { visibility: 'DIRECT' as const }, undefined],
])('createRoom: refuses an invalid %s (%#)', async (field, wrong, limit) => {
  const input = { name: 'Room', visibility: 'PUBLIC' as const, ...wrong };
  await expectRefused(() => aki.send(CreateRoom, { input }), field, limit);
});

/** The error has the field and the limit, and the table is unchanged. */
async function expectRefused(
  send: () => Promise<{
    readonly errors?: ReadonlyArray<{ readonly message: string; readonly extensions?: object }>;
  }>,
  field: string,
  limit: number | undefined,
): Promise<void> {
  const before = await dump(app.dynamo);
  const { errors } = await send();
  const extensions = errors?.[0]?.extensions as { code?: string; field?: string; limit?: number } | undefined;
  expect(extensions?.code).toBe('BAD_USER_INPUT');
  expect(extensions?.field).toBe(`input.${field}`);
  expect(extensions?.limit).toBe(limit);
  expect(errors?.[0]?.message).not.toMatch(/\bat .*\.(ts|js):\d/);
  expect(await dump(app.dynamo)).toEqual(before);
}

test.each([5, true, null, ['x'], { text: 'x' }])(
  'sendMessage: refuses the body %j, which is not text',
  async (body) => {
    const before = await dump(app.dynamo);
    const input = { roomId, body: body as unknown as string };
    expect(await aki.refused(SendMessage, { input })).toBe('BAD_USER_INPUT');
    expect(await dump(app.dynamo)).toEqual(before);
  },
);

test.each([
  ['one character', '.'],
  ['4,000 characters', 'x'.repeat(4_000)],
  ['4,000 characters of four bytes', '😀'.repeat(4_000)],
  ['lines and tabs', 'a\n\tb\r\n'],
  ['an emoji of several characters', '👩‍👩‍👧‍👦'],
  ['Arabic with direction marks', '\u200fمرحبا\u200e'],
  ['a text in the form of a key', 'ROOM#x#ROOT#0'],
  ['markup', '<script>alert(1)</script> "quoted" \\ %s {x}'],
])('sendMessage: stores a body of %s unchanged', async (_, body) => {
  const { id } = await say(aki, roomId, body);
  const { room } = await aki.do(Timeline, { roomId, last: 1 });
  expect(room?.messages.edges.map(({ node }) => [node.id, node.body])).toEqual([[id, body]]);
});
