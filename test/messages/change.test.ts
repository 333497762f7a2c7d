import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { createChanges } from '../../src/messages/change.ts';
import { REACTIONS } from '../../src/reactions/registry.ts';
import { put } from '../reactions/stamps/support/stamps.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { beforeTransactions } from '../support/beforeTransactions.ts';
import { JoinRoom, LeaveRoom, Thread, Timeline, UnreadNow } from '../support/operations.ts';
import { messageKey, type Person, people, rawId, roomOf, say } from '../support/people.ts';
import { admit, promote } from '../support/roles.ts';
import { positioned } from '../support/table.ts';
import { DeleteMessage, EditMessage, MessageById } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const edit = async (who: Person, messageId: string, body: string) =>
  (await who.do(EditMessage, { messageId, body })).editMessage.message;
const remove = async (who: Person, messageId: string) =>
  (await who.do(DeleteMessage, { messageId })).deleteMessage.message;

/** A room of an owner, a moderator and two members, one of whom has said something. */
async function room(visibility: 'PUBLIC' | 'PRIVATE' = 'PUBLIC') {
  const [owner, moderator, author, member, stranger] = await people(app, 5);
  const roomId = await roomOf(owner, [], { visibility });
  for (const one of [moderator, author, member]) await admit(owner, roomId, one);
  await promote(owner, roomId, moderator, 'MODERATOR');
  const root = await say(author, roomId, 'root');
  const reply = await say(author, roomId, 'reply', root.id);
  return { roomId, root, reply, who: { owner, moderator, author, member, stranger } };
}

type Who = keyof Awaited<ReturnType<typeof room>>['who'];

describe('who may', () => {
  const may: ReadonlyArray<readonly [Who, edit: string | undefined, remove: string | undefined]> = [
    ['author', undefined, undefined],
    ['owner', 'FORBIDDEN', undefined],
    ['moderator', 'FORBIDDEN', undefined],
    ['member', 'FORBIDDEN', 'FORBIDDEN'],
  ];

  test.each([...may, ['stranger', 'FORBIDDEN', 'FORBIDDEN'] as const])(
    'in a public room: the %s edits (refused with %s) and deletes (%s)',
    async (name, mayEdit, mayDelete) => {
      const { root, reply, who } = await room();
      for (const { id } of [reply, root]) {
        expect(await who[name].refused(EditMessage, { messageId: id, body: 'other' })).toBe(mayEdit);
        expect(await who[name].refused(DeleteMessage, { messageId: id })).toBe(mayDelete);
      }
    },
  );

  test.each([...may, ['stranger', 'NOT_FOUND', 'NOT_FOUND'] as const])(
    'in a private room: the %s edits (refused with %s) and deletes (%s)',
    async (name, mayEdit, mayDelete) => {
      const { root, reply, who } = await room('PRIVATE');
      for (const { id } of [reply, root]) {
        expect(await who[name].refused(EditMessage, { messageId: id, body: 'other' })).toBe(mayEdit);
        expect(await who[name].refused(DeleteMessage, { messageId: id })).toBe(mayDelete);
      }
    },
  );

  test('the author no more once they have left', async () => {
    const { roomId, root, who } = await room();
    await who.author.do(LeaveRoom, { roomId });
    expect(await who.author.refused(EditMessage, { messageId: root.id, body: 'other' })).toBe('FORBIDDEN');
    expect(await who.author.refused(DeleteMessage, { messageId: root.id })).toBe('FORBIDDEN');
    await who.author.do(JoinRoom, { roomId });
    expect(await edit(who.author, root.id, 'back again')).toMatchObject({ body: 'back again' });
  });

  test('what is no message', async () => {
    const { roomId, who } = await room();
    const absent = encodeId('Message', `${rawId(roomId)}:${'1'.repeat(16)}:${'1'.repeat(16)}`);
    for (const messageId of [absent, roomId, 'x', '']) {
      expect(await who.owner.refused(EditMessage, { messageId, body: 'other' })).toBe('NOT_FOUND');
      expect(await who.owner.refused(DeleteMessage, { messageId })).toBe('NOT_FOUND');
    }
  });
});

