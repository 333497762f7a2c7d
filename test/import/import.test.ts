import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCommandServices } from '../../src/app/commandServices.ts';
import { OutageError } from '../../src/core/errors.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { discardImport } from '../../src/import/discard.ts';
import { ImportStopped, NotImportable } from '../../src/import/problems.ts';
import { counterOf, seatsOf } from '../../src/rooms/room.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { recount } from '../verify/support/recount.ts';
import { exported, importExport } from './support/files.ts';
import { derive, type Made, make, type Step } from './support/rooms.ts';

const STEPS: readonly Step[] = [
  { do: 'post', by: 0, body: 'One, for @ben' },
  { do: 'reply', by: 1, body: 'Two', to: 0 },
  { do: 'like', by: 2, to: 0 },
  { do: 'stamp', by: 1, to: 1, stamp: '👍' },
  { do: 'post', by: 2, body: 'Three' },
  { do: 'edit', to: 2, body: 'Four' },
];

let here: TestDynamo;
let there: TestDynamo;
beforeAll(async () => {
  here = await openTestDynamo();
  there = await openTestDynamo();
});
afterAll(async () => {
  await here?.stop();
  await there?.stop();
});

const madeHere = (): Promise<Made> => make(here.dynamo, STEPS, 'PUBLIC');

async function problemsOf(run: Promise<unknown>): Promise<readonly string[]> {
  const error = await run.catch((reason: unknown) => reason);
  if (!(error instanceof NotImportable)) throw error;
  return error.problems.map(({ place, message }) => `${place}: ${message}`);
}

/** The number that a condition names: the write after which everything fails. */
class Killed extends Error {}

/** A database that answers this many writes, apart from those of the lock. */
function dyingAfter(dynamo: Dynamo, writes: number): Dynamo {
  let left = writes;
  const live = () => {
    if (left-- <= 0) throw new Killed();
  };
  const isLock = (key: { readonly pk: string }) => key.pk.startsWith('STREAM#');
  return {
    ...dynamo,
    async put(item, guard) {
      if (!isLock(item)) live();
      return dynamo.put(item, guard);
    },
    async update(key, expression) {
      if (!isLock(key)) live();
      return dynamo.update(key, expression);
    },
    async remove(key, guard) {
      if (!isLock(key)) live();
      return dynamo.remove(key, guard);
    },
    async transact(items, options) {
      live();
      return dynamo.transact(items, options);
    },
    async tryTransact(items, options) {
      live();
      return dynamo.tryTransact(items, options);
    },
  };
}

