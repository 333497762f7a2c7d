/** Two devices at once, and a change at the moment in which the user leaves the room. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TsudoiError } from '../../src/core/errors.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { MessageKey } from '../../src/messages/message.ts';
import type { SavedChange } from '../../src/saved/change.ts';
import { createSaving } from '../../src/saved/saving.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { type Person, people, rawId, roomOf } from '../support/clients/people.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { listsOf, storedOf } from './support/stored.ts';

let app: TestApp;
let ben: Person;
let room = '';
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
  const [aki, other] = await people(app, 2);
  ben = other;
  room = rawId(await roomOf(aki, [ben]));
});
afterAll(() => app?.stop());

/** A device of Ben's on a server of its own. `before` runs before each of its transactions. */
const device = (before: () => Promise<unknown> | undefined = () => undefined) =>
  createSaving({ dynamo: beforeTransactions(app.dynamo, before), timestamps: createTimestamps() });
const newMessage = () => app.services.messages.send({ room, author: ben.id, body: 'something' });
const keyOf = ({ room: of, threadTs, ts }: MessageKey) => ({ user: ben.id, room: of, threadTs, ts });
const save = (by: ReturnType<typeof device>, message: MessageKey, change: SavedChange) =>
  by.save(keyOf(message), change, { known: false });

/** Runs once, before the first transaction of a device. */
function once(run: () => Promise<unknown>): () => Promise<unknown> | undefined {
  let isDone = false;
  return () => {
    if (isDone) return undefined;
    isDone = true;
    return run();
  };
}

test('two devices that each remove one of the last two tags leave one row of an untagged message', async () => {
  const message = await newMessage();
  await save(device(), message, { tags: validTagNames(['a', 'b']) });
  const other = device();
  const meanwhile = once(() => save(other, message, { removeTags: validTagNames(['a']) }));
  const entry = await save(device(meanwhile), message, { removeTags: validTagNames(['b']) });
  expect(entry).toMatchObject({ tags: [], version: 3 });
  expect(await listsOf(app.dynamo, ben.id, message)).toEqual(['PRIVATE#ALL', 'PRIVATE#UNTAGGED']);
  expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
});

test('a tag that is added while the message is removed: it is saved again, with that tag alone', async () => {
  const message = await newMessage();
  await save(device(), message, { tags: validTagNames(['a']), visibility: 'PUBLIC', note: 'n' });
  const meanwhile = once(() => device().remove(keyOf(message)));
  const entry = await save(device(meanwhile), message, { addTags: validTagNames(['b']) });
  expect(entry).toMatchObject({ visibility: 'PRIVATE', note: null, version: 3 });
  expect(entry.tags).toHaveLength(1);
  expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
});

test('a message is removed as it is, if a tag was added meanwhile', async () => {
  const message = await newMessage();
  await save(device(), message, { tags: validTagNames(['a']) });
  const meanwhile = once(() => save(device(), message, { addTags: validTagNames(['b']) }));
  expect((await device(meanwhile).remove(keyOf(message)))?.names).toEqual(['a', 'b']);
  expect(await listsOf(app.dynamo, ben.id, message)).toEqual([]);
  expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
});

test('of two devices with the same version, one is refused', async () => {
  const message = await newMessage();
  await save(device(), message, {});
  const meanwhile = once(() => save(device(), message, { note: 'one', version: 1 }));
  await expect(save(device(meanwhile), message, { note: 'two', version: 1 })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'VERSION_CHANGED' },
  });
});

test.each<readonly [string, SavedChange, string[]]>([
  ['is published', { visibility: 'PUBLIC' }, ['kept']],
  ['gets other tags', { tags: validTagNames(['new']) }, ['new']],
  ['loses its other tag', { removeTags: validTagNames(['kept']), visibility: 'PUBLIC' }, []],
  [
    'gets a tag of the same name',
    { addTags: validTagNames(['gone']), visibility: 'PUBLIC' },
    ['kept', 'gone'],
  ],
])('a message of which a tag is gone %s', async (_, change, wanted) => {
  const message = await newMessage();
  const { tags } = await save(device(), message, { tags: validTagNames(['gone', 'kept']) });
  await app.dynamo.remove(keys.savedTag(ben.id, tags[0] ?? ''));
  await app.dynamo.remove(keys.savedTagName(ben.id, 'gone'));
  const entry = await save(device(), message, change);
  expect(entry.version).toBe(2);
  const found = await app.dynamo.batchGet(entry.tags.map((tag) => keys.savedTag(ben.id, tag)));
  expect(found.map((item) => item?.name)).toEqual(wanted);
  const visibility = change.visibility ?? 'PRIVATE';
  const lists = ['ALL', ...(entry.tags.length === 0 ? ['UNTAGGED'] : entry.tags)];
  expect(await listsOf(app.dynamo, ben.id, message)).toEqual(
    lists.map((list) => `${visibility}#${list}`).sort(),
  );
  expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
  await device().remove(keyOf(message));
});