describe('an edit', () => {
  test('replaces the text, says when, and raises the version', async () => {
    const { root, who } = await room();
    const once = await edit(who.author, root.id, 'once');
    expect(once).toMatchObject({ id: root.id, body: 'once' });
    expect(once.version).toBeGreaterThan(root.version);
    const twice = await edit(who.author, root.id, 'twice');
    expect(twice.version).toBeGreaterThan(once.version);
    expect(Date.parse(twice.editedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(once.editedAt ?? ''));
  });

  test('of two that race one wins and the other hears of it', async () => {
    const { root, who } = await room();
    // The first edit and a later one: each has its own condition.
    for (const round of ['first', 'second', 'third']) {
      const texts = Array.from({ length: 5 }, (_, i) => `${round} ${i}`);
      const refused = await Promise.all(
        texts.map((body) => who.author.refused(EditMessage, { messageId: root.id, body })),
      );
      const won = texts.filter((_, i) => refused[i] === undefined);
      expect(won.length).toBeGreaterThanOrEqual(1);
      expect(refused.filter((code) => code !== undefined)).toEqual(
        Array.from({ length: 5 - won.length }, () => 'CONFLICT'),
      );
      const { node } = await who.author.do(MessageById, { id: root.id });
      expect(won).toContain(node !== null && 'body' in node ? node.body : null);
    }
  });

  test('does not mind replies, stamps and positions that come in between', async () => {
    const { roomId, root, who } = await room();
    const results = await Promise.all([
      ...[1, 2, 3].map((n) => say(who.member, roomId, `reply ${n}`, root.id)),
      put(who.member, root.id, 'tea'),
      put(who.owner, root.id, 'heart'),
      edit(who.author, root.id, 'edited all the same'),
    ]);
    expect(results).toHaveLength(6);
    await positioned(app.dynamo, rawId(roomId));
    const { node } = await who.author.do(Thread, { id: root.id });
    expect(node).toMatchObject({ replyCount: 4 });
    const { room: now } = await who.author.do(Timeline, { roomId });
    expect(now?.messages.edges[0]?.node).toMatchObject({ body: 'edited all the same', position: 1 });
  });

  test('of a deleted message is a conflict', async () => {
    const { root, reply, who } = await room();
    for (const { id } of [reply, root]) {
      await remove(who.owner, id);
      expect(await who.author.refused(EditMessage, { messageId: id, body: 'too late' })).toBe('CONFLICT');
    }
  });
});

describe('between an edit’s reading and its writing', () => {
  /** Edits the root; what happens in between is said by the test. Resolves to the text, or to the refusal's code. */
  async function editing(between: (scene: Awaited<ReturnType<typeof room>>) => Promise<unknown>) {
    const scene = await room();
    const dynamo = beforeTransactions(app.dynamo, () => between(scene));
    const changes = createChanges({ dynamo, timestamps: createTimestamps(), extensions: REACTIONS });
    const { author } = scene.who;
    return changes.edit(author.id, messageKey(scene.root.id), 'edited').then(
      ({ body }) => body,
      (error: { code?: string }) => error.code,
    );
  }

  test.each<[string, string, Parameters<typeof editing>[0]]>([
    ['another edit', 'CONFLICT', ({ who, root }) => edit(who.author, root.id, 'elsewhere')],
    ['a deletion', 'CONFLICT', ({ who, root }) => remove(who.owner, root.id)],
    ['a reply', 'edited', ({ who, root, roomId }) => say(who.member, roomId, 'meanwhile', root.id)],
    ['a stamp', 'edited', ({ who, root }) => put(who.member, root.id, 'tea')],
    ['its position', 'edited', ({ roomId }) => positioned(app.dynamo, rawId(roomId))],
    ['its author’s leaving', 'FORBIDDEN', ({ who, roomId }) => who.author.do(LeaveRoom, { roomId })],
  ])('comes %s: %s', async (_, outcome, between) => {
    expect(await editing(between)).toBe(outcome);
  });
});

describe('a deletion', () => {
  test('takes the text, keeps place, thread and position, and is no error twice', async () => {
    const { roomId, root, reply, who } = await room();
    const second = await say(who.owner, roomId, 'second');
    await positioned(app.dynamo, rawId(roomId));
    await edit(who.author, root.id, 'a secret');
    const gone = await remove(who.author, root.id);
    const { room: id, threadTs, ts } = messageKey(root.id);
    expect(gone).toMatchObject({ id: root.id, body: null, replyCount: 1 });
    expect(gone.deletedAt).not.toBeNull();
    expect(await remove(who.owner, root.id)).toEqual(gone);

    const { room: now } = await who.member.do(Timeline, { roomId });
    expect(now?.messages.edges.map(({ node }) => [node.id, node.body, node.position])).toEqual([
      [root.id, null, 1],
      [second.id, 'second', 2],
    ]);
    const { node } = await who.member.do(Thread, { id: root.id });
    expect(node).toMatchObject({
      replyCount: 1,
      replies: { edges: [{ node: { id: reply.id, body: 'reply' } }] },
    });
    expect(JSON.stringify(await app.dynamo.get(keys.message(id, threadTs, ts)))).not.toContain('secret');
  });

  test('does not skew what is unread, nor the thread’s count', async () => {
    const { roomId, root, reply, who } = await room();
    await say(who.author, roomId, 'second');
    await positioned(app.dynamo, rawId(roomId));
    const total = async () => (await who.owner.do(UnreadNow)).viewer.unread.total;
    expect(await total()).toBe(2);
    await remove(who.owner, root.id);
    await remove(who.owner, reply.id);
    expect(await total()).toBe(2);
    const { node } = await who.member.do(Thread, { id: root.id });
    expect(node).toMatchObject({ replyCount: 1, replies: { edges: [{ node: { body: null } }] } });
  });

  test('wins over an edit that races with it, or comes after it', async () => {
    const { root, who } = await room();
    const [edited] = await Promise.all([
      who.author.refused(EditMessage, { messageId: root.id, body: 'edited' }),
      remove(who.owner, root.id),
    ]);
    expect([undefined, 'CONFLICT']).toContain(edited);
    const { node } = await who.member.do(MessageById, { id: root.id });
    expect(node).toMatchObject({ body: null });
  });

  test('ten at once are one', async () => {
    const { roomId, root, who } = await room();
    // Its position is a change of the message as well.
    await positioned(app.dynamo, rawId(roomId));
    const versions = await Promise.all(
      Array.from({ length: 10 }, async () => (await remove(who.author, root.id)).version),
    );
    expect(new Set(versions).size).toBe(1);
  });
});
