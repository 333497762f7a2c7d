/** Expired items are deleted every hour where the database does not do it. */
import { expect, onTestFinished, test } from 'vitest';
import { deleteExpired } from '../../src/dev/deleteExpired.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { readStream } from '../support/stream/stream.ts';
import { eventually } from '../support/time/eventually.ts';
import { openTimers, set } from './support/timers.ts';

const SECOND = 1_700_000_000;

test('deleteExpired: deletes what has expired, and its stream records say so', async () => {
  const db = await openTestDynamo();
  onTestFinished(() => db.stop());
  const { dynamo } = db;
  const [old, older, open, plain] = ['a', 'b', 'c', 'd'].map((id) => keys.notification('u', id));
  await dynamo.put({ ...old, expiresAt: SECOND - 1 } as never);
  await dynamo.put({ ...older, expiresAt: 1 } as never);
  await dynamo.put({ ...open, expiresAt: SECOND } as never);
  await dynamo.put({ ...plain } as never);
  const options = { dynamo, now: () => SECOND * 1_000 };
  expect(await deleteExpired({ ...options, limit: 1 })).toBe(1);
  expect(await deleteExpired(options)).toBe(1);
  expect(await deleteExpired(options)).toBe(0);
  expect(await dynamo.batchGet([old, older, open, plain] as never)).toEqual([
    undefined,
    undefined,
    expect.anything(),
    expect.anything(),
  ]);
  const changes = (await readStream(db)).filter(({ kind }) => kind !== 'INSERT');
  // No record says that an item was marked.
  expect(changes.map(({ kind, expired }) => ({ kind, expired }))).toEqual([
    { kind: 'REMOVE', expired: true },
    { kind: 'REMOVE', expired: true },
  ]);
});

test('createStreamConsumer: deletes expired items by a timer, which is set again', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const expired = keys.notification('u', 'x');
  await app.dynamo.put({ ...expired, expiresAt: 1 });
  const [next] = await openTimers(app.dynamo);
  expect(next).toMatchObject({ id: 'expiry', due: expect.any(Number) });
  const due = Date.now();
  await set(app.dynamo, { id: 'expiry', kind: 'expiry', due });
  await eventually(async () => {
    expect(await app.dynamo.get(expired)).toBeUndefined();
    expect(await app.dynamo.get(keys.timer(due, 'expiry'))).toBeUndefined();
  });
  expect((await openTimers(app.dynamo)).map(({ id }) => id)).toContain('expiry');
});
