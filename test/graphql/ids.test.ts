/** Invalid ids: the answer has the same text and shape for each reason. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { FREE } from '../server/support/server.ts';
import {
  JoinRoom,
  LeaveRoom,
  MarkRoomRead,
  NodeById,
  NodesById,
  RoomById,
  SendMessage,
  UserByHandle,
} from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
let ben: Person;
/** A room with Ben as a member. */
let roomId: string;
/** Ids by the reason why they are invalid. */
const invalid: Record<string, string> = {};

beforeAll(async () => {
  app = await startTestApp();
  const [aki, other] = await people(app, 2);
  ben = other;
  roomId = await roomOf(aki, [ben]);
  const hidden = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const secret = await say(aki, hidden, 'secret');
  const elsewhere = await say(aki, await roomOf(aki, [ben]), 'in another room');
  const room = rawId(roomId);
  const stamp = '1700000000000000';
  Object.assign(invalid, {
    'of a room that Ben may not see': hidden,
    'of a message that Ben may not see': secret.id,
    'of a message of another room': elsewhere.id,
    'of an absent room': encodeId('Room', '0000000000000000'),
    'of an absent message': encodeId('Message', `${room}:${stamp}:${stamp}`),
    'of a reply before its root': encodeId('Message', `${room}:${stamp}:${'0'.repeat(16)}`),
    'of a message with too few parts': encodeId('Message', `${room}:${stamp}`),
    'of another type': encodeId('User', aki.id),
    'of no type': encodeId('Nothing', room),
    'with a separator of keys': Buffer.from(`Room:${room}#ROOM`).toString('base64url'),
    'in upper case': Buffer.from(`Room:${room.toUpperCase()}`).toString('base64url'),
    'with padding': `${roomId}=`,
    'with a stray character': `${roomId}!`,
    'with a blank': `${roomId} `,
    'with a NUL': `${roomId}\u0000`,
    'that is not base64': '⛩️',
    'that is raw': room,
    'that is empty': '',
    'of 20,000 characters': 'A'.repeat(20_000),
    'that is __proto__': encodeId('__proto__', room),
  });
});
afterAll(() => app.stop());

test('queries: return null without an error for an invalid id', async () => {
  for (const [what, id] of Object.entries(invalid)) {
    // Ben may see these objects, but they are not rooms.
    const visible = ['of a message of another room', 'of another type'].includes(what);
    const room = await ben.send(RoomById, { id });
    expect([what, room]).toEqual([what, { data: { room: null }, extensions: FREE }]);
    const node = await ben.send(NodeById, { id });
    expect([what, node.errors, node.data?.node?.id]).toEqual([what, undefined, visible ? id : undefined]);
  }
  const { nodes } = await ben.do(NodesById, { ids: [roomId, ...Object.values(invalid).slice(3), roomId] });
  expect(nodes.filter((node) => node?.id === roomId)).toHaveLength(2);
});

test.each(['no_such_user', 'No Such One', '', '@', '#', 'a'.repeat(5_000), '\u0000', 'ＡＫＩ'])(
  'Query.user: returns null for the unknown handle %j',
  async (handle) => {
    expect(await ben.send(UserByHandle, { handle })).toEqual({ data: { user: null }, extensions: FREE });
  },
);

describe('mutations: return NOT_FOUND for an invalid id, with the same text and shape', () => {
  test.each([
    ['joinRoom', (id: string) => ben.send(JoinRoom, { roomId: id })],
    ['leaveRoom', (id: string) => ben.send(LeaveRoom, { roomId: id })],
    ['sendMessage', (id: string) => ben.send(SendMessage, { input: { roomId: id, body: 'x' } })],
    [
      'sendMessage as a reply',
      (id: string) => ben.send(SendMessage, { input: { roomId, body: 'x', replyTo: id } }),
    ],
    ['markRoomRead', (id: string) => ben.send(MarkRoomRead, { input: { roomId: id } })],
    ['markRoomRead up to', (id: string) => ben.send(MarkRoomRead, { input: { roomId, upTo: id } })],
  ])('%s', async (name, send) => {
    for (const [what, id] of Object.entries(invalid)) {
      const { data, errors } = await send(id);
      const [field] = name.split(' ');
      expect({ what, data, errors }).toEqual({
        what,
        data: { [String(field)]: null },
        errors: [
          {
            message: 'It does not exist, or you may not see it.',
            locations: expect.any(Array),
            path: [field],
            extensions: { code: 'NOT_FOUND' },
          },
        ],
      });
    }
  });
});
