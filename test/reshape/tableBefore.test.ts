/** A table that the release before shapes has written (test/reshape/shape1), with servers of this one. */
import { expect, onTestFinished, test } from 'vitest';
import { keyOf, parseKey } from '../../src/dynamo/keys.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { createReshaping } from '../../src/reshape/reshaping.ts';
import { userOf } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { recount } from '../verify/support/recount.ts';
import { messagesIn, withoutShape } from './support/job.ts';
import { itemsBefore, seenBefore, viewsOf } from './support/tableBefore.ts';

test('a table of the release before is opened, converted and taken back: clients see what they saw, and all numbers are right', async () => {
  const seen = await seenBefore();
  const database = await openTestDynamo({ items: await itemsBefore(seen) });
  onTestFinished(() => database.stop());
  const { dynamo } = database;
  await withoutShape(dynamo);
  const before = await messagesIn(dynamo);
  const app = await startTestApp({ database, shapeMs: 20 });
  onTestFinished(() => app.stop());
  const users = await Promise.all(seen.people.map((handle) => userOf(app, handle)));

  async function isAsBefore(): Promise<void> {
    await app.quiet();
    expect(await viewsOf(users)).toEqual(seen.views);
    await app.quiet();
    expect(await recount(dynamo)).toEqual([]);
  }
  await isAsBefore();

  // A minute later no server of before is still writing, so the job does not wait for that.
  const now = () => Date.now() - 60_000;
  const reshaping = createReshaping({ dynamo, control: createJobControl({ dynamo, now }), now });
  const converted = () =>
    eventually(async () => {
      if ((await reshaping.status()).change?.converted !== true) throw new Error('It is not converted yet.');
    });
  const apart = async () => {
    const items = Object.values(await messagesIn(dynamo));
    const bodies = items.filter((item) => parseKey(keyOf(item)).type === 'body');
    expect(items.filter(({ bodyApart }) => bodyApart === true)).toHaveLength(bodies.length);
    return bodies.length;
  };
  const long = Object.values(before).filter(
    ({ body }) => Buffer.byteLength(String(body ?? '')) > 1_024,
  ).length;
  expect(long).toBeGreaterThan(10);

  await reshaping.start({ rate: 100_000 });
  await converted();
  expect(await apart()).toBe(long);
  await isAsBefore();
  await reshaping.back();
  await converted();
  expect(await messagesIn(dynamo)).toEqual(before);
  await isAsBefore();
});
