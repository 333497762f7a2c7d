/** One run at a time writes into a copy: until the switch is decided, and never after that. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ConditionsFailed } from '../../src/dynamo/errors.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Write } from '../../src/dynamo/write.ts';
import { createCarrier } from '../../src/reshape/carry/carrier.ts';
import { startCarrying } from '../../src/reshape/carry/carry.ts';
import { handOver } from '../../src/reshape/carry/handOver.ts';
import { changeUse, copyOf } from '../../src/reshape/carry/marks.ts';
import { beginTurn, endTurn, fenceOf } from '../../src/reshape/carry/turn.ts';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { createLeases } from '../../src/stream/leases.ts';
import { emulatorPacing } from '../../src/stream/reader.ts';
import type { TestDynamo } from '../support/database/dynamo.ts';
import { aroundUse, placesOf, sidesOf, switchBetween, tableAndCopy } from './support/switching.ts';

const log = pino({ level: 'silent' });
const options = { by: 'transactions', pacing: emulatorPacing, log, now: Date.now } as const;
const key = keys.room('r1');

async function copyWithRuns() {
  const { first, second } = await tableAndCopy();
  const sides = sidesOf(first, second);
  const inUse = { table: second.table, stream: second.streamArn, place: { table: second.table } };
  return {
    first,
    second,
    sides,
    inUse,
    carry: async () => startCarrying({ ...options, sides, state: await copyOf(sides) }),
    /** Another run has the lock, and decides a switch when it is waited for. */
    async lockedByOther(): Promise<{ readonly onWait: () => void }> {
      const leases = createLeases({ dynamo: second.dynamo, stream: 'carry', owner: 'other' });
      await leases.list();
      const lease = await leases.take('carry');
      async function decide(): Promise<void> {
        await changeUse(first.dynamo, { notInUse: inUse });
        await lease?.release();
      }
      return { onWait: () => void decide() };
    },
  };
}

test('no other run can begin to carry until the switch is decided', async () => {
  const { first, second, carry } = await copyWithRuns();
  let refusal: unknown;
  const watched = aroundUse(first, async (sent, send) => {
    if (sent === 'decided') {
      refusal = await carry().then(
        (carrying) => carrying.stop(),
        (error: Error) => error.message,
      );
    }
    return send();
  });
  await switchBetween(watched, second);
  expect(refusal).toBe('Another command carries into this table. See `status`.');
});

test('the switch is taken back if another run has begun to carry meanwhile', async () => {
  const { first, second } = await copyWithRuns();
  // As after a suspension, in which the lock was lost.
  const late = switchBetween(first, second, {
    catchUp: async () => {
      await beginTurn(second.dynamo);
    },
  });
  await expect(late).rejects.toThrow('Another command carries into this table.');
  expect(await readTableShape(first.dynamo)).not.toHaveProperty('notInUse');
});

test('a write of the carrier that arrives after the decision has no effect', async () => {
  const { first, second } = await copyWithRuns();
  const sent: Array<readonly Write[]> = [];
  const watched: TestDynamo = {
    ...second,
    dynamo: {
      ...second.dynamo,
      transact(writes, more) {
        sent.push(writes);
        return second.dynamo.transact(writes, more);
      },
    },
  };
  await switchBetween(first, watched, {
    catchUp: async () => {
      await first.dynamo.put({ ...key, v: 1, name: 'Old' });
      await first.dynamo.put({ ...keys.room('r2'), v: 1 });
    },
  });
  expect(await second.dynamo.get(key)).toMatchObject({ name: 'Old' });
  await second.dynamo.put({ ...key, v: 1, name: 'New' });
  expect(sent.length).toBeGreaterThan(0);
  for (const writes of sent) await expect(second.dynamo.transact(writes)).rejects.toThrow(ConditionsFailed);
  expect(await second.dynamo.get(key)).toMatchObject({ name: 'New' });
});

test('a run that was suspended before a write does not write once another one has its turn', async () => {
  const { second, sides, first } = await copyWithRuns();
  await first.dynamo.put({ ...key, v: 1 });
  const turn = (await beginTurn(second.dynamo)) ?? 0;
  const { carry } = createCarrier({
    sides,
    now: Date.now,
    by: 'transactions',
    fence: fenceOf(turn, 0),
    fenced: () => new Error('Fenced.'),
    async mayWrite() {
      await beginTurn(second.dynamo);
    },
  });
  await expect(carry([key])).rejects.toThrow('Fenced.');
  expect(await second.dynamo.get(key)).toBeUndefined();
  expect(await endTurn(second.dynamo, turn)).toBe('lost');
  expect(await endTurn(second.dynamo, turn + 1)).toBe('ended');
  // The same request once more.
  expect(await endTurn(second.dynamo, turn + 1)).toBe('ended');
});

test('no run begins to carry while servers wait, or after it was decided', async () => {
  const { first, carry, inUse } = await copyWithRuns();
  const { place: _, ...notInUse } = inUse;
  for (const use of [
    { moving: { ...inUse, phase: 'frozen', withinMs: 60_000 }, notInUse },
    { notInUse: inUse },
  ] as const) {
    await changeUse(first.dynamo, use);
    await expect(carry()).rejects.toThrow(`The table in use is ${inUse.table}.`);
  }
});

test('a switch that waited for another one that was decided ends it, and does not begin again', async () => {
  const { first, second, inUse, lockedByOther } = await copyWithRuns();
  const { onWait } = await lockedByOther();
  expect(await switchBetween(first, second, { onWait })).toMatchObject({ frozenMs: 0 });
  expect((await readTableShape(first.dynamo)).notInUse).toEqual(inUse);
  expect(await readTableShape(second.dynamo)).not.toHaveProperty('notInUse');
});

test('a hand-over that waited for a switch that was decided changes nothing', async () => {
  const { first, second, sides, inUse, lockedByOther } = await copyWithRuns();
  const { onWait } = await lockedByOther();
  await expect(
    handOver(sides, { ...options, ...placesOf(first, second), onWait, catchUp: async () => {} }),
  ).rejects.toThrow('A switch to it was decided. Run `switch` again.');
  expect((await readTableShape(first.dynamo)).notInUse).toEqual(inUse);
  expect((await readTableShape(second.dynamo)).notInUse?.stream).toBe(first.streamArn);
  // Then it does.
  expect(await switchBetween(first, second)).toMatchObject({ servers: 0 });
});

test('a hand-over that was suspended at its end puts nothing in use if another one carries', async () => {
  const { first, second, sides } = await copyWithRuns();
  const suspended: TestDynamo['dynamo'] = {
    ...second.dynamo,
    async tryTransact(writes, more) {
      if ('carry' in writes && 'shape' in writes) await beginTurn(second.dynamo);
      return second.dynamo.tryTransact(writes, more);
    },
  };
  const late = handOver(
    { ...sides, target: { ...sides.target, dynamo: suspended } },
    { ...options, ...placesOf(first, second), catchUp: async () => {} },
  );
  await expect(late).rejects.toThrow('Another command carries into this table.');
  expect((await readTableShape(second.dynamo)).notInUse?.stream).toBe(first.streamArn);
  expect((await readTableShape(first.dynamo)).notInUse?.stream).toBe(second.streamArn);
});
