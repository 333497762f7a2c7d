/** A table of the release before gets the new shape while it is used, and goes back. */
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps, toTimestamp } from '../../src/core/timestamps.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { createDynamo, type Dynamo } from '../../src/dynamo/dynamo.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { type Key, keyName, keyOf, keys, parseKey } from '../../src/dynamo/keys.ts';
import { createChanges } from '../../src/messages/change.ts';
import { bodyKey, bodyOf, bodyWritten } from '../../src/messages/longBodies/body.ts';
import { type Message, messageItem, messageOf, newMessage } from '../../src/messages/message.ts';
import { createSending } from '../../src/messages/send.ts';
import { createReactionServices, REACTIONS } from '../../src/reactions/registry.ts';
import { heartbeatItem } from '../../src/reshape/heartbeats.ts';
import { planOf } from '../../src/reshape/plan.ts';
import { SHAPE } from '../../src/reshape/shapes.ts';
import { createShapeWatch } from '../../src/reshape/watch.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { Killed, killedAt } from '../support/database/killedAt.ts';
import { budget, scaled } from '../support/run/budget.ts';
import { createRehearsal, messagesIn, withoutShape } from './support/job.ts';

let database: TestDynamo;
let dynamo: Dynamo;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  ({ dynamo } = database);
});
afterAll(() => database.stop());

const LONG = 'あ'.repeat(500);
const RATE = 100_000;
const ROOM_SIZE = 30;

/** Roots. One of `every` is long. */
function rootsOf(count: number, every: number): Message[] {
  const rooms = Array.from({ length: Math.ceil(count / ROOM_SIZE) }, newId);
  return Array.from({ length: count }, (_, i) => {
    const room = rooms[i % rooms.length] ?? '';
    const ts = toTimestamp(1_700_000_000_000_000 + i);
    const body = i % every === 0 ? `${i} ${LONG}` : `${i} short`;
    return newMessage({ room, threadTs: ts, ts, author: 'aki', body, mentions: [] });
  });
}

