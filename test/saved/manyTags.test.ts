/** Messages with more than 20 tags, which an earlier release could leave. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { MessageKey } from '../../src/messages/message.ts';
import type { SavedChange } from '../../src/saved/change.ts';
import { writeCounts } from '../../src/saved/counts.ts';
import { rowWrites, writeEntry } from '../../src/saved/entry.ts';
import { createSaving } from '../../src/saved/saving.ts';
import { newTag, writeTag } from '../../src/saved/tag.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { type Person, people, rawId, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { listsOf, storedOf } from './support/stored.ts';

let app: TestApp;
let ben: Person;
let room = '';
let saving: ReturnType<typeof createSaving>;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
  const [aki, other] = await people(app, 2);
  ben = other;
  room = rawId(await roomOf(aki, [ben]));
  saving = createSaving({ dynamo: app.dynamo, timestamps: createTimestamps() });
});
afterAll(() => app?.stop());

const newMessage = () => app.services.messages.send({ room, author: ben.id, body: 'something' });
const keyOf = ({ room: of, threadTs, ts }: MessageKey) => ({ user: ben.id, room: of, threadTs, ts });
const save = (message: MessageKey, change: SavedChange) =>
  saving.save(keyOf(message), change, { known: false });

/** A saved message as the release before could leave it: with the old and the new ones of its tags. */
async function withAllTags(visibility: 'PUBLIC' | 'PRIVATE') {
  const message = await newMessage();
  const names = validTagNames(Array.from({ length: 40 }, (_, i) => `of ${message.ts} ${i}`));
  const remindAt = Date.now() + 3_600_000;
  const entry = await save(message, { visibility, remindAt, tags: names.slice(0, 20) });
  const added = names.slice(20).map((name) => newTag(ben.id, newId(), name));
  const after = { ...entry, tags: [...entry.tags, ...added.map(({ id }) => id)], version: entry.version + 1 };
  const publicCount = visibility === 'PUBLIC' ? 1 : 0;
  await app.dynamo.transact([
    writeEntry(after, entry.version),
    ...rowWrites(entry, after),
    writeCounts(ben.id, [{ before: entry, after }]),
  ]);
  await app.dynamo.transact(added.flatMap((tag) => writeTag(tag, { count: 1, publicCount })));
  return message;
}

test.each([
  ['remove', 'PUBLIC'],
  ['remove', 'PRIVATE'],
  ['erase', 'PUBLIC'],
  ['erase', 'PRIVATE'],
] as const)('a message with 40 tags can be gone (%s, %s)', async (way, visibility) => {
  const message = await withAllTags(visibility);
  expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
  expect(await saving[way](keyOf(message))).toMatchObject({ entry: { visibility } });
  expect(await listsOf(app.dynamo, ben.id, message)).toEqual([]);
  expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
});

test.each(['PUBLIC', 'PRIVATE'] as const)('%s: a message with 40 tags can be changed', async (visibility) => {
  const saved = async () => {
    const message = await withAllTags(visibility);
    return { message, of: (...numbers: number[]) => numbers.map((i) => `of ${message.ts} ${i}`) };
  };
  const faults = async () => (await storedOf(app.dynamo, ben.id)).faults;
  const remindAt = Date.now() + 7_200_000;

  const { message, of } = await saved();
  expect(await save(message, { note: 'still mine', remindAt })).toMatchObject({
    note: 'still mine',
  });
  const fewer = await save(message, { removeTags: validTagNames(of(0, 39)) });
  expect(fewer.tags).toHaveLength(38);
  await expect(save(message, { addTags: validTagNames(['one more']) })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  // Too many writes for one transaction.
  const other = visibility === 'PUBLIC' ? 'PRIVATE' : 'PUBLIC';
  await expect(save(message, { visibility: other })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  expect(await faults()).toEqual([]);
  await saving.remove(keyOf(message));

  for (const tags of [[], ['x'], Array.from({ length: 20 }, (_, i) => `new ${i}`)]) {
    for (const change of [{}, { visibility: other }] as const) {
      const again = await saved();
      const entry = await save(again.message, { ...change, tags: validTagNames(tags) });
      expect(entry).toMatchObject({ visibility, ...change });
      expect(entry.tags).toHaveLength(tags.length);
      expect(await faults()).toEqual([]);
    }
  }
  const kept = await saved();
  const numbers = Array.from({ length: 20 }, (_, i) => i);
  const entry = await save(kept.message, {
    visibility: other,
    removeTags: validTagNames(kept.of(...numbers)),
  });
  expect(entry.visibility).toBe(other);
  expect(entry.tags).toHaveLength(20);
  expect(await faults()).toEqual([]);
});
