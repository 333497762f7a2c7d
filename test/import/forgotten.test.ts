/** A person who deletes their account while their messages are imported: none of what they wrote is left. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAccountDeletion } from '../../src/accountDeletion/accountDeletion.ts';
import { createAccountJob } from '../../src/accountDeletion/deletionJob.ts';
import { defined } from '../../src/core/defined.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keyOf, parseKey, ranges } from '../../src/dynamo/keys.ts';
import type { NextStep } from '../../src/jobs/jobs.ts';
import { createTableReader, type TableReader } from '../../src/jobs/tableReader.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { held } from '../support/time/held.ts';
import { recount } from '../verify/support/recount.ts';
import { beforeWrite } from './support/beforeWrite.ts';
import { exported, importExport } from './support/files.ts';
import { make, type Step } from './support/rooms.ts';

const STEPS: readonly Step[] = [
  { do: 'post', by: 0, body: 'A secret' },
  { do: 'post', by: 1, body: 'Hello' },
  { do: 'reply', by: 0, body: 'Another secret', to: 1 },
  { do: 'like', by: 0, to: 1 },
  { do: 'like', by: 2, to: 1 },
  { do: 'stamp', by: 0, to: 1, stamp: 'tea' },
];

let here: TestDynamo;
beforeAll(async () => {
  here = await openTestDynamo();
});
afterAll(() => here?.stop());

const publisher = {
  publish: async () => {},
  resync: () => {},
  settled: async () => {},
  stop: async () => {},
};

/** An export without its messages. */
function membersOnly(text: string): string {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  return [head, ...lines.filter((line) => JSON.parse(line).type === 'member')].join('\n');
}

/** The time of a stamp in an export. */
const STAMPED = /"stamp":"tea","createdAt":"([^"]+)"/g;

/** Reads one item in each step, as if the table was large. */
const oneByOne = (reader: TableReader): TableReader => ({
  ...reader,
  async read(guard, after) {
    const { items, next } = await reader.read(guard, after);
    const [first] = items;
    return first === undefined || items.length === 1
      ? { items, ...defined({ next }) }
      : { items: [first], next: keyOf(first) };
  },
});

/** Another database, until the end of the current test, and what deletes an account there. */
async function open() {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  const { dynamo } = database;
  const common = { dynamo, publisher, timestamps: createTimestamps(), now: Date.now };
  const accounts = createAccountDeletion(common);
  const job = createAccountJob({ ...common, table: oneByOne(createTableReader(common)) });

  /** Deletes the account, up to where the job reads the table. */
  const remove = (user: string) => accounts.remove(user, { eraseMessages: true });

  /** The steps of the job from this cursor on, until it waits for an import or for its last phases. */
  async function stepsFrom(user: string, from: string): Promise<string> {
    for (let cursor = from; ; ) {
      const next: NextStep = await job.step({ user, eraseMessages: true }, cursor);
      if (next === null) throw new Error('The job has ended.');
      cursor = typeof next === 'string' ? next : next.cursor;
      if (cursor === 'lateDevices' || (cursor === 'imports' && typeof next !== 'string')) return cursor;
    }
  }

  async function expectForgotten(room: string): Promise<void> {
    const text = await exported(dynamo, room);
    expect(text).not.toContain('secret');
    const threads = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'thread');
    expect(threads).toMatchObject([
      { body: null },
      { body: 'Hello', likeCount: 1, stamps: [], replies: [{ body: null }] },
    ]);
    expect(await recount(dynamo)).toEqual([]);
  }
  return { dynamo, remove, stepsFrom, expectForgotten };
}

describe.each(['a new room', 'a room that exists'])('%s', (kind) => {
  async function prepared() {
    const there = await open();
    // The room of the tests before is another one.
    const { room, people } = await make(here.dynamo, STEPS, 'PUBLIC');
    const text = await exported(here.dynamo, room);
    const [former = ''] = people;
    if (kind === 'a room that exists') {
      await importExport(there.dynamo, membersOnly(text));
    }
    return { there, room, text, former };
  }

  /** Before the first write of messages and reactions, after the import has looked who is a former member. */
  const isBulk = (names: readonly string[]) => names.length === 0;

  test('the job reads the table while the import has written nothing yet, and again after it', async () => {
    const { there, room, text, former } = await prepared();
    let during = '';
    const dynamo = beforeWrite(there.dynamo, isBulk, async () => {
      await there.remove(former);
      during = await there.stepsFrom(former, 'table');
    });
    await importExport(dynamo, text, { unread: true });
    expect(during).toBe('imports');
    expect(await exported(there.dynamo, room)).toContain('secret');
    expect(await there.stepsFrom(former, during)).toBe('lateDevices');
    await there.expectForgotten(room);
  });

  test('the job begins to read the table during the import, and ends after it', async () => {
    const { there, room, text, former } = await prepared();
    const dynamo = beforeWrite(there.dynamo, isBulk, async () => {
      await there.remove(former);
    });
    await importExport(dynamo, text, { unread: true });
    expect(await there.stepsFrom(former, 'table')).toBe('lateDevices');
    await there.expectForgotten(room);
  });
});