/** The same as the release before wrote them. */
async function fill(count: number, every = 3): Promise<Message[]> {
  const messages = rootsOf(count, every);
  await bulkWrite({
    dynamo,
    items: messages.map(messageItem),
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
  return messages;
}

async function emptied(): Promise<void> {
  for await (const item of dynamo.scan({}))
    await dynamo.remove({ pk: item.pk as string, sk: item.sk as string });
}

describe('a table of the release before', () => {
  beforeEach(async () => {
    await emptied();
    await withoutShape(dynamo);
  });

  test('is converted and back, and is then what it was; finished, there is no way back', async () => {
    const messages = await fill(90);
    const before = await messagesIn(dynamo);
    const rehearsal = createRehearsal(dynamo);
    const plan = await planOf({ dynamo, shape: SHAPE, direction: 'up', rate: 100, items: 0 });
    expect(plan).toMatchObject({ items: 90, sampled: 90, groups: 30, writeUnits: 30 * 8, seconds: 3 });
    // Each group that is looked at is two keys. Two passes read 16 parts of 40 kB, of which each begins a unit.
    expect(plan.readUnits).toBeGreaterThan(30 * 2 + 2 * 10);
    expect(plan.readUnits).toBeLessThan(30 * 2 + 2 * (16 + 30));
    expect(plan.dollars).toBeCloseTo(plan.writeUnits * 0.625e-6 + plan.readUnits * 0.125e-6, 12);
    expect(plan.dollarsPerMillion).toBeCloseTo((plan.dollars / 90) * 1e6, 9);
    await rehearsal.start({ rate: RATE });
    expect(await rehearsal.status()).toMatchObject({
      inForce: 2,
      change: { direction: 'up', converted: false },
    });
    await expect(rehearsal.finish()).rejects.toThrow('Not all items have shape 2 yet. See `status`.');
    const { converted, units } = await rehearsal.convert();
    expect([converted, units > 0]).toEqual([30, true]);
    const done = await rehearsal.status();
    expect(done).toMatchObject({
      change: { converted: true },
      job: { state: 'DONE', pass: 2, converted, units },
    });
    // The second pass also reads the bodies that are apart.
    expect(done.job?.scanned).toBeGreaterThanOrEqual(90 + 120);
    const after = Object.values(await messagesIn(dynamo));
    expect(after.filter(({ bodyApart }) => bodyApart === true)).toHaveLength(30);
    expect(after).toHaveLength(120);
    for (const message of messages) expect(await textOf(message)).toBe(message.body);
    await rehearsal.back();
    expect(await rehearsal.status()).toMatchObject({ inForce: 1, change: { direction: 'down' } });
    await rehearsal.convert();
    expect(await messagesIn(dynamo)).toEqual(before);
    await rehearsal.start({ rate: RATE });
    await rehearsal.convert();
    await rehearsal.finish();
    expect(await rehearsal.status()).toMatchObject({ inForce: 2 });
    expect((await rehearsal.status()).change).toBeUndefined();
    await expect(rehearsal.back()).rejects.toThrow(
      'The table has shape 2, and no change is under way: a change that is finished, or the shape of a new table, cannot be taken back.',
    );
    await expect(rehearsal.start({ rate: RATE })).rejects.toThrow('The table has shape 2 already.');
  });

  test('refuses what cannot be done, in one sentence, and changes nothing', async () => {
    const rehearsal = createRehearsal(dynamo);
    const { start, back, finish, pause, resume, now } = rehearsal;
    const none = 'No change is under way: the table has shape 1.';
    await expect(finish()).rejects.toThrow(none);
    await expect(pause()).rejects.toThrow(none);
    await expect(resume(5)).rejects.toThrow(none);
    await expect(back()).rejects.toThrow('The table has shape 1. There is nothing to take back.');
    await expect(start({ to: 9, rate: 1 })).rejects.toThrow(
      'This release does not change tables to shape 9, only to shape 2.',
    );
    await dynamo.put(heartbeatItem({ server: 'old', host: 'db7', knows: [1], follows: 0 }, now()));
    await expect(start({ rate: 1 })).rejects.toThrow(
      'The server old on db7 does not know shape 2. Replace it by this release first.',
    );
    expect(await dynamo.get(keys.shape())).toBeUndefined();
    await dynamo.remove(keys.heartbeat('old'));
    const both = await Promise.allSettled([start({ rate: 1 }), start({ rate: 1 })]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(start({ rate: 1 })).rejects.toThrow(
      'The change to shape 2 is already under way. See `status`.',
    );
    await back();
    await expect(back()).rejects.toThrow('The table is on its way back to shape 1. See `status`.');
  });

  test('is not converted before every server follows', async () => {
    await fill(3);
    const rehearsal = createRehearsal(dynamo);
    await rehearsal.start({ rate: RATE });
    const { version } = await rehearsal.status();
    await dynamo.put(heartbeatItem({ server: 's', host: 'h', knows: [1, 2], follows: version - 1 }, 1e12));
    for (let n = 0; n < 5; n++) expect(await rehearsal.step(version)).toBe(true);
    await dynamo.put(heartbeatItem({ server: 's', host: 'h', knows: [1, 2], follows: version }, 1e12));
    let steps = 0;
    while (await rehearsal.step(version)) steps++;
    expect(steps).toBeLessThan(5);
    expect((await rehearsal.status()).change?.converted).toBe(true);
  });
});

test.each(['up', 'down'] as const)(
  'an edit between the read and the write of a group that goes %s is not lost',
  async (direction) => {
    await emptied();
    const [message] = await fill(1);
    if (message === undefined) throw new Error('There is no message.');
    const rehearsal = createRehearsal(dynamo);
    await rehearsal.start({ rate: RATE });
    if (direction === 'down') {
      await rehearsal.convert();
      await rehearsal.back();
    }
    const { version } = await rehearsal.status();
    const key = keys.root(message.room, message.ts);
    let edits = 0;
    /** Another server edits at the last moment, in the shape that the item has. */
    async function edit(): Promise<void> {
      if (edits++ > 0) return;
      const raised = { values: { ':body': `new ${LONG}`, ':one': 1 } };
      const isApart = direction === 'down';
      await dynamo.transact([
        {
          key,
          update: `SET edits = :one, rev = rev + :one${isApart ? '' : ', body = :body'}`,
          values: isApart ? { ':one': 1 } : raised.values,
        },
        ...(isApart
          ? [{ key: keys.body(message as Message), update: 'SET body = :body, edits = :one', ...raised }]
          : []),
      ]);
    }
    rehearsal.begin();
    while (await rehearsal.step(version, beforeTransactions(dynamo, edit)));
    expect(edits).toBeGreaterThan(1);
    expect(await textOf(message)).toBe(`new ${LONG}`);
    const { v, rev } = (await dynamo.get(key)) ?? {};
    expect([v, rev]).toEqual([direction === 'up' ? 2 : 1, 2]);
  },
);

test.each([
  ['up', 'message'],
  ['up', 'body'],
  ['down', 'message'],
  ['down', 'body'],
] as const)(
  'edits between the reads of the items of a group that goes %s, the %s first: no text is lost',
  async (direction, first) => {
    await emptied();
    const [message] = await fill(1);
    if (message === undefined) throw new Error('There is no message.');
    const key = keys.root(message.room, message.ts);
    const rehearsal = createRehearsal(dynamo);
    await rehearsal.start({ rate: RATE });
    if (direction === 'down') {
      await rehearsal.convert();
      await rehearsal.back();
    }
    /** A server that writes the newest shape. */
    async function edit(body: string): Promise<void> {
      const was = messageOf(message as Message, (await dynamo.get(key)) ?? {});
      const { set, remove, values, item } = bodyWritten(was, { body, edits: was.edits + 1 }, 2);
      await dynamo.transact([
        {
          key,
          update: `SET edits = :edits, rev = rev + :one, ${set} REMOVE ${remove.join(', ')}`,
          values: { ...values, ':edits': was.edits + 1, ':one': 1 },
        },
        ...(item === undefined ? [] : [item]),
      ]);
    }
    let reads = 0;
    /** A batch is not a snapshot, and reads its items in any order. */
    async function batchGet(wanted: readonly Key[]) {
      const inBatch = wanted.some((one) => keyName(one) === keyName(bodyKey(message as Message)));
      if (!inBatch || reads++ > 0) return dynamo.batchGet(wanted);
      await edit('short');
      const early = await dynamo.batchGet(wanted);
      await edit(`new ${LONG}`);
      const late = await dynamo.batchGet(wanted);
      const isEarly = (one: Key) => (keyName(one) === keyName(key)) === (first === 'message');
      return wanted.map((one, i) => (isEarly(one) ? early[i] : late[i]));
    }
    const { version } = await rehearsal.status();
    rehearsal.begin();
    while (await rehearsal.step(version, { ...dynamo, batchGet }));
    expect(reads).toBeGreaterThan(0);
    expect(await textOf(message)).toBe(`new ${LONG}`);
    expect(Object.values(await messagesIn(dynamo))).toHaveLength(direction === 'up' ? 2 : 1);
  },
);

const crash = fc.record({ writes: fc.integer({ min: 1, max: 3 }), when: fc.constantFrom('before', 'after') });
const shape = fc.constantFrom(1, 2);
const of = fc.nat({ max: 20 });
interface Act {
  readonly what: 'send' | 'edit' | 'delete' | 'like' | 'step' | 'back' | 'start';
  /** The message, by its number. */
  readonly of?: number;
  readonly long?: boolean;
  /** The shape that the server writes. It may be late. */
  readonly shape?: number;
  readonly kill?: { readonly writes: number; readonly when: 'before' | 'after' } | undefined;
}
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ what: fc.constant('send' as const), long: fc.boolean(), shape }),
  fc.record({ what: fc.constant('edit' as const), of, long: fc.boolean(), shape }),
  fc.record({ what: fc.constantFrom('delete' as const, 'like' as const), of, shape }),
  fc.record({ what: fc.constant('step' as const), kill: fc.option(crash, { nil: undefined }) }),
  fc.record({ what: fc.constantFrom('back' as const, 'start' as const) }),
);
const OF_OPERATORS: ReadonlySet<string> = new Set(['step', 'back', 'start']);
const { numRuns, timeout, within } = budget({ runs: 25, seconds: 20 });