test.each<SavedChange>([
  { visibility: 'PUBLIC' },
  { visibility: 'PUBLIC', note: 'new' },
  { note: 'changed' },
])('nothing becomes public after its user has left the room: %j', async (change) => {
  const [aki, chi] = await people(app, 2);
  const own = rawId(await roomOf(aki, [chi]));
  const message = await app.services.messages.send({ room: own, author: aki.id, body: 'something' });
  const key = { ...keyOf(message), user: chi.id };
  const before: SavedChange = change.visibility === undefined ? { visibility: 'PUBLIC' } : { note: 'mine' };
  await device().save(key, before, { known: false });
  const meanwhile = once(() => app.services.rooms.leave(chi.id, own));
  await expect(device(meanwhile).save(key, change, { known: true })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  const { entries, faults } = await storedOf(app.dynamo, chi.id);
  expect(entries).toMatchObject([{ note: change.visibility === undefined ? null : 'mine', version: 1 }]);
  expect(faults).toEqual([]);
});

test('a message is not saved by a user who has just left', async () => {
  const [aki, chi] = await people(app, 2);
  const own = rawId(await roomOf(aki, [chi]));
  const message = await app.services.messages.send({ room: own, author: aki.id, body: 'something' });
  const meanwhile = once(() => app.services.rooms.leave(chi.id, own));
  const key = { ...keyOf(message), user: chi.id };
  await expect(device(meanwhile).save(key, {}, { known: false })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('a public message of a room that is deleted meanwhile can be made private, and removed', async () => {
  const [aki] = await people(app, 1);
  const own = rawId(await roomOf(aki));
  const message = await app.services.messages.send({ room: own, author: aki.id, body: 'something' });
  const key = { ...keyOf(message), user: aki.id };
  await device().save(key, { visibility: 'PUBLIC' }, { known: false });
  const { pk } = { pk: `ROOM#${own}` };
  const gone = once(() => app.dynamo.remove({ pk, sk: `SAVES#${message.threadTs}#${message.ts}` }));
  expect((await device(gone).save(key, { visibility: 'PRIVATE' }, { known: true })).visibility).toBe(
    'PRIVATE',
  );
  expect((await storedOf(app.dynamo, aki.id)).faults).toEqual([]);
});

/** Some processes end before or after a transaction. */
const ENDED = new Error('The process ended here.');

/** Replaces all of a message's tags, and ends the process after the first of the transactions that this takes. */
async function interruptedReplacement(visibility: 'PUBLIC' | 'PRIVATE') {
  const message = await newMessage();
  const names = (of: string) =>
    validTagNames(Array.from({ length: 20 }, (_, i) => `${of} ${message.ts} ${i}`));
  await save(device(), message, { visibility, tags: names('old') });
  let transactions = 0;
  const ending = device(() => (++transactions === 2 ? Promise.reject(ENDED) : undefined));
  await expect(save(ending, message, { tags: names('new') })).rejects.toBe(ENDED);
  return { message, names };
}

test.each(['PUBLIC', 'PRIVATE'] as const)(
  '%s: a replacement of all tags that was interrupted leaves what can be changed, finished and removed',
  async (visibility) => {
    const { message, names } = await interruptedReplacement(visibility);
    const other = visibility === 'PUBLIC' ? 'PRIVATE' : 'PUBLIC';
    for (const change of [
      { note: 'still mine' },
      { visibility: other },
      { removeTags: names('old') },
    ] as const) {
      expect(await save(device(), message, change)).toMatchObject({ note: 'still mine' });
    }
    expect((await save(device(), message, { tags: names('new') })).tags).toHaveLength(20);
    expect((await device().remove(keyOf(message)))?.names).toHaveLength(20);
    expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
  },
);

test.each(['remove', 'erase'] as const)(
  'a message can be gone (%s) after a replacement of all tags was interrupted',
  async (way) => {
    const { message } = await interruptedReplacement('PUBLIC');
    await device()[way](keyOf(message));
    expect(await listsOf(app.dynamo, ben.id, message)).toEqual([]);
    expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
  },
);

const POOL = ['a', 'b', 'c', 'd', 'e', ...Array.from({ length: 40 }, (_, i) => `t${i}`)];
const fewTags = fc.array(fc.constantFrom(...POOL.slice(0, 5)), { maxLength: 3 });
const manyTags = fc.shuffledSubarray(POOL, { minLength: 15, maxLength: 20 });
interface Step {
  readonly visibility?: 'PUBLIC' | 'PRIVATE';
  readonly note?: string | null;
  readonly tags?: string[];
  readonly addTags?: string[];
  readonly removeTags?: string[];
  readonly remindAt?: number | null;
}
const visibility = fc.constantFrom<'PUBLIC' | 'PRIVATE'>('PUBLIC', 'PRIVATE');
const note = fc.constantFrom('n', null);
const start = Date.now();
const remindAt = fc.constantFrom(null, ...[1, 2, 3].map((hours) => start + hours * 3_600_000));
const step: fc.Arbitrary<Step | 'remove'> = fc.oneof(
  fc.record({ visibility, note, addTags: fewTags, removeTags: fewTags, remindAt }, { requiredKeys: [] }),
  fc.record({ tags: fc.oneof(fewTags, manyTags), visibility, remindAt }, { requiredKeys: ['tags'] }),
  fc.constant<'remove'>('remove'),
);
/** Which message, what is done, and whether the process ends before (0) or after (1) a transaction. */
const commands = fc.array(fc.tuple(fc.nat({ max: 2 }), step, fc.nat({ max: 9 })), {
  minLength: 1,
  maxLength: 12,
});

const changeOf = ({ tags, addTags, removeTags, ...rest }: Step): SavedChange => ({
  ...rest,
  ...(tags === undefined ? {} : { tags: validTagNames(tags) }),
  ...(addTags === undefined ? {} : { addTags: validTagNames(addTags) }),
  ...(removeTags === undefined ? {} : { removeTags: validTagNames(removeTags) }),
});

/**
 * Two devices do every second of the steps each, at the same time. What is stored is compared after each transaction.
 */
async function race(steps: ReadonlyArray<readonly [number, Step | 'remove', number]>): Promise<void> {
  const messages = await Promise.all([0, 1, 2].map(newMessage));
  const check = async () => {
    const { entries, faults } = await storedOf(app.dynamo, ben.id);
    expect(faults).toEqual([]);
    expect(Math.max(0, ...entries.map(({ tags }) => tags.length))).toBeLessThanOrEqual(20);
  };
  const crashes = steps.map(([, , crash]) => crash);
  // No other transaction runs while what is stored is compared.
  let last: Promise<unknown> = Promise.resolve();
  const dynamo: typeof app.dynamo = {
    ...app.dynamo,
    tryTransact(...args) {
      const next = last.then(async () => {
        const crash = crashes.shift() ?? 9;
        if (crash === 0) throw ENDED;
        const failed = await app.dynamo.tryTransact(...args);
        await check();
        if (crash === 1) throw ENDED;
        return failed;
      });
      last = next.catch(() => {});
      return next;
    },
  };
  const devices = [0, 1].map(() => createSaving({ dynamo, timestamps: createTimestamps() }));
  await Promise.all(
    devices.map(async (by, i) => {
      for (const [which, done] of steps.filter((_, n) => n % 2 === i)) {
        const message = messages[which] as MessageKey;
        const run = done === 'remove' ? by.remove(keyOf(message)) : save(by, message, changeOf(done));
        await run.catch((error: unknown) => {
          if (error !== ENDED && (error as TsudoiError).code !== 'BAD_USER_INPUT') throw error;
        });
      }
    }),
  );
  for (const message of messages) await device().remove(keyOf(message));
  const { entries, faults } = await storedOf(app.dynamo, ben.id);
  expect(faults).toEqual([]);
  expect(entries.filter(({ ts }) => messages.some((message) => message.ts === ts))).toEqual([]);
}

/** One step after the other, compared with a plain value. */
async function compare(steps: ReadonlyArray<readonly [number, Step | 'remove', number]>): Promise<void> {
  const message = await newMessage();
  let model: Required<Pick<Step, 'visibility' | 'note' | 'tags' | 'remindAt'>> | undefined;
  for (const [, done] of steps) {
    if (done === 'remove') {
      expect((await device().remove(keyOf(message)))?.names).toEqual(model?.tags);
      model = undefined;
      continue;
    }
    const now = model ?? { visibility: 'PRIVATE' as const, note: null, tags: [], remindAt: null };
    const kept = now.tags.filter((tag) => done.removeTags?.includes(tag) !== true);
    const tags = [...new Set(done.tags ?? [...kept, ...(done.addTags ?? [])])];
    const saving = save(device(), message, changeOf(done));
    if (tags.length > 20) {
      await expect(saving).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
      continue;
    }
    model = {
      visibility: done.visibility ?? now.visibility,
      note: done.note === undefined ? now.note : done.note,
      tags,
      remindAt: done.remindAt === undefined ? now.remindAt : done.remindAt,
    };
    const entry = await saving;
    expect(entry).toMatchObject({ visibility: model.visibility, note: model.note, remindAt: model.remindAt });
    const items = await app.dynamo.batchGet(entry.tags.map((tag) => keys.savedTag(ben.id, tag)));
    expect(items.map((item) => item?.name)).toEqual(tags);
  }
  await device().remove(keyOf(message));
}

test.each([
  ['at every moment the rows, tags and counts are those of the entries, also after crashes', race],
  ['one change after the other has the effect that it has on a plain value', compare],
])(
  'model: %s',
  (_, holds) => {
    const { numRuns, within } = budget({ runs: 8, seconds: 8 });
    return fc.assert(fc.asyncProperty(commands, within(holds)), { numRuns, endOnFailure: true });
  },
  budget({ runs: 8, seconds: 8 }).timeout,
);
