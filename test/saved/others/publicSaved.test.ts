/** What users see of the saved messages of others, and what they must not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_MAX } from '../../../src/core/pages.ts';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { createSystemSecret } from '../../../src/dynamo/systemSecret.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import type { MessageKey } from '../../../src/messages/message.ts';
import { type SavedEntry, savedId } from '../../../src/saved/entry.ts';
import { endsPage } from '../../../src/saved/others/pageEnd.ts';
import type { PublicSavedQueryVariables, SaveMessageInput } from '../../generated/graphql.ts';
import { JoinRoom, LeaveRoom } from '../../support/clients/operations.ts';
import {
  globalId,
  messageKey,
  type Person,
  people,
  rawId,
  roomOf,
  say,
} from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { writeSavedMessages } from '../support/bulk.ts';
import {
  PublicSaved,
  PublicSavedTags,
  PublicSaves,
  RemoveSavedMessage,
  RenameSavedTag,
  SavedMessages,
  SavedNode,
  SavedTags,
  SaveMessage,
} from '../support/operations.ts';
import { walk, walkBack } from '../support/walk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app?.stop());

type Filter = Omit<PublicSavedQueryVariables, 'id'>;

/** What one user sees of the other's list. */
const ask =
  (by: Person, of: Person, filter: Filter = {}) =>
  async (page: object) => {
    const { node } = await by.do(PublicSaved, { id: globalId(of), ...filter, ...page });
    if (node === null || !('savedMessages' in node)) throw new Error('There is no user.');
    return node.savedMessages;
  };
const bodies = async (by: Person, of: Person, filter: Filter = {}, size = 50) =>
  (await walk(ask(by, of, filter), size)).map(({ message }) => message?.body);
const tagsOf = (by: Person, of: Person) => async (page: object) => {
  const { node } = await by.do(PublicSavedTags, { id: globalId(of), ...page });
  if (node === null || !('savedTags' in node)) throw new Error('There is no user.');
  return node.savedTags;
};
const saversOf = (by: Person, id: string) => async (page: object) => {
  const { node } = await by.do(PublicSaves, { id, ...page });
  if (node === null || !('publicSaves' in node)) throw new Error('There is no message.');
  return { ...node.publicSaves, count: node.publicSaveCount, version: node.version };
};
const save = async (by: Person, input: SaveMessageInput) =>
  (await by.do(SaveMessage, { input })).saveMessage.savedMessage;
const publish = (by: Person, messageId: string, tags: string[] = []) =>
  save(by, { messageId, visibility: 'PUBLIC', tags, note: 'note' });

type Scene = Awaited<ReturnType<typeof inRooms>>;

/** Ben is with Aki in one room, and with Chi in another one. */
async function inRooms() {
  const [aki, ben, chi] = await people(app, 3);
  const [roomId, hidden] = [await roomOf(aki, [ben]), await roomOf(chi, [ben], { visibility: 'PUBLIC' })];
  return { aki, ben, chi, roomId, hidden };
}

const ORDERS = ['SAVED_NEWEST', 'SAVED_OLDEST', 'MESSAGE_NEWEST', 'MESSAGE_OLDEST'] as const;

/** Saved one after another, with one tag. */
const publicEntries = ({ id: user }: Person, messages: readonly MessageKey[]): SavedEntry[] =>
  messages.map((key, i) => ({
    ...key,
    user,
    savedAt: toTimestamp(1_000_000 + i),
    visibility: 'PUBLIC',
    note: null,
    remindAt: null,
    version: 1,
    tags: ['t'],
  }));