test(
  'random clients, late servers and killed steps, back and forth: no text is lost, torn or left behind',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { maxLength: 20 }),
        within(async (rounds) => {
          await emptied();
          const rehearsal = createRehearsal(dynamo);
          const room = newId();
          await putRoom(dynamo, room);
          // While servers are late, nothing counts as converted.
          const late = heartbeatItem({ server: 'late', host: 'h', knows: [1, 2], follows: 0 }, 1e12);
          await dynamo.put(late);
          const timestamps = createTimestamps();
          const servers = [1, 2].map((shape) => {
            const own = createDynamo({ ...database, timeouts: dynamo.timeouts, shape: () => shape });
            const common = { dynamo: own, timestamps, extensions: REACTIONS };
            return { ...createSending(common), ...createChanges(common), ...createReactionServices(common) };
          });
          const expected = new Map<string, string | null>();
          const sent: Message[] = [];
          let number = 0;
          const text = (long = false) => `${++number} ${long ? LONG : 'short'}`;
          const quietly = (work: Promise<unknown>) => work.catch(() => undefined);

          async function perform(one: Act): Promise<void> {
            if (one.what === 'step') {
              const { version, change } = await rehearsal.status();
              const own = one.kill === undefined ? dynamo : killedAt(dynamo, one.kill);
              if (change === undefined) return;
              await rehearsal.step(version, own).catch((error: unknown) => {
                if (!(error instanceof Killed)) throw error;
              });
              return;
            }
            if (one.what === 'back' || one.what === 'start') {
              await quietly(one.what === 'back' ? rehearsal.back() : rehearsal.start({ rate: RATE }));
              rehearsal.begin();
              return;
            }
            const server = servers[(one.shape ?? 1) - 1];
            if (server === undefined) return;
            if (one.what === 'send') {
              const body = text(one.long);
              const message = await server.send({ room, author: 'aki', body });
              sent.push(message);
              expected.set(message.ts, body);
              return;
            }
            const message = sent[one.of ?? 0];
            if (message === undefined) return;
            if (one.what === 'like') await quietly(server.likes.add('aki', message));
            else if (one.what === 'delete') {
              await server.remove('aki', message);
              expected.set(message.ts, null);
            } else if (expected.get(message.ts) !== null) {
              const body = text(one.long);
              await server.edit('aki', message, body).then(
                () => expected.get(message.ts) !== null && expected.set(message.ts, body),
                () => undefined,
              );
            }
          }

          for (const round of rounds) {
            // What changes one message is done in turn, so that it is known which text is the last.
            const clients = round.filter(({ what }) => !OF_OPERATORS.has(what));
            const others = round.filter(({ what }) => OF_OPERATORS.has(what));
            const inTurn = async (acts: readonly Act[]) => {
              for (const one of acts) await perform(one);
            };
            await Promise.all([inTurn(clients), inTurn(others)]);
            for (const message of sent) expect(await textOf(message)).toBe(expected.get(message.ts));
          }
          await dynamo.remove(keys.heartbeat('late'));
          const { change } = await rehearsal.status();
          if (change !== undefined) await rehearsal.convert();
          for (const message of sent) expect(await textOf(message)).toBe(expected.get(message.ts));
          const { inForce } = await rehearsal.status();
          const left = Object.values(await messagesIn(dynamo));
          const bodies = left.filter((item) => parseKey(keyOf(item)).type === 'body');
          const apart = left.filter(({ bodyApart }) => bodyApart === true);
          expect(bodies).toHaveLength(apart.length);
          if (change !== undefined) {
            const long = [...expected.values()].filter((body) => body !== null && body.length > 400);
            expect(apart).toHaveLength(inForce === 2 ? long.length : 0);
          }
        }),
      ),
      { numRuns },
    );
  },
  timeout,
);

