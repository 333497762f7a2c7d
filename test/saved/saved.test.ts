/** What can be saved, changed and removed, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { LikeMessage } from '../reactions/likes/support/operations.ts';
import { JoinRoom, LeaveRoom } from '../support/clients/operations.ts';
import { globalId, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { recount } from '../verify/support/recount.ts';
import {
  RemoveSavedMessage,
  SavedCounts,
  SavedMarks,
  SavedMessages,
  SavedNode,
  SaveMessage,
} from './support/operations.ts';
import { storedOf } from './support/stored.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app?.quiet();
  expect(await recount(app.dynamo)).toEqual([]);
  await app?.stop();
});

type Input = Parameters<typeof save>[1];
const save = async (
  by: Person,
  input: {
    messageId?: string;
    savedMessageId?: string;
    visibility?: 'PUBLIC' | 'PRIVATE';
    note?: string | null;
    tags?: string[];
    addTags?: string[];
    removeTags?: string[];
    version?: number;
  },
) => (await by.do(SaveMessage, { input })).saveMessage.savedMessage;
const refusal = async (by: Person, input: Input) => {
  const { errors } = await by.send(SaveMessage, { input });
  return errors?.[0]?.extensions;
};
const countsOf = async (person: Person) => (await person.do(SavedCounts)).viewer.savedCounts;
const faultsOf = async ({ id }: Person) => (await storedOf(app.dynamo, id)).faults;

async function room() {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  return { aki, ben, roomId, message: await say(aki, roomId, 'one') };
}

describe('saveMessage', () => {
  test('saves privately, changes only what is said, and versions rise from 1', async () => {
    const { aki, ben, message } = await room();
    const first = await save(ben, { messageId: message.id });
    expect(first).toMatchObject({ visibility: 'PRIVATE', note: null, tags: [], version: 1 });
    expect(first.message?.id).toBe(message.id);
    expect(first.savedBy.id).toBe(globalId(ben));
    const second = await save(ben, {
      messageId: message.id,
      note: 'Read',
      tags: ['To Read', 'x', 'TO  READ'],
    });
    expect(second).toMatchObject({ id: first.id, note: 'Read', tags: ['To Read', 'x'], version: 2 });
    const third = await save(ben, {
      savedMessageId: first.id,
      visibility: 'PUBLIC',
      addTags: ['Y', 'to read'],
    });
    expect(third).toMatchObject({
      visibility: 'PUBLIC',
      note: 'Read',
      tags: ['To Read', 'x', 'Y'],
      version: 3,
    });
    const fourth = await save(ben, { savedMessageId: first.id, note: null, removeTags: ['X', 'unknown'] });
    expect(fourth).toMatchObject({ note: null, tags: ['To Read', 'Y'], version: 4, savedAt: first.savedAt });
    // Nothing changes, so nothing is written.
    expect((await save(ben, { savedMessageId: first.id, addTags: ['y'] })).version).toBe(4);
    expect(await countsOf(ben)).toEqual({ total: 1, public: 1, private: 0, untagged: 0 });
    expect(await countsOf(aki)).toEqual({ total: 0, public: 0, private: 0, untagged: 0 });
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('another user has tags of their own', async () => {
    const { aki, ben, message } = await room();
    await save(aki, { messageId: message.id, tags: ['work'] });
    await save(ben, { messageId: message.id, tags: ['Work'] });
    const own = await aki.do(SavedMessages);
    expect(own.viewer.savedMessages.edges[0]?.node.tags).toEqual(['work']);
  });

  test('a page has its marks', async () => {
    const { ben, roomId, message } = await room();
    const other = await say(ben, roomId, 'two');
    await ben.do(LikeMessage, { messageId: message.id });
    const { id } = await save(ben, { messageId: message.id, tags: ['a'] });
    const removed = await save(ben, { messageId: other.id });
    await ben.do(RemoveSavedMessage, { input: { savedMessageId: removed.id } });
    const { room: read } = await ben.do(SavedMarks, { roomId });
    expect(read?.messages.edges.map(({ node }) => node)).toEqual([
      { id: message.id, viewerHasLiked: true, viewerSaved: { id, tags: ['a'], visibility: 'PRIVATE' } },
      { id: other.id, viewerHasLiked: false, viewerSaved: null },
    ]);
  });

  test('20 tags are replaced by 20 others, and published with them', async () => {
    const { ben, message } = await room();
    const names = (prefix: string) => Array.from({ length: 20 }, (_, i) => `${prefix}${i}`);
    const saved = await save(ben, { messageId: message.id, tags: names('a') });
    expect(saved.version).toBe(1);
    expect((await save(ben, { messageId: message.id, visibility: 'PUBLIC' })).version).toBe(2);
    for (const [prefix, visibility] of [
      ['b', 'PUBLIC'],
      ['c', 'PRIVATE'],
      ['d', 'PUBLIC'],
    ] as const) {
      const next = await save(ben, { messageId: message.id, tags: names(prefix), visibility, note: prefix });
      expect(next).toMatchObject({ tags: names(prefix), visibility, note: prefix });
      expect(await faultsOf(ben)).toEqual([]);
    }
  });

  test('a message that the user may not see any more stays saved, and cannot become public', async () => {
    const { aki, ben, roomId, message } = await room();
    const { id } = await save(ben, { messageId: message.id, tags: ['a'] });
    const other = await say(aki, roomId, 'other');
    const open = await save(ben, { messageId: other.id, visibility: 'PUBLIC' });
    await ben.do(LeaveRoom, { roomId });
    expect(await save(ben, { savedMessageId: id, note: 'mine', addTags: ['b'] })).toMatchObject({
      message: null,
      note: 'mine',
      tags: ['a', 'b'],
    });
    expect(await ben.refused(SaveMessage, { input: { savedMessageId: id, visibility: 'PUBLIC' } })).toBe(
      'FORBIDDEN',
    );
    expect(await ben.refused(SaveMessage, { input: { savedMessageId: open.id, note: 'x' } })).toBe(
      'FORBIDDEN',
    );
    expect(await ben.refused(SaveMessage, { input: { messageId: (await say(aki, roomId, 'new')).id } })).toBe(
      'FORBIDDEN',
    );
    expect((await save(ben, { savedMessageId: open.id, visibility: 'PRIVATE' })).visibility).toBe('PRIVATE');
    const { removeSavedMessage } = await ben.do(RemoveSavedMessage, { input: { messageId: message.id } });
    expect(removeSavedMessage).toEqual({
      removed: { id, visibility: 'PRIVATE', note: 'mine', tags: ['a', 'b'], remindAt: null },
      message: null,
    });
    await ben.do(JoinRoom, { roomId });
    expect((await save(ben, { savedMessageId: open.id, visibility: 'PUBLIC' })).message?.id).toBe(other.id);
  });

  test('a deleted message is the message with deletedAt', async () => {
    const { aki, ben, message } = await room();
    const { id } = await save(ben, { messageId: message.id });
    await aki.do(DeleteMessage, { messageId: message.id });
    const { node } = await ben.do(SavedNode, { id });
    expect(node).toMatchObject({ message: { id: message.id } });
  });

  test.each([
    [{}, 'input.messageId'],
    [{ both: true }, 'input.savedMessageId'],
    [{ tags: ['a'], addTags: ['b'] }, 'input.addTags'],
    [{ tags: ['a'], removeTags: ['b'] }, 'input.removeTags'],
    [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'input.tags'],
    [{ tags: ['x'.repeat(41)] }, 'input.tags'],
    [{ addTags: ['a#b'] }, 'input.addTags'],
    [{ addTags: ['a\u202eb'] }, 'input.addTags'],
    [{ note: 'x'.repeat(251) }, 'input.note'],
    [{ note: ' ' }, 'input.note'],
  ])('refuses %j, and names the field', async (wrong, field) => {
    const { ben, message } = await room();
    const saved = await save(ben, { messageId: message.id });
    const { both = false, ...input } = { ...wrong } as Input & { both?: boolean };
    const ids = Object.keys(wrong).length === 0 ? {} : { messageId: message.id };
    const given = { ...input, ...ids, ...(both ? { savedMessageId: saved.id } : {}) };
    expect(await refusal(ben, given)).toMatchObject({ code: 'BAD_USER_INPUT', field });
    expect(await countsOf(ben)).toEqual({ total: 1, public: 0, private: 1, untagged: 1 });
  });

  test('refuses more than 20 tags in all', async () => {
    const { ben, message } = await room();
    await save(ben, { messageId: message.id, tags: Array.from({ length: 19 }, (_, i) => `t${i}`) });
    expect(await refusal(ben, { messageId: message.id, addTags: ['a', 'b'] })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'input.addTags',
      limit: 20,
    });
  });

  test('refuses an old version, and ids of others', async () => {
    const { aki, ben, message } = await room();
    const { id } = await save(ben, { messageId: message.id });
    await save(ben, { savedMessageId: id, note: 'two', version: 1 });
    for (const input of [
      { savedMessageId: id, version: 1 },
      { messageId: message.id, version: 3 },
    ]) {
      expect(await refusal(ben, input)).toMatchObject({ code: 'CONFLICT', reason: 'VERSION_CHANGED' });
    }
    expect(await refusal(aki, { messageId: message.id, version: 1 })).toMatchObject({
      reason: 'VERSION_CHANGED',
    });
    expect(await aki.refused(SaveMessage, { input: { savedMessageId: id } })).toBe('NOT_FOUND');
    const ownId = encodeId('SavedMessage', rawId(id).replace(ben.id, aki.id));
    expect(await aki.refused(SaveMessage, { input: { savedMessageId: ownId } })).toBe('NOT_FOUND');
    for (const wrong of ['', 'x', message.id]) {
      expect(await aki.refused(SaveMessage, { input: { savedMessageId: wrong } })).toBe('NOT_FOUND');
    }
    expect(await aki.refused(RemoveSavedMessage, { input: { savedMessageId: id } })).toBe('NOT_FOUND');
  });
});

describe('removeSavedMessage', () => {
  test('answers what it removed, and saving it again continues id and version', async () => {
    const { ben, message } = await room();
    const saved = await save(ben, {
      messageId: message.id,
      tags: ['a', 'b'],
      note: 'n',
      visibility: 'PUBLIC',
    });
    const remove = () => ben.do(RemoveSavedMessage, { input: { messageId: message.id } });
    expect((await remove()).removeSavedMessage).toEqual({
      removed: { id: saved.id, visibility: 'PUBLIC', note: 'n', tags: ['a', 'b'], remindAt: null },
      message: { id: message.id },
    });
    expect((await remove()).removeSavedMessage.removed).toBeNull();
    expect((await ben.do(SavedNode, { id: saved.id })).node).toBeNull();
    expect(await countsOf(ben)).toEqual({ total: 0, public: 0, private: 0, untagged: 0 });
    const stored = await storedOf(app.dynamo, ben.id);
    expect([stored.entries, stored.faults]).toEqual([[], []]);
    const again = await save(ben, { messageId: message.id });
    expect(again).toMatchObject({ id: saved.id, version: 3, tags: [], visibility: 'PRIVATE' });
  });
});

describe('node', () => {
  test('finds public ones for those who see the message, and private ones for their owner', async () => {
    const { aki, ben, roomId, message } = await room();
    const [chi] = await people(app, 1);
    const { id } = await save(ben, { messageId: message.id, note: 'hidden', tags: ['secret'] });
    expect((await ben.do(SavedNode, { id })).node).toMatchObject({ version: 1 });
    expect((await aki.do(SavedNode, { id })).node).toBeNull();
    await save(ben, { savedMessageId: id, visibility: 'PUBLIC' });
    expect((await aki.do(SavedNode, { id })).node).toMatchObject({
      note: 'hidden',
      tags: ['secret'],
      version: null,
    });
    expect((await chi.do(SavedNode, { id })).node).toBeNull();
    await aki.do(LeaveRoom, { roomId }).catch(() => {});
    await save(ben, { savedMessageId: id, visibility: 'PRIVATE' });
    expect((await aki.do(SavedNode, { id })).node).toBeNull();
  });
});
