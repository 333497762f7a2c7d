import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContentionError } from '../../src/core/errors.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { AGAIN } from '../../src/dynamo/optimistic.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database.stop());

const key = (sk: string) => ({ pk: 'OPTIMISTIC', sk });

describe('optimistic', () => {
  test('optimistic: concurrent writers of one item all succeed, each on what it read', async () => {
    const { dynamo } = database;
    await dynamo.put({ ...key('counter'), n: 0 });
    const add = () =>
      dynamo.optimistic(async () => {
        const read = (await dynamo.get(key('counter')))?.n as number;
        const failed = await dynamo.tryTransact({
          counter: {
            key: key('counter'),
            update: 'SET n = :next',
            condition: 'n = :read',
            values: { ':read': read, ':next': read + 1 },
          },
        });
        return failed === undefined ? read + 1 : AGAIN;
      });
    const results = await Promise.all(Array.from({ length: 12 }, add));
    expect([...results].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  test('optimistic: gives up with ContentionError after its budget, but not before five attempts', async () => {
    const numbers: number[] = [];
    const { transport, table } = database;
    const dynamo = createDynamo({ transport, table, timeouts: { ...testTimeouts, optimisticMs: 0 } });
    const losing = dynamo.optimistic(async (number) => {
      numbers.push(number);
      return AGAIN;
    });
    await expect(losing).rejects.toBeInstanceOf(ContentionError);
    expect(numbers).toEqual([0, 1, 2, 3, 4]);
  });

  test('optimistic: rejects with what an attempt throws, at once', async () => {
    let attempts = 0;
    const failing = database.dynamo.optimistic(async () => {
      attempts++;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(attempts).toBe(1);
  });
});

describe('tryTransact', () => {
  test('tryTransact: names the conditions that did not hold, with what was stored instead', async () => {
    const { dynamo } = database;
    await dynamo.put({ ...key('taken'), by: 'aki' });
    const absent = 'attribute_not_exists(pk)';
    const failed = await dynamo.tryTransact({
      first: { put: key('first'), condition: absent },
      left: undefined,
      taken: { put: key('taken'), condition: absent },
      others: [
        { put: key('other'), condition: absent },
        { check: key('none'), condition: 'attribute_exists(pk)' },
      ],
    });
    expect(failed?.first).toBeUndefined();
    expect(failed?.taken?.item).toMatchObject({ by: 'aki' });
    expect(failed?.others).toEqual([undefined, { item: undefined }]);
    expect(await dynamo.get(key('first'))).toBeUndefined();
  });

  test('tryTransact: writes everything and resolves to undefined if all conditions hold', async () => {
    const { dynamo } = database;
    const absent = 'attribute_not_exists(pk)';
    const failed = await dynamo.tryTransact({
      one: { put: key('w1'), condition: absent },
      others: [{ put: key('w2'), condition: absent }],
    });
    expect(failed).toBeUndefined();
    expect(await dynamo.batchGet([key('w1'), key('w2')])).not.toContain(undefined);
  });
});