test('a rehearsal: converts and goes back beside a client, and prints the rate and how long the client waited', async () => {
  const count = onDynamoDbLocal ? 600 : scaled(10_000);
  const own = await openTestDynamo({ items: rootsOf(count, 10).map(messageItem) });
  onTestFinished(() => own.stop());
  await withoutShape(own.dynamo);
  const stopClient = await startClient(own);
  const rehearsal = createRehearsal(own.dynamo);
  await rehearsal.start({ rate: RATE });
  const [up, upMs] = await timed(rehearsal.convert);
  await rehearsal.back();
  const [down, downMs] = await timed(rehearsal.convert);
  const { requests, longestMs, refused, wrong, long: sent } = await stopClient();
  expect([refused, wrong]).toEqual([[], []]);
  expect(requests).toBeGreaterThan(10);
  const long = Math.ceil(count / 10);
  for (const { converted } of [up, down]) {
    expect(converted).toBeGreaterThanOrEqual(long);
    // Of the client's messages, those that were written in the shape before, or had a long text for a moment.
    expect(converted).toBeLessThanOrEqual(long + 2 * sent);
  }
  const rate = (ms: number) => Math.round((count / ms) * 1_000);
  process.stdout.write(
    `reshape: ${count} items, ${long} of them long. Up ${rate(upMs)} items/s, ${up.units} units; back ${rate(downMs)} items/s, ${down.units} units. ${requests} requests meanwhile, ${refused.length} refused, the longest took ${Math.round(longestMs)} ms.\n`,
  );
  // A machine that is ten times slower needs as much.
}, 3_600_000);

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