describe('User.savedMessages', () => {
  test('has the public ones whose message the viewer may see, in every order and page by page', async () => {
    const { aki, ben, chi, roomId, hidden } = await inRooms();
    for (const i of [0, 1, 2, 3, 4, 5, 6]) {
      const { id } = await say(ben, i % 2 === 0 ? roomId : hidden, `m${i}`);
      await publish(ben, id, i < 4 ? ['Some'] : []);
    }
    await save(ben, { messageId: (await say(ben, roomId, 'private')).id, tags: ['some'] });
    const shared = ['m0', 'm2', 'm4', 'm6'];
    for (const orderBy of ORDERS) {
      const inOrder = orderBy.endsWith('NEWEST') ? shared.toReversed() : shared;
      for (const size of [1, 2, 3, 50]) expect(await bodies(aki, ben, { orderBy }, size)).toEqual(inOrder);
      const tagged = inOrder.filter((body) => ['m0', 'm2'].includes(body));
      expect(await bodies(aki, ben, { orderBy, tag: 'SOME' }, 1)).toEqual(tagged);
    }
    expect(await bodies(chi, ben)).toEqual(['m5', 'm3', 'm1']);
    expect(await bodies(ben, ben)).toHaveLength(7);
    const { edges } = await ask(aki, ben)({ first: 1 });
    expect(edges[0]?.node).toMatchObject({
      note: 'note',
      tags: [],
      visibility: 'PUBLIC',
      savedBy: { id: globalId(ben) },
      remindAt: null,
      version: null,
    });
    // What follows are messages of the other room only.
    const last = await ask(aki, ben, { orderBy: 'SAVED_OLDEST' })({ first: 4 });
    expect(last.pageInfo).toMatchObject({ hasNextPage: false });
  });

  test('has nothing more of a room after the viewer has left it', async () => {
    const { aki, ben, roomId } = await inRooms();
    const [one, two] = [await say(aki, roomId, 'one'), await say(aki, roomId, 'two')];
    for (const { id } of [one, two]) await publish(ben, id, ['a']);
    const { endCursor } = (await ask(ben, ben)({ first: 1 })).pageInfo;
    expect(await bodies(ben, ben)).toEqual(['two', 'one']);
    await ben.do(LeaveRoom, { roomId });
    expect(await bodies(ben, ben)).toEqual([]);
    expect((await ask(ben, ben)({ after: endCursor })).edges).toEqual([]);
    expect(await bodies(aki, ben)).toEqual(['two', 'one']);
  });

  test('examines at most 200 for a page, and continues after them', async () => {
    const { aki, ben, roomId, hidden } = await inRooms();
    const seen = (await say(ben, roomId, 'seen')).id;
    await ben.do(SavedMessages, {});
    const hiddenKeys = Array.from({ length: 200 }, (_, i): MessageKey => {
      const ts = toTimestamp(1_001 + i);
      return { room: rawId(hidden), threadTs: ts, ts };
    });
    await writeSavedMessages(app.dynamo, publicEntries(ben, [messageKey(seen), ...hiddenKeys]));
    for (const filter of [{}, { tag: 't' }]) {
      const first = await ask(aki, ben, filter)({ first: 10 });
      expect([first.edges, first.pageInfo.hasNextPage]).toEqual([[], true]);
      // It does not say whether what is hidden has changed.
      const again = await ask(aki, ben, filter)({ first: 10 });
      expect(again.pageInfo.endCursor).not.toBe(first.pageInfo.endCursor);
      const second = await ask(aki, ben, filter)({ first: 10, after: first.pageInfo.endCursor });
      expect(second.edges.map(({ node }) => node.message?.body)).toEqual(['seen']);
      expect(second.pageInfo.hasNextPage).toBe(false);
    }
  });

  test.each([105, 109])(
    'a page ends where the secret says, after row %i, from wherever it began',
    async (last) => {
      const { aki, ben, roomId, hidden } = await inRooms();
      const secret = await createSystemSecret(app.dynamo, 'cursors')();
      const said: string[] = [];
      for (let i = 0; i < 12; i++) said.push((await say(ben, roomId, `m${i}`)).id);
      await ben.do(SavedMessages, {});
      const HIDDEN = 145;
      let next = 1_000;
      const hiddenKey = (ends: boolean): MessageKey => {
        for (;;) {
          const ts = toTimestamp(next++);
          const key = { room: rawId(hidden), threadTs: ts, ts };
          if (endsPage(secret, ben.id, key) === ends) return key;
        }
      };
      // 11 visible ones, then hidden ones of which one ends pages, then a visible one.
      const rows = [
        ...said.slice(0, 11).map(messageKey),
        ...Array.from({ length: HIDDEN }, (_, i) => hiddenKey(i + 11 === last)),
        ...said.slice(11).map(messageKey),
      ];
      await writeSavedMessages(app.dynamo, publicEntries(ben, rows));
      /** Whether a page that begins after each visible entry before the hidden ones reaches the one behind them. */
      const reached = async (by: Person, filter: Filter) => {
        const { edges } = await ask(by, ben, filter)({ first: 11 });
        expect(edges).toHaveLength(11);
        const reaches: boolean[] = [];
        for (const { cursor } of edges) {
          const page = await ask(by, ben, filter)({ first: 20, after: cursor });
          reaches.push(page.edges.some(({ node }) => node.message?.body === 'm11'));
        }
        return reaches;
      };
      // A page examines 101 rows at least: those that begin up to 101 rows before that row end at it.
      const expected = said.slice(0, 11).map((_, i) => i + PAGE_MAX + 1 > last);
      expect(new Set(expected).size).toBe(2);
      expect(await reached(aki, { orderBy: 'SAVED_OLDEST' })).toEqual(expected);
      // In another list, or for another user, it says nothing new.
      expect(await reached(aki, { orderBy: 'SAVED_OLDEST', tag: 't' })).toEqual(expected);
      const [chi] = await people(app, 1);
      await chi.do(JoinRoom, { roomId });
      expect(await reached(chi, { orderBy: 'SAVED_OLDEST' })).toEqual(expected);
      expect(await bodies(aki, ben, { orderBy: 'SAVED_OLDEST' }, 20)).toHaveLength(12);
    },
  );

  test('a cursor says nothing, and is of one list and one viewer', async () => {
    const { aki, ben, roomId } = await inRooms();
    for (const text of ['one', 'two']) await publish(ben, (await say(aki, roomId, text)).id, ['a']);
    await publish(aki, (await say(aki, roomId, 'three')).id);
    const cursor = async (by: Person, of: Person, filter: Filter = {}) =>
      (await ask(by, of, filter)({ first: 1 })).pageInfo.endCursor ?? '';
    const own = await cursor(aki, ben);
    expect(Buffer.from(own, 'base64url').toString('latin1')).not.toMatch(/\d{5}/);
    expect(await cursor(aki, ben)).toBe(own);
    expect(await cursor(aki, ben, { tag: 'a' })).toHaveLength(own.length);
    const changed = `${own.slice(0, -2)}${own.endsWith('AA') ? 'BB' : 'AA'}`;
    const page = (await ben.do(SavedMessages, { visibility: 'PUBLIC' })).viewer.savedMessages;
    const foreign = [
      ...[await cursor(ben, ben), await cursor(aki, aki), await cursor(aki, ben, { tag: 'a' })],
      ...[await cursor(aki, ben, { orderBy: 'SAVED_OLDEST' }), changed, `${own}A`, 'x', '', 'x'.repeat(600)],
      page.pageInfo.endCursor,
    ];
    const refused = (after: string | null | undefined) =>
      aki.refused(PublicSaved, { id: globalId(ben), after });
    for (const after of foreign) expect(await refused(after)).toBe('BAD_USER_INPUT');
    expect(await refused(own)).toBeUndefined();
  });

  test.each([
    [{ tag: 'a#b' }, 'tag'],
    [{ tag: '' }, 'tag'],
    [{ tag: 'x'.repeat(41) }, 'tag'],
    [{ tag: 'a\u202Eb' }, 'tag'],
    [{ first: 0 }, 'first'],
  ])('refuses %j', async (filter, field) => {
    const { aki, ben } = await inRooms();
    const { errors } = await aki.send(PublicSaved, { id: globalId(ben), ...filter });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field });
  });
});

