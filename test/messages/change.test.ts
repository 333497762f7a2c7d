import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { createChanges } from '../../src/messages/change.ts';
import { REACTIONS } from '../../src/reactions/registry.ts';
import { put } from '../reactions/stamps/support/stamps.ts';
import { JoinRoom, LeaveRoom, Thread, Timeline, UnreadNow } from '../support/clients/operations.ts';
import { messageKey, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { admit, promote } from '../support/clients/roles.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { DeleteMessage, EditMessage, MessageById } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const edit = async (user: Person, messageId: string, body: string) =>
  (await user.do(EditMessage, { messageId, body })).editMessage.message;
const remove = async (user: Person, messageId: string) =>
  (await user.do(DeleteMessage, { messageId })).deleteMessage.message;

function keyOfMessage(id: string) {
  const { room, threadTs, ts } = messageKey(id);
  return keys.message(room, threadTs, ts);
}

/** Creates a room with an owner, a moderator and two members, and a thread by one of them, the author. */
async function createRoom(visibility: 'PUBLIC' | 'PRIVATE' = 'PUBLIC') {
  const [owner, moderator, author, member, stranger] = await people(app, 5);
  const roomId = await roomOf(owner, [], { visibility });
  for (const one of [moderator, author, member]) await admit(owner, roomId, one);
  await promote(owner, roomId, moderator, 'MODERATOR');
  const root = await say(author, roomId, 'root');
  const reply = await say(author, roomId, 'reply', root.id);
  return { roomId, root, reply, users: { owner, moderator, author, member, stranger } };
}

type RoomFixture = Awaited<ReturnType<typeof createRoom>>;

describe('editMessage and deleteMessage: permissions', () => {
  const codes: ReadonlyArray<
    readonly [keyof RoomFixture['users'], edit: string | undefined, remove: string | undefined]
  > = [
    ['author', undefined, undefined],
    ['owner', 'FORBIDDEN', undefined],
    ['moderator', 'FORBIDDEN', undefined],
    ['member', 'FORBIDDEN', 'FORBIDDEN'],
  ];

  test.each([...codes, ['stranger', 'FORBIDDEN', 'FORBIDDEN'] as const])(
    'in a public room, of the %s: edit %s, delete %s',
    async (name, mayEdit, mayDelete) => {
      const { root, reply, users } = await createRoom();
      for (const { id } of [reply, root]) {
        expect(await users[name].refused(EditMessage, { messageId: id, body: 'other' })).toBe(mayEdit);
        expect(await users[name].refused(DeleteMessage, { messageId: id })).toBe(mayDelete);
      }
    },
  );

  test.each([...codes, ['stranger', 'NOT_FOUND', 'NOT_FOUND'] as const])(
    'in a private room, of the %s: edit %s, delete %s',
    async (name, mayEdit, mayDelete) => {
      const { root, reply, users } = await createRoom('PRIVATE');
      for (const { id } of [reply, root]) {
        expect(await users[name].refused(EditMessage, { messageId: id, body: 'other' })).toBe(mayEdit);
        expect(await users[name].refused(DeleteMessage, { messageId: id })).toBe(mayDelete);
      }
    },
  );

  test('an author who has left may not change messages before joining again', async () => {
    const { roomId, root, users } = await createRoom();
    await users.author.do(LeaveRoom, { roomId });
    expect(await users.author.refused(EditMessage, { messageId: root.id, body: 'other' })).toBe('FORBIDDEN');
    expect(await users.author.refused(DeleteMessage, { messageId: root.id })).toBe('FORBIDDEN');
    await users.author.do(JoinRoom, { roomId });
    expect(await edit(users.author, root.id, 'back again')).toMatchObject({ body: 'back again' });
  });

  test('an unknown or malformed id is NOT_FOUND', async () => {
    const { roomId, users } = await createRoom();
    const absent = encodeId('Message', `${rawId(roomId)}:${'1'.repeat(16)}:${'1'.repeat(16)}`);
    for (const messageId of [absent, roomId, 'x', '']) {
      expect(await users.owner.refused(EditMessage, { messageId, body: 'other' })).toBe('NOT_FOUND');
      expect(await users.owner.refused(DeleteMessage, { messageId })).toBe('NOT_FOUND');
    }
  });
});

describe('editMessage:', () => {
  test('replaces the body, sets editedAt and raises the version', async () => {
    const { root, users } = await createRoom();
    const once = await edit(users.author, root.id, 'once');
    expect(once).toMatchObject({ id: root.id, body: 'once' });
    expect(once.version).toBeGreaterThan(root.version);
    const twice = await edit(users.author, root.id, 'twice');
    expect(twice.version).toBeGreaterThan(once.version);
    expect(Date.parse(twice.editedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(once.editedAt ?? ''));
  });

  test('of five at once, those that lose get CONFLICT', async () => {
    const { root, users } = await createRoom();
    // The first edit of a message has another condition than later ones.
    for (const round of ['first', 'second', 'third']) {
      const texts = Array.from({ length: 5 }, (_, i) => `${round} ${i}`);
      const refused = await Promise.all(
        texts.map((body) => users.author.refused(EditMessage, { messageId: root.id, body })),
      );
      const won = texts.filter((_, i) => refused[i] === undefined);
      expect(won.length).toBeGreaterThanOrEqual(1);
      expect(refused.filter((code) => code !== undefined)).toEqual(
        Array.from({ length: 5 - won.length }, () => 'CONFLICT'),
      );
      const { node } = await users.author.do(MessageById, { id: root.id });
      expect(won).toContain(node !== null && 'body' in node ? node.body : null);
    }
  });

  test('succeeds while replies, stamps and the position are added', async () => {
    const { roomId, root, users } = await createRoom();
    const results = await Promise.all([
      ...[1, 2, 3].map((n) => say(users.member, roomId, `reply ${n}`, root.id)),
      put(users.member, root.id, 'tea'),
      put(users.owner, root.id, 'heart'),
      edit(users.author, root.id, 'edited at the same time'),
    ]);
    expect(results).toHaveLength(6);
    await positioned(app.dynamo, rawId(roomId));
    const { node } = await users.author.do(Thread, { id: root.id });
    expect(node).toMatchObject({ replyCount: 4 });
    const { room } = await users.author.do(Timeline, { roomId });
    expect(room?.messages.edges[0]?.node).toMatchObject({ body: 'edited at the same time', position: 1 });
  });

  test('of a deleted message is a CONFLICT', async () => {
    const { root, reply, users } = await createRoom();
    for (const { id } of [reply, root]) {
      await remove(users.owner, id);
      expect(await users.author.refused(EditMessage, { messageId: id, body: 'too late' })).toBe('CONFLICT');
    }
  });
});

describe('editMessage: between its read and its write', () => {
  /** Edits the root and runs `between` in between. Resolves to the body, or to the error's code. */
  async function editWith(between: (fixture: RoomFixture) => Promise<unknown>) {
    const fixture = await createRoom();
    const dynamo = beforeTransactions(app.dynamo, () => between(fixture));
    const changes = createChanges({ dynamo, timestamps: createTimestamps(), extensions: REACTIONS });
    const { author } = fixture.users;
    return changes.edit(author.id, messageKey(fixture.root.id), 'edited').then(
      ({ body }) => body,
      (error: { code?: string }) => error.code,
    );
  }

  test.each<[string, string, Parameters<typeof editWith>[0]]>([
    ['another edit', 'CONFLICT', ({ users, root }) => edit(users.author, root.id, 'elsewhere')],
    ['a deletion', 'CONFLICT', ({ users, root }) => remove(users.owner, root.id)],
    ['a reply', 'edited', ({ users, root, roomId }) => say(users.member, roomId, 'meanwhile', root.id)],
    ['a stamp', 'edited', ({ users, root }) => put(users.member, root.id, 'tea')],
    ['its position', 'edited', ({ roomId }) => positioned(app.dynamo, rawId(roomId))],
    ['the end of the message', 'NOT_FOUND', ({ root }) => app.dynamo.remove(keyOfMessage(root.id))],
    ['the author leaving', 'FORBIDDEN', ({ users, roomId }) => users.author.do(LeaveRoom, { roomId })],
  ])('%s: %s', async (_, outcome, between) => {
    expect(await editWith(between)).toBe(outcome);
  });
});

test('deleteMessage: of a message that is gone meanwhile: NOT_FOUND, and nothing is written', async () => {
  const { users, root } = await createRoom();
  const key = keyOfMessage(root.id);
  const dynamo = beforeTransactions(app.dynamo, () => app.dynamo.remove(key));
  const changes = createChanges({ dynamo, timestamps: createTimestamps(), extensions: REACTIONS });
  const removed = changes.remove(users.author.id, messageKey(root.id));
  await expect(removed).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await app.dynamo.get(key)).toBeUndefined();
});

describe('deleteMessage:', () => {
  test('removes the body, keeps place, thread and position, and is idempotent', async () => {
    const { roomId, root, reply, users } = await createRoom();
    const second = await say(users.owner, roomId, 'second');
    await positioned(app.dynamo, rawId(roomId));
    await edit(users.author, root.id, 'a secret');
    const deleted = await remove(users.author, root.id);
    const { room: id, threadTs, ts } = messageKey(root.id);
    expect(deleted).toMatchObject({ id: root.id, body: null, replyCount: 1 });
    expect(deleted.deletedAt).not.toBeNull();
    expect(await remove(users.owner, root.id)).toEqual(deleted);

    const { room } = await users.member.do(Timeline, { roomId });
    expect(room?.messages.edges.map(({ node }) => [node.id, node.body, node.position])).toEqual([
      [root.id, null, 1],
      [second.id, 'second', 2],
    ]);
    const { node } = await users.member.do(Thread, { id: root.id });
    expect(node).toMatchObject({
      replyCount: 1,
      replies: { edges: [{ node: { id: reply.id, body: 'reply' } }] },
    });
    expect(JSON.stringify(await app.dynamo.get(keys.message(id, threadTs, ts)))).not.toContain('secret');
  });

  test('does not change the unread count or the thread’s replyCount', async () => {
    const { roomId, root, reply, users } = await createRoom();
    await say(users.author, roomId, 'second');
    await positioned(app.dynamo, rawId(roomId));
    const total = async () => (await users.owner.do(UnreadNow)).viewer.unread.total;
    expect(await total()).toBe(2);
    await remove(users.owner, root.id);
    await remove(users.owner, reply.id);
    expect(await total()).toBe(2);
    const { node } = await users.member.do(Thread, { id: root.id });
    expect(node).toMatchObject({ replyCount: 1, replies: { edges: [{ node: { body: null } }] } });
  });

  test('wins over an edit at the same time', async () => {
    const { root, users } = await createRoom();
    const [edited] = await Promise.all([
      users.author.refused(EditMessage, { messageId: root.id, body: 'edited' }),
      remove(users.owner, root.id),
    ]);
    expect([undefined, 'CONFLICT']).toContain(edited);
    const { node } = await users.member.do(MessageById, { id: root.id });
    expect(node).toMatchObject({ body: null });
  });

  test('ten at once are one deletion', async () => {
    const { roomId, root, users } = await createRoom();
    // The position is a change of the message too.
    await positioned(app.dynamo, rawId(roomId));
    const versions = await Promise.all(
      Array.from({ length: 10 }, async () => (await remove(users.author, root.id)).version),
    );
    expect(new Set(versions).size).toBe(1);
  });
});