async function textOf({ room, threadTs, ts }: Message, own = dynamo): Promise<string | null> {
  const item = await own.get(keys.message(room, threadTs, ts));
  if (item === undefined) throw new Error('The message is gone.');
  return bodyOf(messageOf({ room, threadTs, ts }, item), createItemLoader(own));
}

/** A room with one member, aki. */
async function putRoom(own: Dynamo, room: string): Promise<void> {
  const joinedAt = toTimestamp(1);
  const member = { v: 1, role: 'OWNER', joinedAt, rev: 1 };
  for (const item of [
    { ...keys.membership('aki', room), ...member, readPosition: 0 },
    { ...keys.member(room, 'aki'), ...member },
    { ...keys.room(room), v: 1, rev: 1, name: 'r', visibility: 'PRIVATE', createdAt: joinedAt },
    { ...keys.counter(room), v: 1, messageCount: 0, changeCount: 0, removals: 0, direct: false },
  ])
    await own.put(item);
}

/** A server that follows the shape, and its client, who sends, edits and reads until it is stopped. */
async function startClient(database: TestDynamo) {
  const log = pino({ level: 'silent' });
  const watch = createShapeWatch({ dynamo: database.dynamo, log, everyMs: 100 });
  await watch.start();
  const own = createDynamo({ ...database, timeouts: database.dynamo.timeouts, shape: watch.inForce });
  const common = { dynamo: own, timestamps: createTimestamps(), extensions: REACTIONS };
  const { send } = createSending(common);
  const { edit } = createChanges(common);
  const room = newId();
  await putRoom(own, room);
  const figures = { requests: 0, longestMs: 0, long: 0, refused: [] as unknown[], wrong: [] as string[] };
  let isOver = false;

  async function request<T>(work: () => Promise<T>): Promise<T | undefined> {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      figures.refused.push(error);
      return undefined;
    } finally {
      figures.requests++;
      figures.longestMs = Math.max(figures.longestMs, performance.now() - begun);
    }
  }

  async function run(): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const [first, second] = n % 2 === 0 ? ['short', LONG] : [LONG, 'short'];
      const message = await request(() => send({ room, author: 'aki', body: `${n} ${first}` }));
      if (message === undefined) continue;
      figures.long++;
      for (const body of [`${n} ${first}`, `${n} edited ${second}`]) {
        if (body.includes('edited')) await request(() => edit('aki', message, body));
        const text = await request(() => textOf(message, own));
        if (text !== body) figures.wrong.push(`${body.slice(0, 20)} is ${text?.slice(0, 20)}`);
      }
    }
  }
  const running = run();
  return async () => {
    isOver = true;
    await running;
    await watch.stop();
    return figures;
  };
}
