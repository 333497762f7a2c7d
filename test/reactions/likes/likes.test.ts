import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeId } from '../../../src/graphql/ids.ts';
import { DeleteMessage, EditMessage } from '../../messages/support/operations.ts';
import { LeaveRoom } from '../../support/clients/operations.ts';
import { messageKey, newUser, rawId, roomOf, say } from '../../support/clients/people.ts';
import { positioned } from '../../support/database/table.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { handlesOf, inTable, like, likesOf, unlike } from './support/likes.ts';
import { LikeMessage, LikesOf, UnlikeMessage } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function room() {
  const created = await createRoomWithMessage(app);
  // The position is a change of the message too. It must not come between the versions that a test compares.
  await positioned(app.dynamo, rawId(created.roomId));
  return created;
}

test('likeMessage: the message has the like at once, in its count, viewerHasLiked and likers', async () => {
  const { aki, ben, message } = await room();
  const before = await likesOf(ben, message);
  expect(before).toMatchObject({ likeCount: 0, viewerHasLiked: false, likers: { edges: [] } });

  const answer = await like(ben, message);
  expect(answer).toMatchObject({ id: message, likeCount: 1, viewerHasLiked: true });
  expect(answer.version).toBe(before.version + 1);
  expect(handlesOf(answer)).toEqual([ben.handle]);
  expect(await likesOf(aki, message)).toMatchObject({ likeCount: 1, viewerHasLiked: false });

  expect(await like(aki, message)).toMatchObject({ likeCount: 2, viewerHasLiked: true });
  expect(handlesOf(await likesOf(ben, message))).toEqual([aki.handle, ben.handle]);
});

test('unlikeMessage: removes the like, and a new one is the newest', async () => {
  const { aki, ben, message } = await room();
  await like(ben, message);
  await like(aki, message);
  const answer = await unlike(ben, message);
  expect(answer).toMatchObject({ likeCount: 1, viewerHasLiked: false });
  expect(handlesOf(answer)).toEqual([aki.handle]);
  expect(handlesOf(await like(ben, message))).toEqual([ben.handle, aki.handle]);
  expect((await inTable(app.dynamo, messageKey(message))).count).toBe(2);
});

test('likeMessage and unlikeMessage: are idempotent', async () => {
  const { ben, message } = await room();
  const untouched = await likesOf(ben, message);
  expect((await unlike(ben, message)).version).toBe(untouched.version);
  const first = await like(ben, message);
  expect(await like(ben, message)).toEqual(first);
  const back = await unlike(ben, message);
  expect(await unlike(ben, message)).toEqual(back);
  expect(back).toMatchObject({ likeCount: 0, version: first.version + 1 });
});

test('likeMessage: a like of a reply does not count for its root', async () => {
  const { aki, ben, roomId, message } = await room();
  const reply = (await say(ben, roomId, 'Yes!', message)).id;
  await like(aki, reply);
  expect(await likesOf(aki, reply)).toMatchObject({ likeCount: 1, viewerHasLiked: true });
  expect(await likesOf(aki, message)).toMatchObject({ likeCount: 0, viewerHasLiked: false });
});

test('likeMessage: authors may like their own messages', async () => {
  const { aki, message } = await room();
  expect(await like(aki, message)).toMatchObject({ likeCount: 1, viewerHasLiked: true });
});

test('editMessage: keeps the likes', async () => {
  const { aki, ben, message } = await room();
  await like(ben, message);
  await aki.do(EditMessage, { messageId: message, body: 'Coffee?' });
  expect(await likesOf(ben, message)).toMatchObject({ likeCount: 1, viewerHasLiked: true });
});

test('likeMessage: stores the author of the message in the like', async () => {
  const { aki, ben, message } = await room();
  await like(ben, message);
  const { likes } = await inTable(app.dynamo, messageKey(message));
  expect(likes).toEqual([
    { ...messageKey(message), user: ben.id, author: aki.id, at: expect.stringMatching(/^\d{16}$/) },
  ]);
});

test('deleteMessage: the message has no likes and cannot be liked, and unlikeMessage is idempotent', async () => {
  const { aki, ben, message } = await room();
  await like(ben, message);
  await aki.do(DeleteMessage, { messageId: message });
  expect(await aki.refused(LikeMessage, { messageId: message })).toBe('CONFLICT');
  expect(await ben.refused(LikeMessage, { messageId: message })).toBe('CONFLICT');
  const cleared = { likeCount: 0, viewerHasLiked: false, likers: { edges: [] } };
  expect(await likesOf(ben, message)).toMatchObject(cleared);
  const answer = await unlike(ben, message);
  expect(answer).toMatchObject(cleared);
  expect(answer.deletedAt).not.toBeNull();
});

test('likeMessage and unlikeMessage: refuse unknown and malformed ids with NOT_FOUND', async () => {
  const { aki, roomId } = await room();
  const absent = encodeId('Message', `${rawId(roomId)}:1700000000000000:1700000000000000`);
  for (const messageId of [absent, roomId, 'nonsense', '', encodeId('Message', 'a:b:c')]) {
    expect(await aki.refused(LikeMessage, { messageId }), messageId).toBe('NOT_FOUND');
    expect(await aki.refused(UnlikeMessage, { messageId }), messageId).toBe('NOT_FOUND');
  }
});

test('likeMessage, unlikeMessage, likers: outsiders get FORBIDDEN in a public room, NOT_FOUND otherwise', async () => {
  const { aki, message } = await room();
  await like(aki, message);
  const stranger = await newUser(app);
  expect(await stranger.refused(LikeMessage, { messageId: message })).toBe('FORBIDDEN');
  expect(await stranger.refused(UnlikeMessage, { messageId: message })).toBe('FORBIDDEN');
  expect((await stranger.do(LikesOf, { id: message })).node).toBeNull();

  const secret = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const hidden = (await say(aki, secret, 'Cake or mochi?')).id;
  expect(await stranger.refused(LikeMessage, { messageId: hidden })).toBe('NOT_FOUND');
  expect(await stranger.refused(UnlikeMessage, { messageId: hidden })).toBe('NOT_FOUND');
  expect((await stranger.do(LikesOf, { id: hidden })).node).toBeNull();
  expect((await inTable(app.dynamo, messageKey(hidden))).users).toEqual([]);
});

test('likeMessage and unlikeMessage: are forbidden for former members, whose likes stay', async () => {
  const { aki, ben, roomId, message } = await room();
  await like(ben, message);
  await ben.do(LeaveRoom, { roomId });
  expect(await ben.refused(UnlikeMessage, { messageId: message })).toBe('FORBIDDEN');
  expect(await ben.refused(LikeMessage, { messageId: message })).toBe('FORBIDDEN');
  expect(handlesOf(await likesOf(aki, message))).toEqual([ben.handle]);
});

test('likeMessage and unlikeMessage: twenty at once by one user are one', async () => {
  const { ben, message } = await room();
  const answers = await Promise.all(Array.from({ length: 20 }, () => like(ben, message)));
  expect(new Set(answers.map(({ likeCount, viewerHasLiked }) => `${likeCount} ${viewerHasLiked}`))).toEqual(
    new Set(['1 true']),
  );
  await Promise.all(Array.from({ length: 20 }, () => unlike(ben, message)));
  expect(await inTable(app.dynamo, messageKey(message))).toMatchObject({ count: 0, users: [] });
});
