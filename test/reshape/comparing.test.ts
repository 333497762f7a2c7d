/**
 * Two tables are compared beside writers that never stop. How long that takes is bounded, in steps and on a clock of
 * its own.
 */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { verifyCopy } from '../../src/cli/command/verifyCopy.ts';
import type { Clock } from '../../src/core/clock.ts';
import { OutageError, StartError } from '../../src/core/errors.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import { createCarrier } from '../../src/reshape/carry/carrier.ts';
import { compareSides } from '../../src/reshape/carry/comparing.ts';
import { beginCopy, copyOf } from '../../src/reshape/carry/marks.ts';
import { createPersist } from '../../src/reshape/carry/persist.ts';
import type { Reach } from '../../src/reshape/carry/reach.ts';
import type { Side, Sides } from '../../src/reshape/carry/sides.ts';
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

type Step = (number: number, side: keyof Sides) => Promise<void>;

/** The tables, and a clock that does not move while they are read. `step` is called before each read. */
function stepped({ source, target }: Sides, step: Step = async () => {}) {
  const clock = createLeapingClock();
  let steps = 0;
  const around = (dynamo: Dynamo, side: keyof Sides): Dynamo => ({
    ...dynamo,
    get: (key) => clock.during(() => dynamo.get(key)),
    update: (...update) => clock.during(() => dynamo.update(...update)),
    scanPage: (...page) =>
      clock.during(async () => {
        await step(++steps, side);
        return dynamo.scanPage(...page);
      }),
    batchGet: (wanted) =>
      clock.during(async () => {
        await step(++steps, side);
        return dynamo.batchGet(wanted);
      }),
  });
  const sides: Sides = {
    source: { ...source, dynamo: around(source.dynamo, 'source') },
    target: { ...target, dynamo: around(target.dynamo, 'target') },
  };
  return { sides, clock };
}

/** The same table, beside a carrier that has nothing left to carry. */
const answered = ({ dynamo, ...side }: Side): Side => ({
  ...side,
  dynamo: {
    ...dynamo,
    async update(key, update) {
      const item = await dynamo.update(key, update);
      if (item.asked === undefined || item.asked === item.answered) return item;
      return dynamo.update(keys.carry(), { update: 'SET answered = asked' });
    },
  },
});

/** A carrier that answers each question after that time. */
function carriedAfter(lagMs: number, clock: Clock): Reach {
  const asked: number[] = [];
  return {
    ask: async () => asked.push(clock.now()),
    answered: async () => asked.filter((at) => clock.now() - at >= lagMs).length,
  };
}

interface CompareOptions {
  readonly step?: Step;
  /** After how long the carrier answers. */
  readonly lagMs?: number;
  readonly reach?: Reach;
}

