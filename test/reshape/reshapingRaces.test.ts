/** Servers write messages between the reads and writes of the steps that convert them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { createDynamo, type Dynamo } from '../../src/dynamo/dynamo.ts';
import { type Key, keyName, keys } from '../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../src/dynamo/shapes.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { bodyKey, bodyWritten } from '../../src/messages/longBodies/body.ts';
import { type Message, messageOf } from '../../src/messages/message.ts';
import { createSending } from '../../src/messages/send.ts';
import { REACTIONS } from '../../src/reactions/registry.ts';
import { BEGINNING, conversionJobId, createConversionJob } from '../../src/reshape/conversionJob.ts';
import { heartbeatItem } from '../../src/reshape/heartbeats.ts';
import { createReshaping } from '../../src/reshape/reshaping.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { hastyClock } from '../support/time/clock.ts';
import { held } from '../support/time/held.ts';
import { createRehearsal, messagesIn } from './support/job.ts';
import { empty, fill, LONG, putRoom, RATE, textOf } from './support/messages.ts';

let database: TestDynamo;
let dynamo: Dynamo;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  ({ dynamo } = database);
});
afterAll(() => database.stop());

test.each(['up', 'down'] as const)(
  'an edit between the read and the write of a group that goes %s is not lost',
  async (direction) => {
    await empty(dynamo);
    const [message] = await fill(dynamo, 1);
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
    expect(await textOf(dynamo, message)).toBe(`new ${LONG}`);
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
    await empty(dynamo);
    const [message] = await fill(dynamo, 1);
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
    expect(await textOf(dynamo, message)).toBe(`new ${LONG}`);
    expect(Object.values(await messagesIn(dynamo))).toHaveLength(direction === 'up' ? 2 : 1);
  },
);

test('a write in the shape before that is still tried again when its server says that it follows is converted', async () => {
  await empty(dynamo);
  let time = Date.now();
  const now = () => time;
  const { start, status } = createReshaping({ dynamo, control: createJobControl({ dynamo, now }), now });
  const job = createConversionJob({ dynamo, now, clock: hastyClock });
  await start({ rate: RATE });
  const { version } = await status();
  let cursor: string | null = null;
  /** A step a second. Resolves to false at the job's end. */
  async function steps(seconds: number): Promise<boolean> {
    for (let n = 0; n < seconds; n++) {
      time += 1_000;
      const next = await job.step({ version }, cursor);
      if (next === null) return false;
      cursor = typeof next === 'string' ? next : next.cursor;
    }
    return true;
  }
  const say = (follows: number) =>
    dynamo.put(heartbeatItem({ server: 's', host: 'h', knows: [1, 2], follows }, time));

  // It has been silent for a minute, so it did not count, and then its looks fail for longer than any call takes.
  expect(await steps(5)).toBe(true);
  await say(version - 1);
  expect(await steps(15)).toBe(true);
  const room = newId();
  await putRoom(dynamo, room);
  const [reached, answered] = [held(), held()];
  const before = createDynamo({ ...database, timeouts: dynamo.timeouts, shape: () => FIRST_SHAPE });
  const sending = createSending({
    dynamo: beforeTransactions(before, () => {
      reached.letGo();
      return answered.promise;
    }),
    timestamps: createTimestamps(),
    extensions: REACTIONS,
  });
  const sent = sending.send({ room, author: 'aki', body: LONG });
  await reached.promise;
  await say(version);
  expect(await steps(6)).toBe(true);
  answered.letGo();
  const message = await sent;
  expect(await dynamo.get(keys.root(room, message.ts))).toMatchObject({ body: LONG });
  expect(await steps(20)).toBe(false);
  expect((await status()).change?.converted).toBe(true);
  expect(await dynamo.get(keys.root(room, message.ts))).toMatchObject({ v: 2, bodyApart: true });
});

test('a job of the release before, which did not keep since when all servers follow, goes on', async () => {
  await empty(dynamo);
  const rehearsal = createRehearsal(dynamo);
  await rehearsal.start({ rate: RATE });
  const { version } = await rehearsal.status();
  const stored = JSON.stringify({ ...BEGINNING, pass: 2 });
  await dynamo.update(keys.job(conversionJobId({ version })), {
    update: 'SET #cursor = :cursor',
    names: { '#cursor': 'cursor' },
    values: { ':cursor': stored },
  });
  expect((await rehearsal.status()).job?.waiting).toEqual({ servers: [] });
  rehearsal.begin(stored);
  expect(await rehearsal.step(version)).toBe(true);
  expect(await rehearsal.step(version)).toBe(false);
  expect((await rehearsal.status()).change?.converted).toBe(true);
});
