/** Ids that name nothing: the same answer, in text and shape, whatever is wrong with them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { FREE } from '../server/support/server.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  JoinRoom,
  LeaveRoom,
  MarkRoomRead,
  NodeById,
  NodesById,
  RoomById,
  SendMessage,
  UserByHandle,
} from '../support/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/people.ts';

let app: TestApp;
let ben: Person;
/** A room that Ben is in. */
let roomId: string;
/** By what is wrong with them. */
const bad: Record<string, string> = {};

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
  Object.assign(bad, {
    'that nobody may see': hidden,
    'of a message that nobody may see': secret.id,
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
    'that is endless': 'A'.repeat(20_000),
    'that is __proto__': encodeId('__proto__', room),
  });
});
afterAll(() => app.stop());

test('queries answer null, without an error', async () => {
  for (const [what, id] of Object.entries(bad)) {
    // These are of what Ben may see; as a room they are nothing.
    const visible = ['of a message of another room', 'of another type'].includes(what);
    const room = await ben.send(RoomById, { id });
    expect([what, room]).toEqual([what, { data: { room: null }, extensions: FREE }]);
    const node = await ben.send(NodeById, { id });
    expect([what, node.errors, node.data?.node?.id]).toEqual([what, undefined, visible ? id : undefined]);
  }
  const { nodes } = await ben.do(NodesById, { ids: [roomId, ...Object.values(bad).slice(3), roomId] });
  expect(nodes.filter((node) => node?.id === roomId)).toHaveLength(2);
});

test.each(['nobody_here', 'No Such One', '', '@', '#', 'a'.repeat(5_000), '\u0000', 'ＡＫＩ'])(
  'the handle %j is nobody’s',
  async (handle) => {
    expect(await ben.send(UserByHandle, { handle })).toEqual({ data: { user: null }, extensions: FREE });
  },
);

describe('mutations answer NOT_FOUND, in the same words and shape', () => {
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
    for (const [what, id] of Object.entries(bad)) {
      const { data, errors } = await send(id);
      const [field] = name.split(' ');
      expect({ what, data, errors }).toEqual({
        what,
        data: null,
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
