import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { JoinRoom, LeaveRoom, SendMessage } from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const idempotencyKey = 'any text that a client chooses: {4711} #1';

/** Sends with the key. Resolves to the message's id, or to the error's code. */
async function send(sender: Person, roomId: string, body: string, replyTo?: string): Promise<string> {
  const input = { roomId, body, idempotencyKey, ...defined({ replyTo }) };
  const { data, errors } = await sender.send(SendMessage, { input });
  return data?.sendMessage?.message.id ?? errors?.[0]?.extensions?.code ?? 'nothing';
}

const roots = (roomId: string) => itemsIn(app.dynamo, ranges.roots(rawId(roomId)));

test('sendMessage: fifteen at once with one key are one message, which all return', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  const ids = await Promise.all(Array.from({ length: 15 }, () => send(aki, roomId, 'once')));
  expect([...new Set(ids)]).toEqual([ids[0]]);
  expect(await send(aki, roomId, 'once')).toBe(ids[0]);
  expect(await roots(roomId)).toHaveLength(1);
});

test('sendMessage: fifteen replies at once with one key are one reply, and the thread counts one', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  const root = await say(aki, roomId, 'root');
  const ids = await Promise.all(Array.from({ length: 15 }, () => send(aki, roomId, 'once', root.id)));
  expect([...new Set(ids)]).toEqual([ids[0]]);
  expect(await roots(roomId)).toMatchObject([{ replyCount: 1 }]);
});

test('sendMessage: returns CONFLICT for the same key with another text, thread or room, and writes nothing', async () => {
  const [aki] = await people(app, 1);
  const [roomId, elsewhere] = [await roomOf(aki), await roomOf(aki)];
  const first = await send(aki, roomId, 'this');
  expect(await send(aki, roomId, 'that')).toBe('CONFLICT');
  expect(await send(aki, roomId, 'this', first)).toBe('CONFLICT');
  expect(await send(aki, elsewhere, 'this')).toBe('CONFLICT');
  expect(await roots(roomId)).toHaveLength(1);
  expect(await roots(elsewhere)).toHaveLength(0);
});

test('sendMessage: two users can have the same key', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  expect(await send(aki, roomId, 'same')).not.toBe(await send(ben, roomId, 'same'));
  expect(await roots(roomId)).toHaveLength(2);
});

test('sendMessage: to outsiders the answer does not depend on what they sent with the key before', async () => {
  const [aki, ben] = await people(app, 2);
  const [open, closed] = [await roomOf(aki, [ben]), await roomOf(aki, [], { visibility: 'PRIVATE' })];
  await send(ben, open, 'this');
  // Ben is not a member of the private room. The same text and another one get the same answer.
  for (const body of ['this', 'that']) expect(await send(ben, closed, body)).toBe('NOT_FOUND');

  await ben.do(LeaveRoom, { roomId: open });
  for (const body of ['this', 'that']) expect(await send(ben, open, body)).toBe('FORBIDDEN');
  expect(await roots(open)).toHaveLength(1);
});

test('sendMessage: a user who left and joined again gets the first message for the same key', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const first = await send(ben, roomId, 'this');
  await ben.do(LeaveRoom, { roomId });
  await ben.do(JoinRoom, { roomId });
  expect(await send(ben, roomId, 'this')).toBe(first);
});

test('sendMessage: a key can be used again after it expired, even if its item still exists', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  const first = await send(aki, roomId, 'this');
  await app.dynamo.update(keys.idempotencyRecord(aki.id, idempotencyKey), {
    update: 'SET expiresAt = :past',
    values: { ':past': Math.floor(Date.now() / 1000) - 1 },
  });
  const second = await send(aki, roomId, 'that');
  expect(second).not.toBe(first);
  expect(await roots(roomId)).toHaveLength(2);
  expect(await send(aki, roomId, 'that')).toBe(second);
});
