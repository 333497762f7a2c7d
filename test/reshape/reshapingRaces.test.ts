/** Servers edit a message between the reads and writes of the step that converts it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { type Key, keyName, keys } from '../../src/dynamo/keys.ts';
import { bodyKey, bodyWritten } from '../../src/messages/longBodies/body.ts';
import { type Message, messageOf } from '../../src/messages/message.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createRehearsal, messagesIn } from './support/job.ts';
import { empty, fill, LONG, RATE, textOf } from './support/messages.ts';

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
