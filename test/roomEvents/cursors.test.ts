import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { newId } from '../../src/core/ids.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { eventsCursor } from '../../src/roomEvents/types.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { CursorOnly, RoomEvents } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** The extensions of the error with which the subscription is refused. Fails if it is not refused. */
async function refusal(who: Person, roomId: string, after?: string): Promise<unknown> {
  const live = who.subscribe(RoomEvents, { roomId, ...defined({ after }) });
  const end = await live.next().then(
    () => undefined,
    (error: Error) => error.message,
  );
  live.close();
  if (end === undefined) throw new Error('The subscription was not refused.');
  const [error] = JSON.parse(end) as Array<{ extensions: unknown }>;
  return error?.extensions;
}

const cursorOf = async (who: Person, roomId: string) =>
  (await who.do(CursorOnly, { roomId })).room?.eventsCursor ?? '';

describe('roomEvents: a cursor', () => {
  test.each([
    ['from the future', (room: string) => eventsCursor(room, 1_000_000)],
    ['of another room', () => eventsCursor(newId(), 0)],
    [
      'of another list',
      (room: string) => Buffer.from(`messages:${room}|${'0'.repeat(16)}`).toString('base64url'),
    ],
    ['that is not a number', (room: string) => Buffer.from(`events:${room}|x`).toString('base64url')],
    ['with stray characters', (room: string) => `${eventsCursor(room, 0)}=`],
    ['that is garbage', () => '💥'],
    ['that is empty', () => ''],
    ['of 10,000 characters', () => 'A'.repeat(10_000)],
  ])('%s is refused with BAD_USER_INPUT', async (_, make) => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    expect(await refusal(aki, roomId, make(rawId(roomId)))).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'after',
    });
  });

  test('of another room is refused, also if the user is a member of that room', async () => {
    const [aki] = await people(app, 1);
    const [one, other] = [await roomOf(aki), await roomOf(aki)];
    expect(await refusal(aki, one, await cursorOf(aki, other))).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  test('changes with every change of the room, and is null for outsiders', async () => {
    const [aki, eve] = await people(app, 2);
    const roomId = await roomOf(aki);
    const before = await cursorOf(aki, roomId);
    await say(aki, roomId, 'hello');
    await positioned(app.dynamo, rawId(roomId));
    expect(await cursorOf(aki, roomId)).not.toBe(before);
    expect((await eve.do(CursorOnly, { roomId })).room).toEqual({ id: roomId, eventsCursor: null });
  });
});

describe('roomEvents: an outsider', () => {
  test('gets FORBIDDEN for a public room and NOT_FOUND for a private one, with any cursor', async () => {
    const [aki, eve] = await people(app, 2);
    const [open, closed] = [await roomOf(aki), await roomOf(aki, [], { visibility: 'PRIVATE' })];
    const nowhere = encodeId('Room', newId());
    for (const cursor of [undefined, eventsCursor(rawId(open), 1_000_000)]) {
      expect(await refusal(eve, open, cursor)).toEqual({ code: 'FORBIDDEN' });
    }
    for (const roomId of [closed, nowhere]) {
      for (const cursor of [undefined, eventsCursor(rawId(roomId), 1_000_000)]) {
        expect(await refusal(eve, roomId, cursor)).toEqual({ code: 'NOT_FOUND' });
      }
    }
    for (const malformed of ['', 'x', encodeId('Message', newId())]) {
      expect(await refusal(eve, malformed)).toEqual({ code: 'NOT_FOUND' });
    }
  });
});
