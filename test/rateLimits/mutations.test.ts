import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { AddStamp, RemoveStamp } from '../reactions/stamps/support/operations.ts';
import {
  CreateInvite,
  JoinOrWait,
  JoinWithInvite,
  OpenDirectRoom,
  RevokeInvite,
} from '../rooms/support/operations.ts';
import type { Answer } from '../support/clients/client.ts';
import {
  AddMember,
  BanMember,
  CreateRoom,
  JoinRoom,
  LeaveRoom,
  Me,
  RemoveMember,
  SendMessage,
  SetMemberRole,
  UnbanMember,
  UpdateProfile,
  UpdateRoom,
} from '../support/clients/operations.ts';
import { globalId, newUser, rawId, roomOf, say } from '../support/clients/people.ts';
import { dump, itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const codeOf = ({ errors }: Answer<unknown>) => errors?.[0]?.extensions?.code;

describe('rate limits of mutations', () => {
  let app: TestApp;
  beforeAll(async () => {
    // Three at once: a burst of two, and one of the steady rate.
    const rate = { max: 2, seconds: 600 };
    const actions = Object.keys(RATE_LIMITS).filter((action) => action !== 'anonymous');
    app = await startTestApp({
      config: { rateLimits: Object.fromEntries(actions.map((action) => [action, rate])) },
      // Otherwise a read position may be written between two looks at the table.
      putOffMs: 0,
    });
  });
  afterAll(() => app?.stop());

  test('sendMessage: is refused over the limit with the time to wait, and stores nothing', async () => {
    const aki = await newUser(app);
    const roomId = await roomOf(aki);
    for (let n = 0; n < 3; n++) await say(aki, roomId, `${n}`);
    const refused = await aki.send(SendMessage, { input: { roomId, body: 'too fast' } });
    expect(refused.errors?.[0]?.extensions).toEqual({
      code: 'RATE_LIMITED',
      retryAfterMs: expect.any(Number),
    });
    const onSocket = aki.subscribe(SendMessage, { input: { roomId, body: 'too fast over a websocket' } });
    await expect(onSocket.next()).rejects.toThrow('RATE_LIMITED');
    expect(await itemsIn(app.dynamo, ranges.roots(rawId(roomId)))).toHaveLength(3);
  });

  test('sendMessage: charges a retry with the same idempotency key', async () => {
    const aki = await newUser(app);
    const roomId = await roomOf(aki);
    const input = { roomId, body: 'once', idempotencyKey: 'k' };
    for (let n = 0; n < 3; n++) await aki.do(SendMessage, { input });
    expect(await aki.refused(SendMessage, { input })).toBe('RATE_LIMITED');
    expect(await itemsIn(app.dynamo, ranges.roots(rawId(roomId)))).toHaveLength(1);
  });

  test('mentions: each handle counts, of members or not, and no message is stored over the limit', async () => {
    const [aki, ben, chi] = [await newUser(app), await newUser(app), await newUser(app)];
    const roomId = await roomOf(aki, [ben]);
    await say(aki, roomId, `@${ben.handle} and @${ben.handle} and @nobody_here`);
    const refused = await aki.send(SendMessage, { input: { roomId, body: `@${ben.handle} @nobody_here` } });
    expect(refused.errors?.[0]?.extensions).toEqual({
      code: 'RATE_LIMITED',
      retryAfterMs: expect.any(Number),
    });
    expect(await itemsIn(app.dynamo, ranges.roots(rawId(roomId)))).toHaveLength(1);
    await say(ben, roomId, `@${aki.handle}`);
    // A message with more of them than the limit allows is as a full burst.
    await chi.do(JoinRoom, { roomId });
    await say(chi, roomId, `@${aki.handle} @${ben.handle} @nobody_here`);
  });

  test('messages: one limit for sends, edits and deletions; stamps and likes have their own', async () => {
    const aki = await newUser(app);
    const roomId = await roomOf(aki);
    const { id: messageId } = await say(aki, roomId, 'first');
    for (const body of ['second', 'third']) await aki.do(EditMessage, { messageId, body });
    expect(codeOf(await aki.send(EditMessage, { messageId, body: 'fourth' }))).toBe('RATE_LIMITED');
    expect(codeOf(await aki.send(SendMessage, { input: { roomId, body: 'fifth' } }))).toBe('RATE_LIMITED');
    expect(await aki.refused(DeleteMessage, { messageId })).toBe('RATE_LIMITED');

    const [stamp = ''] = app.services.catalogue.stamps.map(({ key }) => key);
    const { addStamp } = await aki.do(AddStamp, { messageId, stamp });
    await aki.do(RemoveStamp, { messageStampId: addStamp.messageStamp.id });
    await aki.do(AddStamp, { messageId, stamp });
    expect(codeOf(await aki.send(AddStamp, { messageId, stamp }))).toBe('RATE_LIMITED');
    const { messageStamp } = addStamp;
    expect(codeOf(await aki.send(RemoveStamp, { messageStampId: messageStamp.id }))).toBe('RATE_LIMITED');

    await aki.do(LikeMessage, { messageId });
    await aki.do(UnlikeMessage, { messageId });
    await aki.do(LikeMessage, { messageId });
    expect(codeOf(await aki.send(LikeMessage, { messageId }))).toBe('RATE_LIMITED');
    expect(codeOf(await aki.send(UnlikeMessage, { messageId }))).toBe('RATE_LIMITED');
  });

  test('rooms: one limit for created rooms and opened direct rooms', async () => {
    const [aki, ben] = [await newUser(app), await newUser(app)];
    await ben.do(Me);
    await roomOf(aki);
    await aki.do(OpenDirectRoom, { userIds: [globalId(ben)] });
    // It is already open, but the call is charged.
    await aki.do(OpenDirectRoom, { userIds: [globalId(ben)] });
    await app.quiet();
    const before = await dump(app.dynamo);
    expect(await aki.refused(OpenDirectRoom, { userIds: [globalId(aki)] })).toBe('RATE_LIMITED');
    expect(await aki.refused(CreateRoom, { input: { name: 'Fourth', visibility: 'PUBLIC' } })).toBe(
      'RATE_LIMITED',
    );
    expect(await dump(app.dynamo)).toEqual(before);
  });

  test('joins: one limit for all ways to join, also with a guessed code; leaving is still allowed', async () => {
    const [aki, ben] = [await newUser(app), await newUser(app)];
    const roomId = await roomOf(aki);
    const { code } = (await aki.do(CreateInvite, { input: { roomId } })).createInvite;
    expect(await ben.refused(JoinWithInvite, { code: 'a guess' })).toBe('NOT_FOUND');
    await ben.do(JoinRoom, { roomId });
    await ben.do(LeaveRoom, { roomId });
    await ben.do(JoinWithInvite, { code });
    expect(await ben.refused(JoinWithInvite, { code: 'another' })).toBe('RATE_LIMITED');
    await ben.do(LeaveRoom, { roomId });
    await app.quiet();
    const before = await dump(app.dynamo);
    expect(await ben.refused(JoinRoom, { roomId })).toBe('RATE_LIMITED');
    expect(await ben.refused(JoinOrWait, { roomId })).toBe('RATE_LIMITED');
    expect(await ben.refused(JoinWithInvite, { code })).toBe('RATE_LIMITED');
    expect(await dump(app.dynamo)).toEqual(before);
  });

  test('invites: one limit for invites and for added users', async () => {
    const [aki, ben, cem] = [await newUser(app), await newUser(app), await newUser(app)];
    for (const user of [ben, cem]) await user.do(Me);
    const roomId = await roomOf(aki);
    await aki.do(CreateInvite, { input: { roomId } });
    await aki.do(AddMember, { roomId, userId: globalId(ben) });
    await aki.do(CreateInvite, { input: { roomId } });
    await app.quiet();
    const before = await dump(app.dynamo);
    expect(await aki.refused(CreateInvite, { input: { roomId } })).toBe('RATE_LIMITED');
    expect(await aki.refused(AddMember, { roomId, userId: globalId(cem) })).toBe('RATE_LIMITED');
    expect(await dump(app.dynamo)).toEqual(before);
  });

  test('leaving: one limit for rooms and waitlists, also if the user was in neither', async () => {
    const [aki, ben] = [await newUser(app), await newUser(app)];
    const roomId = await roomOf(aki, [], { capacity: 1 });
    expect(await ben.refused(LeaveRoom, { roomId })).toBe('FORBIDDEN');
    for (let n = 0; n < 2; n++) {
      await ben.do(JoinOrWait, { roomId });
      await ben.do(LeaveRoom, { roomId });
    }
    await ben.do(JoinOrWait, { roomId });
    await app.quiet();
    const before = await dump(app.dynamo);
    expect(await ben.refused(LeaveRoom, { roomId })).toBe('RATE_LIMITED');
    expect(await dump(app.dynamo)).toEqual(before);
  });

  test('moderation: one limit for all moderation of rooms and members', async () => {
    const [aki, ben] = [await newUser(app), await newUser(app)];
    const roomId = await roomOf(aki, [ben]);
    const { invite } = (await aki.do(CreateInvite, { input: { roomId } })).createInvite;
    const target = { roomId, userId: globalId(ben) };
    await aki.do(UpdateRoom, { input: { roomId, name: 'Second' } });
    await aki.do(SetMemberRole, { ...target, role: 'MODERATOR' });
    await aki.do(BanMember, target);
    await app.quiet();
    const before = await dump(app.dynamo);
    expect([
      await aki.refused(UpdateRoom, { input: { roomId, name: 'Third' } }),
      await aki.refused(SetMemberRole, { ...target, role: 'MEMBER' }),
      await aki.refused(RemoveMember, target),
      await aki.refused(BanMember, target),
      await aki.refused(UnbanMember, target),
      await aki.refused(RevokeInvite, { inviteId: invite.id }),
    ]).toEqual(Array(6).fill('RATE_LIMITED'));
    expect(await dump(app.dynamo)).toEqual(before);
  });

  test('profiles: limits changes of the profile', async () => {
    const aki = await newUser(app);
    await aki.do(Me);
    const input = (n: number) => ({ input: { displayName: `Name ${n}` } });
    for (let n = 0; n < 3; n++) await aki.do(UpdateProfile, input(n));
    await app.quiet();
    const before = await dump(app.dynamo);
    expect(await aki.refused(UpdateProfile, input(3))).toBe('RATE_LIMITED');
    expect(await dump(app.dynamo)).toEqual(before);
  });

  test('messages: other users are not limited', async () => {
    const [aki, ben] = [await newUser(app), await newUser(app)];
    const roomId = await roomOf(aki, [ben]);
    for (let n = 0; n < 3; n++) await say(aki, roomId, `${n}`);
    expect(await aki.refused(SendMessage, { input: { roomId, body: 'no' } })).toBe('RATE_LIMITED');
    await say(ben, roomId, 'yes');
  });
});