describe('User.savedTags', () => {
  test('has the public tags with public counts, for those who share a room', async () => {
    const { aki, ben, chi, roomId } = await inRooms();
    const [dan] = await people(app, 1);
    const sent = [];
    for (const text of ['one', 'two', 'three']) sent.push((await say(aki, roomId, text)).id);
    const [one = '', two = '', three = ''] = sent;
    await publish(ben, one, ['Work', 'b']);
    await publish(ben, two, ['work']);
    await save(ben, { messageId: three, tags: ['work', 'secret'] });
    const expected = [
      { name: 'b', count: 1 },
      { name: 'Work', count: 2 },
    ];
    // Chi shares another room with Ben, and does not see these messages.
    for (const viewer of [aki, ben, chi])
      for (const size of [1, 50]) expect(await walk(tagsOf(viewer, ben), size)).toEqual(expected);
    expect(await walk(tagsOf(dan, ben), 50)).toEqual([]);

    await save(ben, { messageId: one, visibility: 'PRIVATE' });
    expect(await walk(tagsOf(aki, ben), 50)).toEqual([{ name: 'Work', count: 1 }]);
    const { endCursor } = (await tagsOf(aki, ben)({ first: 1 })).pageInfo;
    expect(await chi.refused(PublicSavedTags, { id: globalId(ben), after: endCursor })).toBe(
      'BAD_USER_INPUT',
    );
    await ben.do(LeaveRoom, { roomId });
    expect(await walk(tagsOf(aki, ben), 50)).toEqual([]);
    expect(await walk(tagsOf(ben, ben), 50)).toEqual([{ name: 'Work', count: 1 }]);
  });
});

