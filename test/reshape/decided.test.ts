/** A table is put in use only by what was decided, and only as the copy of the one that was in use. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { startCarrying } from '../../src/reshape/carry/carry.ts';
import { handOver } from '../../src/reshape/carry/handOver.ts';
import { changeUse, copyOf } from '../../src/reshape/carry/marks.ts';
import { changeState, putState, readState } from '../../src/reshape/carry/state.ts';
import { beginTurn } from '../../src/reshape/carry/turn.ts';
import { readTableShape, type TableInUse, unendedHandOver } from '../../src/reshape/tableShape.ts';
import { createLeases } from '../../src/stream/leases.ts';
import { emulatorPacing } from '../../src/stream/reader.ts';
import { streamLabel } from '../../src/stream/records.ts';
import type { TestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { tableBeside } from './support/copy.ts';
import { aroundUse, copyTo, placesOf, sidesOf, switchBetween, tableAndCopy } from './support/switching.ts';

const log = pino({ level: 'silent' });
const options = { by: 'transactions', pacing: emulatorPacing, log, now: Date.now } as const;

const usedAt = ({
  table,
  streamArn,
}: TestDynamo): Required<Omit<TableInUse, 'at' | 'handOver' | 'backRate'>> => ({
  table,
  stream: streamArn,
  place: { table },
});
const isInUse = async ({ dynamo }: TestDynamo) => (await readTableShape(dynamo)).notInUse === undefined;
const startRefused = (database: TestDynamo) =>
  expect(startTestApp({ database })).rejects.toThrow('This table is not in use.');

test('a server that starts two tables back puts nothing in use', async () => {
  const { first, second } = await tableAndCopy();
  await switchBetween(first, second);
  const third = await tableBeside(first, `${first.table}-3`);
  await copyTo(second, third);
  await switchBetween(second, third);
  await startRefused(first);
  expect([await isInUse(first), await isInUse(second), await isInUse(third)]).toEqual([false, false, true]);
});

test('on the way back, a server that starts with either table does what was decided, and nothing before that', async () => {
  const { first, second } = await tableAndCopy();
  await switchBetween(first, second);
  await copyTo(second, first);
  await changeState(first.dynamo, { place: { table: second.table } });
  const { place: _, ...notInUse } = usedAt(first);
  await changeUse(second.dynamo, { notInUse });
  await startRefused(first);
  await startRefused(second);
  expect([await isInUse(first), await isInUse(second)]).toEqual([false, false]);
  await changeUse(second.dynamo, { notInUse: usedAt(first) });
  await startRefused(second);
  expect([await isInUse(first), await isInUse(second)]).toEqual([true, false]);
});

test('a server that starts with the copy does not end a hand-over that is under way', async () => {
  const { first, second } = await tableAndCopy();
  // As a switch that was taken back leaves it.
  await changeState(second.dynamo, { place: { table: first.table } });
  let refused = false;
  await handOver(sidesOf(first, second), {
    ...options,
    ...placesOf(first, second),
    async catchUp() {
      await expect(startTestApp({ database: second })).rejects.toThrow(
        unendedHandOver(first.table, second.table),
      );
      refused = true;
    },
  });
  expect(refused).toBe(true);
  expect([await isInUse(first), await isInUse(second)]).toEqual([false, true]);
});

test('a hand-over whose first response is lost leaves the source in use', async () => {
  const { first, second } = await tableAndCopy();
  const lossy = aroundUse(first, async (sent, send) => {
    const failed = await send();
    if (sent === 'decided') throw new OutageError();
    return failed;
  });
  const handingOver = handOver(sidesOf(lossy, second), {
    ...options,
    ...placesOf(first, second),
    catchUp: async () => {},
  });
  await expect(handingOver).rejects.toThrow(OutageError);
  expect([await isInUse(first), await isInUse(second)]).toEqual([true, false]);
});

test('a hand-over that was late at its end takes no lease from those who read the stream by then', async () => {
  const { first, second } = await tableAndCopy();
  const leasesOf = () =>
    createLeases({ dynamo: second.dynamo, stream: streamLabel(second.streamArn), owner: 'live' });
  const late: TestDynamo = {
    ...second,
    dynamo: {
      ...second.dynamo,
      async tryTransact(writes, more) {
        const failed = await second.dynamo.tryTransact(writes, more);
        // It is suspended as soon as its turn has ended, and another one begins.
        if ('carry' in writes && 'fences' in writes && failed === undefined && !isLate) {
          const { ended } = (await second.dynamo.get(keys.carry())) ?? {};
          isLate = ended === true;
          if (isLate) await beginTurn(second.dynamo);
        }
        return failed;
      },
    },
  };
  let isLate = false;
  const leases = leasesOf();
  await leases.list();
  await leases.take('a shard');
  const before = await leasesOf().list();
  const handingOver = handOver(sidesOf(first, late), {
    ...options,
    ...placesOf(first, second),
    catchUp: async () => {},
  });
  await expect(handingOver).rejects.toThrow('Another command carries into this table.');
  expect(isLate).toBe(true);
  expect(await leasesOf().list()).toEqual(before);
});

test('a switch takes back what a suspended one has left before it carries anything', async () => {
  const { first, second } = await tableAndCopy();
  const { version } = await readTableShape(first.dynamo);
  const { place: _, ...notInUse } = usedAt(second);
  await changeUse(first.dynamo, {
    moving: { ...usedAt(second), phase: 'frozen', withinMs: 300_000 },
    notInUse,
  });
  const key = keys.room('late');
  await first.dynamo.put({ ...key, v: 1 });
  const sent: string[] = [];
  const watched = aroundUse(first, async (what, send) => {
    sent.push(what);
    const failed = await send();
    if (what === 'takenBack') {
      expect(await second.dynamo.get(key)).toBeUndefined();
      // The suspended one wakes up, and decides.
      expect(await changeUse(first.dynamo, { notInUse: usedAt(second) }, version + 1)).toBeUndefined();
    }
    return failed;
  });
  await switchBetween(watched, second);
  expect(sent).toEqual(['takenBack', 'announced', 'frozen', 'decided']);
  expect(await second.dynamo.get(key)).toBeDefined();
});

test('a copy that a release without turns has begun goes on', async () => {
  const { first, second } = await tableAndCopy();
  await putState(second.dynamo, first.streamArn, 100);
  const { turn: _, ...item } = (await second.dynamo.get(keys.carry())) ?? {};
  await second.dynamo.put({ ...item, ...keys.carry() });
  const sides = sidesOf(first, second);
  const carrying = await startCarrying({ ...options, sides, state: await copyOf(sides) });
  await carrying.stop();
  expect(await readState(second.dynamo)).toMatchObject({ from: first.streamArn });
});
