/** Two tables are compared beside writers that never stop. How long that takes is bounded, in steps and on a clock of its own. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { verifyCopy } from '../../src/cli/command/verifyCopy.ts';
import { OutageError, StartError } from '../../src/core/errors.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import { createCarrier } from '../../src/reshape/carry/carrier.ts';
import { compareSides } from '../../src/reshape/carry/comparing.ts';
import { beginCopy, copyOf } from '../../src/reshape/carry/marks.ts';
import { createPersist } from '../../src/reshape/carry/persist.ts';
import type { Sides } from '../../src/reshape/carry/sides.ts';
import { changeState } from '../../src/reshape/carry/state.ts';
import { createThrottle } from '../../src/reshape/carry/throttle.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createLeapingClock } from '../support/time/clock.ts';
import { tableBeside } from './support/copy.ts';
import { sidesOf } from './support/switching.ts';

const log = pino({ level: 'silent' });
const RATE = 100_000;
const by = onDynamoDbLocal ? ('batches' as const) : ('transactions' as const);

async function twoTables() {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const second = await tableBeside(first, `${first.table}-2`);
  return { first, second };
}

const roomOf = (number: number) => ({ ...keys.room(`r${number}`), v: 1, rev: 0 });
const roomsOf = (count: number) => Array.from({ length: count }, (_, number) => roomOf(number));

type Step = (number: number) => Promise<void>;

/** The tables, and a clock that does not move while they are read. `step` is called before each read. */
function stepped({ source, target }: Sides, step: Step = async () => {}) {
  const clock = createLeapingClock();
  let steps = 0;
  const around = (dynamo: Dynamo): Dynamo => ({
    ...dynamo,
    get: (key) => clock.during(() => dynamo.get(key)),
    update: (...update) => clock.during(() => dynamo.update(...update)),
    scanPage: (...page) =>
      clock.during(async () => {
        await step(++steps);
        return dynamo.scanPage(...page);
      }),
    batchGet: (wanted) =>
      clock.during(async () => {
        await step(++steps);
        return dynamo.batchGet(wanted);
      }),
  });
  const sides: Sides = {
    source: { ...source, dynamo: around(source.dynamo) },
    target: { ...target, dynamo: around(target.dynamo) },
  };
  return { sides, clock };
}

/** Compares them. `ms`: how long that took, without the reads themselves. */
async function compare(tables: Sides, { step, lagMs = 0 }: { step?: Step; lagMs?: number } = {}) {
  const { sides, clock } = stepped(tables, step);
  const context = { clock, signal: new AbortController().signal };
  const compared = await compareSides({
    ...{ sides, clock, now: Date.now, lagMs: async () => lagMs },
    throttle: createThrottle(RATE, context),
    persist: createPersist({ ...context, log, patienceMs: 300_000 }),
  });
  return { ...compared, ms: clock.now() };
}

const written = ({ dynamo }: TestDynamo, key: Key) =>
  dynamo.update(key, {
    update: 'SET rev = if_not_exists(rev, :zero) + :one',
    values: { ':zero': 0, ':one': 1 },
  });

test('it ends beside writers that write old and new items before each read, if a carrier follows late', async () => {
  const { first, second } = await twoTables();
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(300), by });
  const sides = sidesOf(first, second);
  const { carry } = createCarrier({ sides, by, now: Date.now, mayWrite: async () => {} });
  const behind: Key[] = [];
  const step = async (number: number) => {
    // One that changes each time, one of the others, and a new one.
    for (const room of [0, number % 300, 1_000 + number]) {
      const key = keys.room(`r${room}`);
      await written(first, key);
      behind.push(key);
    }
    if (behind.length > 30) await carry(behind.splice(0, 3));
  };
  const { differences, undecided, items, ms } = await compare(sides, { step });
  expect([differences, undecided]).toEqual([0, 0]);
  expect(items).toBeGreaterThan(4 * 300);
  expect(ms).toBeLessThanOrEqual(61_000);
});