describe('Message.publicSaves', () => {
  test('has who saved it publicly, the last one first, and how many, without a new version', async () => {
    const { aki, ben, roomId } = await inRooms();
    const { id } = await say(aki, roomId, 'one');
    const before = await saversOf(aki, id)({});
    expect(before).toMatchObject({ edges: [], count: 0 });
    const saved = [];
    for (const person of [ben, aki]) saved.push((await publish(person, id, ['a'])).id);
    for (const size of [1, 2]) {
      const nodes = await walk(saversOf(ben, id), size);
      expect(nodes.map((node) => node.id)).toEqual(saved.toReversed());
      expect(await walkBack(saversOf(ben, id), size)).toEqual(nodes);
      // Only of the viewer's own.
      expect(nodes.map(({ version }) => version)).toEqual([null, 1]);
    }
    expect(await saversOf(aki, id)({})).toMatchObject({ count: 2, version: before.version });
    await save(ben, { messageId: id, visibility: 'PRIVATE' });
    const { count, edges, version } = await saversOf(aki, id)({});
    expect([count, edges.length, version]).toEqual([1, 1, before.version]);
    await aki.do(RemoveSavedMessage, { input: { messageId: id } });
    expect(await saversOf(ben, id)({})).toMatchObject({ edges: [], count: 0 });
    const cursor = (await saversOf(ben, id)({})).pageInfo.endCursor;
    expect(cursor).toBeNull();
  });

  test('refuses a cursor of another message', async () => {
    const { aki, ben, roomId } = await inRooms();
    const [one, two] = [await say(aki, roomId, 'one'), await say(aki, roomId, 'two')];
    for (const { id } of [one, two]) await publish(ben, id);
    const { endCursor } = (await saversOf(aki, one.id)({ first: 1 })).pageInfo;
    expect(await aki.refused(PublicSaves, { id: two.id, after: endCursor })).toBe('BAD_USER_INPUT');
    expect(await aki.refused(PublicSaves, { id: one.id, after: endCursor })).toBeUndefined();
  });
});

/** Everything of Ben that Aki can ask for, of these messages and tags. */
async function everything({ aki, ben }: Pick<Scene, 'aki' | 'ben'>, messageIds: string[], tags: string[]) {
  const parts: unknown[] = [];
  for (const tag of [null, ...tags])
    for (const orderBy of ORDERS) parts.push(await ask(aki, ben, { tag, orderBy })({ first: 5 }));
  parts.push(await tagsOf(aki, ben)({}), await tagsOf(aki, ben)({ first: 1 }));
  for (const id of messageIds) {
    const key = { user: ben.id, ...messageKey(id) };
    parts.push(await saversOf(aki, id)({}));
    parts.push(await aki.do(SavedNode, { id: encodeId('SavedMessage', savedId(key)) }));
  }
  return parts;
}