describe('an import that is killed, and goes on after a deletion', () => {
  /** The kill comes after messages and reactions were written, and before that is noted. */
  const killedBeforeNote = (dynamo: Dynamo): Dynamo => ({
    ...dynamo,
    async update(key, update) {
      if (parseKey(key).type === 'roomImport') throw new Error('Killed');
      return dynamo.update(key, update);
    },
  });

  test('a new room: what was written and not noted is not counted down twice', async () => {
    const there = await open();
    const { room, people } = await make(here.dynamo, STEPS, 'PUBLIC');
    const text = await exported(here.dynamo, room);
    const [former = ''] = people;
    await expect(importExport(killedBeforeNote(there.dynamo), text)).rejects.toThrow('Killed');
    await there.remove(former);
    await importExport(there.dynamo, text);
    await there.expectForgotten(room);
    expect(await there.stepsFrom(former, 'table')).toBe('lateDevices');
    await there.expectForgotten(room);
  });

  test('a new room: a like that the job removes while it is written again is counted down once', async () => {
    const there = await open();
    // The last message is the last item of the first transaction, and its likes come with the next one.
    const fillers = Array.from({ length: 99 }, (_, i): Step => ({ do: 'post', by: 1, body: `Filler ${i}` }));
    const liked: readonly Step[] = [
      { do: 'post', by: 1, body: 'Hello' },
      { do: 'like', by: 0, to: 99 },
      { do: 'like', by: 2, to: 99 },
    ];
    const { room, people } = await make(here.dynamo, [...fillers, ...liked], 'PUBLIC');
    const text = await exported(here.dynamo, room);
    const [former = ''] = people;
    await expect(importExport(killedBeforeNote(there.dynamo), text)).rejects.toThrow('Killed');
    let during = '';
    const between = held();
    const dynamo: Dynamo = {
      ...there.dynamo,
      async transact(writes, options) {
        const hasMessage = writes.some((write) => 'put' in write && write.put.body === 'Hello');
        if (!hasMessage) await between.promise;
        await there.dynamo.transact(writes, options);
        if (!hasMessage) return;
        await there.remove(former);
        during = await there.stepsFrom(former, 'table');
        between.letGo();
      },
    };
    await importExport(dynamo, text);
    expect(during).toBe('imports');
    expect(await there.stepsFrom(former, during)).toBe('lateDevices');
    const [item] = (await there.dynamo.query(ranges.roots(room), { limit: 1, reverse: true })).items;
    expect(item).toMatchObject({ body: 'Hello', likeCount: 1 });
    expect(await recount(there.dynamo)).toEqual([]);
  });

  test('a new room: a stamp moves to the time of one that is left out', async () => {
    const there = await open();
    const steps: readonly Step[] = [
      { do: 'post', by: 1, body: 'Hello' },
      { do: 'stamp', by: 0, to: 0, stamp: 'tea' },
      { do: 'stamp', by: 2, to: 0, stamp: 'tea' },
    ];
    const { room, people } = await make(here.dynamo, steps, 'PUBLIC');
    // Of several stamps of one instant, as other systems export them, each is stored a microsecond later.
    const [instant = '', other = ''] = [...(await exported(here.dynamo, room)).matchAll(STAMPED)].map(
      ([, at]) => at,
    );
    const text = (await exported(here.dynamo, room)).replaceAll(other, instant);
    await expect(importExport(killedBeforeNote(there.dynamo), text)).rejects.toThrow('Killed');
    await there.remove(people[0] ?? '');
    await importExport(there.dynamo, text);
    expect(await recount(there.dynamo)).toEqual([]);
  });

  test('a room that exists: likes that are there without their message are removed first', async () => {
    const there = await open();
    const { room, people } = await make(here.dynamo, STEPS, 'PUBLIC');
    const text = await exported(here.dynamo, room);
    const [former = ''] = people;
    await importExport(there.dynamo, membersOnly(text));
    const killed: Dynamo = {
      ...there.dynamo,
      async tryTransact(writes, options) {
        const all = Object.values(writes).flatMap((some) => some ?? []);
        if (all.some((write) => 'put' in write && write.put.body === 'Hello')) throw new Error('Killed');
        return there.dynamo.tryTransact(writes, options);
      },
    };
    await expect(importExport(killed, text, { unread: true })).rejects.toThrow('Killed');
    await there.remove(former);
    await importExport(there.dynamo, text, { unread: true });
    expect(await there.stepsFrom(former, 'table')).toBe('lateDevices');
    await there.expectForgotten(room);
  });
});

test('an import that begins while the job waits for the one before brings nothing back', async () => {
  const there = await open();
  const { room, people } = await make(here.dynamo, STEPS, 'PUBLIC');
  const text = await exported(here.dynamo, room);
  const [former = ''] = people;
  const killed = beforeWrite(
    there.dynamo,
    (names) => names.length === 0,
    async () => {
      await there.remove(former);
      throw new Error('Killed');
    },
  );
  await expect(importExport(killed, text)).rejects.toThrow('Killed');
  let during = '';
  const next = beforeWrite(
    there.dynamo,
    (names) => names.length === 0,
    async () => {
      during = await there.stepsFrom(former, 'table');
    },
  );
  await importExport(next, text);
  expect(during).toBe('imports');
  await there.expectForgotten(room);
  expect(await there.stepsFrom(former, during)).toBe('lateDevices');
  await there.expectForgotten(room);
});