test('it ends after a minute beside an item that always changes and is never carried, and says that it does not know', async () => {
  const { first, second } = await twoTables();
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(300), by });
  const step = async () => void (await written(first, keys.room('r7')));
  const { ms, ...compared } = await compare(sidesOf(first, second), { step });
  expect(compared).toMatchObject({
    differences: 0,
    undecided: 1,
    examples: [keys.room('r7')],
    isEarly: false,
  });
  expect(ms).toBeGreaterThanOrEqual(60_000);
  expect(ms).toBeLessThanOrEqual(61_000);
});

test('what differs while others write is found, and is settled together with everything else', async () => {
  const { first, second } = await twoTables();
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(600), by });
  for (let number = 0; number < 600; number += 2) await second.dynamo.remove(keys.room(`r${number}`));
  await second.dynamo.put(roomOf(9_000));
  const step = async () => void (await written(first, keys.room('r1')));
  const { ms, ...compared } = await compare(sidesOf(first, second), { step, lagMs: 2_000 });
  expect(compared).toMatchObject({ differences: 301, undecided: 1, lagMs: 2_000, isEarly: false });
  expect(ms).toBeLessThanOrEqual(61_000);
});

test('what the carrier has not reached after a minute is undecided', async () => {
  const { first, second } = await twoTables();
  await first.dynamo.put(roomOf(1));
  const { ms, ...compared } = await compare(sidesOf(first, second), { lagMs: 90_000 });
  expect(compared).toMatchObject({ differences: 0, undecided: 1, lagMs: 90_000 });
  expect(ms).toBeLessThanOrEqual(61_000);
});

test('a table that is not a copy at all is not read to its end', async () => {
  const { first, second } = await twoTables();
  await bulkWrite({ dynamo: first.dynamo, items: roomsOf(3_000), by });
  const { ms, ...compared } = await compare(sidesOf(first, second));
  expect(compared).toMatchObject({ differences: 1_000, undecided: 0, isEarly: true });
  expect(compared.examples).toHaveLength(10);
  expect(ms).toBeLessThanOrEqual(10_000);
});

test('it ends if a table does not respond for minutes, and an outage that ends before does not matter', async () => {
  const { first, second } = await twoTables();
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(10), by });
  const sides = sidesOf(first, second);
  let failures = 50;
  const flaky = async () => {
    if (failures-- > 0) throw new OutageError();
  };
  expect(await compare(sides, { step: flaky })).toMatchObject({ differences: 0, undecided: 0 });
  const step = async () => {
    throw new OutageError();
  };
  await expect(compare(sides, { step })).rejects.toThrow(
    new StartError('A table has not responded for minutes. Run this again when it does.'),
  );
});

test('the command notes what it knows, and has another exit code if it does not know it', async () => {
  const { first, second } = await twoTables();
  const sides = sidesOf(first, second);
  const { progress } = await beginCopy(sides, RATE, Date.now());
  await changeState(second.dynamo, { progress: { ...progress, reads: 'nothing' } });
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(10), by });
  const verify = (step?: Step) => {
    const { sides: own, clock } = stepped(sides, step);
    return verifyCopy(own, log, { rate: undefined, items: 10, clock });
  };
  await verify();
  expect((await copyOf(sides)).verified).toBe(true);
  await expect(verify(async () => void (await written(first, keys.room('r1'))))).rejects.toMatchObject({
    message:
      'It is not known whether the tables are equal: 1 item, such as "ROOM#r1\\nROOM", changed all the time for a minute, or `carry`, which is 0 s behind, has not reached what changed. Run this again, when less is written.',
    exitCode: 2,
  });
  expect((await copyOf(sides)).verified).toBe(false);
  await expect(verify()).rejects.toMatchObject({
    message: '1 item differs, such as "ROOM#r1\\nROOM". Is `carry` running?',
    exitCode: 1,
  });
});
