import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { microsOf, toTimestamp } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { parseMessageId } from '../../src/messages/message.ts';
import { JoinRoom, LeaveRoom } from '../support/clients/operations.ts';
import { CROWD, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { Following, FollowThread, UnfollowThread } from './support/operations.ts';

let app: TestApp;
let aki: Person;
let ben: Person;
let chi: Person;
let roomId: string;
let root: string;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  [aki, ben, chi] = await people(app, 3);
  roomId = await roomOf(aki, [ben]);
  root = (await say(aki, roomId, 'a root')).id;
});

const follows = async (person: Person, id = root) => {
  const { node } = await person.do(Following, { id });
  return node !== null && 'viewerIsFollowing' in node ? node.viewerIsFollowing : null;
};

/** Follows or unfollows a message's thread. Resolves to the error code if it is refused. */
const refusal = (person: Person, messageId: string, on: boolean) =>
  on ? person.refused(FollowThread, { messageId }) : person.refused(UnfollowThread, { messageId });

test('followThread: makes the viewer follow the thread, which its author follows already', async () => {
  expect([await follows(aki), await follows(ben)]).toEqual([true, false]);
  const { followThread } = await ben.do(FollowThread, { messageId: root });
  expect(followThread.message).toEqual({ id: root, viewerIsFollowing: true });
  expect(await follows(ben)).toBe(true);
});

test('followThread, unfollowThread: are idempotent, and the last call counts', async () => {
  for (const wanted of [false, false, true, true, false]) {
    expect(await refusal(aki, root, wanted)).toBeUndefined();
    expect(await follows(aki)).toBe(wanted);
  }
});

test('unfollowThread: accepts a reply for its thread', async () => {
  const reply = (await say(ben, roomId, 'a reply', root)).id;
  const { unfollowThread } = await aki.do(UnfollowThread, { messageId: reply });
  expect(unfollowThread.message).toEqual({ id: root, viewerIsFollowing: false });
  expect([await follows(aki), await follows(aki, reply)]).toEqual([false, false]);
});

test('unfollowThread: overrides an earlier choice even if the clock was ahead', async () => {
  const { room, threadTs } = parseMessageId(rawId(root)) ?? { room: '', threadTs: '' };
  const ahead = toTimestamp(microsOf(threadTs) + 3_600_000_000);
  const key = keys.follow(room, threadTs, ben.id);
  await app.dynamo.put({ ...key, v: 1, following: true, at: ahead });
  await ben.do(UnfollowThread, { messageId: root });
  expect(await follows(ben)).toBe(false);
  expect(((await app.dynamo.get(key))?.at as string) > ahead).toBe(true);
});

test('followThread, unfollowThread: twenty calls at once all succeed', async () => {
  const calls = Array.from({ length: Math.min(20, CROWD) }, (_, i) => i % 2 === 0);
  const refusals = await Promise.all(calls.map((on) => refusal(ben, root, on)));
  expect(new Set(refusals)).toEqual(new Set([undefined]));
  await ben.do(FollowThread, { messageId: root });
  expect(await follows(ben)).toBe(true);
});

test('followThread, unfollowThread: are refused outside the room', async () => {
  const secret = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const hidden = (await say(aki, secret, 'hidden')).id;
  for (const on of [true, false]) {
    expect(await refusal(chi, root, on)).toBe('FORBIDDEN');
    expect(await refusal(chi, hidden, on)).toBe('NOT_FOUND');
    expect(await refusal(ben, 'nonsense', on)).toBe('NOT_FOUND');
    expect(await refusal(ben, roomId, on)).toBe('NOT_FOUND');
  }
  await chi.do(JoinRoom, { roomId });
  await chi.do(FollowThread, { messageId: root });
  await chi.do(LeaveRoom, { roomId });
  expect(await chi.refused(UnfollowThread, { messageId: root })).toBe('FORBIDDEN');
});