test('what is private leaves no trace in what others read', async () => {
  const { aki, ben, roomId } = await inRooms();
  const [one, two] = [(await say(aki, roomId, 'one')).id, (await say(aki, roomId, 'two')).id];
  await publish(ben, one, ['open']);
  const seen = () => everything({ aki, ben }, [one, two], ['open', 'hidden']);
  const before = await seen();
  expect(JSON.stringify(before)).toContain('open');
  const changes: SaveMessageInput[] = [
    { messageId: two },
    { messageId: two, tags: ['open', 'hidden'] },
    { messageId: two, note: 'hidden', remindAt: new Date(Date.now() + 3_600_000).toISOString() },
    { messageId: two, tags: ['other'] },
  ];
  for (const change of changes) {
    await save(ben, change);
    expect(await seen()).toEqual(before);
  }
  await ben.do(RemoveSavedMessage, { input: { messageId: two } });
  expect(await seen()).toEqual(before);
  // It would show if it were public.
  await publish(ben, two, ['hidden']);
  expect(await seen()).not.toEqual(before);
});

/**
 * The same, with ids and cursors numbered in the order in which they first occur: what differs only in random parts is
 * equal.
 */
function numbered(parts: unknown): unknown {
  const numbers = new Map<unknown, number>();
  const isRandom = (name: string) => ['id', 'cursor', 'startCursor', 'endCursor'].includes(name);
  const text = JSON.stringify(parts, (name, value: unknown) => {
    if (!isRandom(name) || value === null) return value;
    numbers.set(value, numbers.get(value) ?? numbers.size);
    return numbers.get(value);
  });
  return JSON.parse(text);
}

/**
 * All that Aki reads while a tag has public messages, none, and one again. `isHeld`: a private one has it all the time.
 */
async function readWhileGone(name: string, isHeld: boolean): Promise<unknown> {
  const { aki, ben, roomId } = await inRooms();
  const sent: string[] = [];
  for (const text of ['one', 'two', 'three']) sent.push((await say(aki, roomId, text)).id);
  const [one = '', two = '', three = ''] = sent;
  const seen: unknown[] = [];
  const look = async () => {
    seen.push(await everything({ aki, ben }, sent, ['work', 'office', 'a']));
  };
  await publish(ben, one, ['a', 'work', 'z']);
  if (isHeld) await save(ben, { messageId: two, tags: ['work'] });
  await look();
  const ofTag = (await ask(aki, ben, { tag: 'work' })({})).pageInfo.endCursor;
  const ofTags = (await tagsOf(aki, ben)({ first: 2 })).pageInfo.endCursor;
  await ben.do(RemoveSavedMessage, { input: { messageId: one } });
  await look();
  if (isHeld && name !== 'work') {
    const { edges } = (await ben.do(SavedTags, { prefix: 'work' })).viewer.savedTags;
    await ben.do(RenameSavedTag, { input: { tagId: edges[0]?.node.id ?? '', name } });
  }
  await publish(ben, three, ['a', name, 'z']);
  await look();
  for (const orderBy of ORDERS) seen.push(await ask(aki, ben, { tag: name, orderBy })({ first: 1 }));
  seen.push(await ask(aki, ben, { tag: 'work' })({ after: ofTag }));
  seen.push(await tagsOf(aki, ben)({ after: ofTags }));
  expect(seen.at(-1)).toMatchObject({ edges: [{ node: { name: 'z' } }] });
  if (isHeld) await ben.do(RemoveSavedMessage, { input: { messageId: two } });
  await look();
  return numbered(seen);
}

test.each(['work', 'office'])(
  'a tag that was gone and is public again, as "%s", does not say whether something private had it meanwhile',
  async (name) => {
    expect(await readWhileGone(name, true)).toEqual(await readWhileGone(name, false));
  },
);