describe('import of an export', () => {
  test('import: is continued after it was ended at any write', async () => {
    const { room } = await madeHere();
    const text = await exported(here.dynamo, room);
    let deaths = 0;
    for (let writes = 0; ; writes++) {
      const dynamo = dyingAfter(there.dynamo, writes);
      const outcome = await importExport(dynamo, text).catch((error: unknown) => error);
      if (!(outcome instanceof Killed)) break;
      deaths++;
      // What exists is right.
      expect(await recount(there.dynamo)).toEqual([]);
    }
    expect(deaths).toBeGreaterThan(3);
    expect(await exported(there.dynamo, room)).toBe(text);
    expect(await there.dynamo.get(keys.roomImport(room))).toBeUndefined();
  });

  test('import: says that it can be continued if the database goes away, also with the lock', async () => {
    const { room } = await madeHere();
    const text = await exported(here.dynamo, room);
    let isAway = false;
    const reach = () => {
      if (isAway) throw new OutageError();
    };
    const dynamo: Dynamo = {
      ...there.dynamo,
      async update(key, expression) {
        reach();
        return there.dynamo.update(key, expression);
      },
      async tryTransact(writes, options) {
        // The messages are there.
        if ('counter' in writes) isAway = true;
        reach();
        return there.dynamo.tryTransact(writes, options);
      },
    };
    const error = await importExport(dynamo, text).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ImportStopped);
    expect((error as Error).message).toBe(
      'The import has stopped before its end: the database did not respond, or was too busy. When it responds again, run the same command: it continues.',
    );
    await importExport(there.dynamo, text);
    expect(await exported(there.dynamo, room)).toBe(text);
  });

  test('import: does not continue where an import of other content has ended', async () => {
    const { room } = await madeHere();
    const text = await exported(here.dynamo, room);
    const isBegun = async () => (await there.dynamo.get(keys.roomImport(room))) !== undefined;
    for (let writes = 0; !(await isBegun()); writes++) {
      await importExport(dyingAfter(there.dynamo, writes), text).catch(() => undefined);
    }
    const [first = '', ...lines] = text.trimEnd().split('\n');
    const other = [first, ...lines.slice(0, -1)].join('\n');
    expect(await problemsOf(importExport(there.dynamo, other))).toEqual([
      `input.ndjson:1: An import of other content into this room has not ended. Run that one again with the same options, or give it up: npm run -s import -- --discard ${encodeId('Room', room)}`,
    ]);
    await importExport(there.dynamo, text);
    expect(await exported(there.dynamo, room)).toBe(text);
  });

  test('import: one that was ended at any write is given up without a trace, or with the room', async () => {
    const { room } = await madeHere();
    const text = await exported(here.dynamo, room);
    const found = new Set<string>();
    for (let writes = 0; ; writes++) {
      const before = [...withoutLock(await dump(there.dynamo))].filter(([key]) => key.includes(room));
      expect(before).toEqual([]);
      const outcome = await importExport(dyingAfter(there.dynamo, writes), text).catch(
        (error: unknown) => error,
      );
      const discarded = await discardImport({ dynamo: there.dynamo, room, now: Date.now });
      found.add(discarded);
      expect(await recount(there.dynamo)).toEqual([]);
      expect(await there.dynamo.get(keys.roomImport(room))).toBeUndefined();
      if (discarded === 'KEPT' || !(outcome instanceof Killed)) break;
    }
    expect([...found]).toEqual(['NONE', 'REMOVED', 'KEPT']);
    // The room is as others are: the same lines change nothing.
    expect(await importExport(there.dynamo, text)).toMatchObject({ newRooms: 0, newMessages: 0 });
    expect(await exported(there.dynamo, room)).toBe(text);
  });

  test.each([undefined, 1_000])(
    'import: adds messages to a room with members only as unread, and counts them (rate: %s)',
    async (rate) => {
      const { room, people, sent } = await madeHere();
      await importExport(there.dynamo, await exported(here.dynamo, room));
      const { messages, likes } = createCommandServices(here.dynamo, silent);
      const [author = ''] = people;
      const [first] = sent;
      if (first === undefined) throw new Error('Nothing was sent.');
      const more = await messages.send({ room, author, body: 'Five' });
      await messages.send({ room, author, body: 'Six', replyTo: more });
      const late = await messages.send({ room, author, body: 'Seven', replyTo: first });
      await likes.add(people[1] ?? '', late);
      await derive(here.dynamo);
      const text = await exported(here.dynamo, room);
      const before = await dump(there.dynamo);
      const [problem, ...others] = await problemsOf(importExport(there.dynamo, text));
      expect(problem).toBe(
        'input.ndjson:1: The room has members, and these 3 messages would be unread for them. Add --unread if that is meant.',
      );
      expect(others).toEqual([]);
      expect(withoutLock(await dump(there.dynamo))).toEqual(withoutLock(before));

      const added = await importExport(there.dynamo, text, { unread: true, rate });
      expect(added).toMatchObject({ newMessages: 3 });
      const versions = /"version":\d+/g;
      const now = await exported(there.dynamo, room);
      expect(now.replace(versions, '')).toBe(text.replace(versions, ''));
      expect(await recount(there.dynamo)).toEqual([]);
      const counter = counterOf((await there.dynamo.get(keys.counter(room))) ?? {});
      expect(counter).toMatchObject({ lastPosition: 3, newestRoot: more.ts });
      // The two roots of before count as read.
      expect(await there.dynamo.get(keys.membership(author, room))).toMatchObject({ readPosition: 2 });
      expect(await importExport(there.dynamo, text)).toMatchObject({ newMessages: 0 });
    },
  );

  test('import: leaves what changed in the table since, and does not bring back who has left', async () => {
    const { room, people } = await madeHere();
    const text = await exported(here.dynamo, room);
    await importExport(there.dynamo, text);
    const { messages, rooms, likes } = createCommandServices(there.dynamo, silent);
    const [author = '', other = ''] = people;
    const { nodes } = await messages.roots(room, { limit: 1, direction: 'forward', from: undefined });
    const [root] = nodes;
    if (root === undefined) throw new Error('There is no root.');
    // Imported messages are as others.
    await messages.edit(author, root, 'Changed here');
    await likes.add(author, root);
    await messages.send({ room, author, body: 'A reply', replyTo: root });
    await rooms.leave(other, room);
    const changed = await exported(there.dynamo, room);
    await importExport(there.dynamo, text);
    expect(await exported(there.dynamo, room)).toBe(changed);
    expect(seatsOf((await there.dynamo.get(keys.seats(room))) ?? {})).toMatchObject({ taken: 3, owners: 1 });
    expect(await recount(there.dynamo)).toEqual([]);
  });

  test('import: lists by line all that is wrong, and writes nothing', async () => {
    const { room } = await madeHere();
    const lines = (await exported(here.dynamo, room)).trimEnd().split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"type":"thread"'));
    const changed = (change: (thread: Record<string, unknown>) => void): string => {
      const thread = JSON.parse(lines[at] ?? '');
      change(thread);
      return JSON.stringify(thread);
    };
    const bad = [
      '{"type":"thread"}',
      lines[0],
      '{',
      '{"type":"picture"}',
      lines[1],
      lines[1],
      changed((thread) => {
        thread.bodyWithIds = 'x'.repeat(4_001);
      }),
      changed((thread) => {
        thread.editedAt = '2999-01-01T00:00:00.000000Z';
      }),
      changed((thread) => {
        thread.author = {};
      }),
      lines[at],
      lines[at],
      lines[at + 1]?.replace('"format":2', '"format":1'),
    ].join('\n');
    const before = await dump(there.dynamo);
    const problems = await problemsOf(importExport(there.dynamo, bad));
    expect(problems.map((problem) => problem.slice('input.ndjson:'.length))).toEqual([
      expect.stringMatching(/^1: /),
      '3: It is not JSON.',
      '4: `type` must be `room`, `member`, `ban` or `thread`.',
      '6: This member was there before.',
      '7: `body` must have at most 4000 characters.',
      '8: `editedAt` must not be in the future.',
      '9: `author.id` is missing.',
      '11: This message has the same id as the one at input.ndjson:10.',
      '11: This message has the same id as the one at input.ndjson:10.',
    ]);
    expect(await dump(there.dynamo)).toEqual(before);
  });

  test('import: only one runs at a time', async () => {
    const { room } = await madeHere();
    const text = await exported(here.dynamo, room);
    const runs = [importExport(there.dynamo, text), importExport(there.dynamo, text)];
    const outcomes = await Promise.allSettled(runs);
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    // The second one may also have begun after the first one ended.
    for (const reason of reasons) expect(reason).toContain('Another import into this table is running');
    expect(reasons.length).toBeLessThan(2);
    expect(await exported(there.dynamo, room)).toBe(text);
  });
});

const withoutLock = (table: Awaited<ReturnType<typeof dump>>) =>
  [...table].filter(([key]) => !key.startsWith('STREAM#'));