/** Compares them. `ms`: how long that took, without the reads themselves. */
async function compare(tables: Sides, { step, lagMs = 0, ...more }: CompareOptions = {}) {
  const { sides, clock } = stepped(tables, step);
  const reach = more.reach ?? carriedAfter(lagMs, clock);
  const context = { clock, signal: new AbortController().signal };
  const compared = await compareSides({
    sides,
    clock,
    now: Date.now,
    reach,
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

test('compareSides: ends although items change before each read and the carrier follows late', async () => {
  const { first, second } = await twoTables();
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(300), by });
  const sides = sidesOf(first, second);
  const { carry } = createCarrier({ sides, by, now: Date.now, mayWrite: async () => {} });
  const behind: Key[] = [];
  const step: Step = async (number, side) => {
    // One that changes each time the table in use is read, one of the others, and a new one.
    const often = side === 'source' ? [0] : [];
    for (const room of [...often, number % 300, 1_000 + number]) {
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
  expect(compared).toMatchObject({ differences: 301, undecided: 1, isEarly: false });
  expect(ms).toBeLessThanOrEqual(61_000);
});

test('what the carrier has not reached after a minute is undecided', async () => {
  const { first, second } = await twoTables();
  await first.dynamo.put(roomOf(1));
  const { ms, ...compared } = await compare(sidesOf(first, second), { lagMs: 90_000 });
  expect(compared).toMatchObject({ differences: 0, undecided: 1 });
  expect(compared.unansweredMs).toBeGreaterThanOrEqual(50_000);
  expect(ms).toBeLessThanOrEqual(61_000);
});

test('a carrier that starves, and has said before that it is not behind, makes no difference', async () => {
  const { first, second } = await twoTables();
  await first.dynamo.put(roomOf(1));
  // It has answered before, and does not any more.
  const starved = { ask: async () => 8, answered: async () => 7 };
  expect(await compare(sidesOf(first, second), { reach: starved })).toMatchObject({
    differences: 0,
    undecided: 1,
  });
});

test('what changes, and is carried, between the reads of both tables is not different', async () => {
  const { first, second } = await twoTables();
  const sides = sidesOf(first, second);
  await first.dynamo.put(roomOf(1));
  let isAnswered = false;
  let changes = 0;
  const reach: Reach = {
    ask: async () => 1,
    async answered() {
      await second.dynamo.put(roomOf(1));
      isAnswered = true;
      return 1;
    },
  };
  const source: Dynamo = {
    ...sides.source.dynamo,
    async batchGet(wanted) {
      const items = await sides.source.dynamo.batchGet(wanted);
      if (isAnswered && changes++ === 0)
        for (const { dynamo } of [first, second]) await dynamo.put({ ...roomOf(1), rev: 1 });
      return items;
    },
  };
  const changing = { ...sides, source: { ...sides.source, dynamo: source } };
  expect(await compare(changing, { reach })).toMatchObject({ differences: 0, undecided: 0 });
  expect(changes).toBeGreaterThan(0);
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

test('the command follows the rate of the copy while it reads, unless it has one of its own', async () => {
  const { first, second } = await twoTables();
  const tables = sidesOf(first, second);
  const { progress } = await beginCopy(tables, RATE, Date.now());
  await changeState(second.dynamo, { progress: { ...progress, reads: 'nothing' } });
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(10), by });
  /** How long it takes if the rate rises from 1 when it begins to read. */
  async function msOf(rate?: number): Promise<number> {
    await changeState(second.dynamo, { rate: 1 });
    const step = async () => void (await changeState(second.dynamo, { rate: RATE }));
    const { sides, clock } = stepped({ ...tables, target: answered(tables.target) }, step);
    await verifyCopy(sides, log, { rate, items: 10, clock });
    return clock.now();
  }
  // 32 parts of 256 units, at four units a second.
  expect(await msOf(1)).toBeGreaterThan(1_000_000);
  expect(await msOf()).toBeLessThan(200_000);
});

test('the command notes what it knows, and has another exit code if it does not know it', async () => {
  const { first, second } = await twoTables();
  const sides = sidesOf(first, second);
  const { progress } = await beginCopy(sides, RATE, Date.now());
  await changeState(second.dynamo, { progress: { ...progress, reads: 'nothing' } });
  for (const { dynamo } of [first, second]) await bulkWrite({ dynamo, items: roomsOf(10), by });
  let carrier = (side: Side) => side;
  const verify = (step?: Step) => {
    const { sides: own, clock } = stepped({ ...sides, target: carrier(sides.target) }, step);
    return verifyCopy(own, log, { rate: undefined, items: 10, clock });
  };
  await expect(verify()).rejects.toMatchObject({
    message:
      'It is not known whether the tables are equal: `carry` has not answered for 30 s. It is not running, of an earlier release, or too far behind. See `lagMs` in `status`.',
    exitCode: 2,
  });
  carrier = answered;
  await verify();
  expect((await copyOf(sides)).verified).toBe(true);
  await expect(verify(async () => void (await written(first, keys.room('r1'))))).rejects.toMatchObject({
    message:
      'It is not known whether the tables are equal: 1 item, such as "ROOM#r1\\nROOM", changed all the time for a minute, or `carry`, which has not answered for 0 s, has not reached what changed. Run this again, when less is written.',
    exitCode: 2,
  });
  expect((await copyOf(sides)).verified).toBe(false);
  await expect(verify()).rejects.toMatchObject({
    message:
      '1 item differs, such as "ROOM#r1\\nROOM", and `carry` has nothing left to carry. Copy into an empty table.',
    exitCode: 1,
  });
});
