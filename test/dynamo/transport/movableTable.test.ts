/** The requests of a process are held, and go to another table. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutageError } from '../../../src/core/errors.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { createDynamo } from '../../../src/dynamo/dynamo.ts';
import { ConditionFailed } from '../../../src/dynamo/errors.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createMovableTable } from '../../../src/dynamo/transport/movableTable.ts';
import type { Transport } from '../../../src/dynamo/transport/transport.ts';
import { tableBeside } from '../../reshape/support/copy.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../../support/database/dynamo.ts';
import { createTestClock } from '../../support/time/clock.ts';

let first: TestDynamo;
let second: TestDynamo;
beforeAll(async () => {
  first = await openTestDynamo();
  second = await tableBeside(first, `${first.table}-2`);
});
afterAll(() => first.stop());

const [a, b, c] = [keys.room('a'), keys.room('b'), keys.room('c')];
const isThere = { condition: 'attribute_exists(pk)' };

test('every operation goes to the other table after a move', async () => {
  const movable = createMovableTable(first);
  const dynamo = createDynamo({ ...movable, timeouts: testTimeouts });
  await dynamo.put({ ...a, v: 1, in: 'first' });
  await movable.hold();
  const held = dynamo.put({ ...b, v: 1 });
  movable.release(second);
  await held;
  expect(await first.dynamo.batchGet([a, b])).toEqual([{ ...a, v: 1, in: 'first' }, undefined]);

  expect(await dynamo.batchGet([a, b])).toEqual([undefined, { ...b, v: 1 }]);
  expect(await dynamo.get(b)).toEqual({ ...b, v: 1 });
  await dynamo.update(b, { update: 'SET n = :n', values: { ':n': 1 } });
  await expect(dynamo.remove(a, isThere)).rejects.toThrow(ConditionFailed);
  await dynamo.transact([
    { put: { ...c, v: 1 } },
    { check: keys.room('d'), condition: 'attribute_not_exists(pk)' },
    { key: b, update: 'SET n = :n', values: { ':n': 2 } },
    { delete: a },
  ]);
  expect(await dynamo.tryTransact({ one: { put: { ...a, v: 1 }, ...isThere } })).toMatchObject({ one: {} });
  await bulkWrite({ dynamo, items: [{ ...a, v: 1 }], by: 'batches' });
  expect((await dynamo.query({ pk: c.pk, from: c.sk, to: c.sk }, { limit: 1 })).items).toEqual([
    { ...c, v: 1 },
  ]);
  const found = [];
  for await (const item of dynamo.scan({ condition: 'v = :v', values: { ':v': 1 } })) found.push(item);
  expect(found).toHaveLength(
    (await second.dynamo.scanPage({ condition: 'v = :v', values: { ':v': 1 } })).items.length,
  );
  expect(await second.dynamo.batchGet([a, b, c])).toEqual([
    { ...a, v: 1 },
    { ...b, v: 1, n: 2 },
    { ...c, v: 1 },
  ]);
  expect(await first.dynamo.batchGet([a, b, c])).toEqual([{ ...a, v: 1, in: 'first' }, undefined, undefined]);
});

/** Requests that are answered when the test says so. */
function slowTransport() {
  const answers: Array<() => void> = [];
  const transport: Transport = {
    send: () => new Promise((resolve) => answers.push(() => resolve({} as never))),
  };
  return { transport, answers };
}

test('a hold waits for the requests that are on their way, and is over after a second for those that wait', async () => {
  const clock = createTestClock();
  const { transport, answers } = slowTransport();
  const movable = createMovableTable({ transport, table: 'one', clock });
  const send = () => movable.transport.send('GetItem', { TableName: 'one', Key: a }, { timeoutMs: 60_000 });
  const before = send();
  let isHeld = false;
  const holding = movable.hold().then(() => {
    isHeld = true;
  });
  const waiting = send();
  await Promise.resolve();
  expect([isHeld, answers.length]).toEqual([false, 1]);
  answers[0]?.();
  await before;
  await holding;
  expect(answers.length).toBe(1);

  clock.advance(999);
  const another = send();
  clock.advance(1);
  for (const refused of [waiting, another, send()]) await expect(refused).rejects.toThrow(OutageError);
  expect(answers.length).toBe(1);
  movable.release();
  const after = send();
  answers[1]?.();
  await after;
});
