/** Processes and commands that notice the phases of a switch late. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { changeUse } from '../../src/reshape/carry/marks.ts';
import { readHeartbeats } from '../../src/reshape/heartbeats.ts';
import { createReshaping } from '../../src/reshape/reshaping.ts';
import { createParticipant, type MoveSteps } from '../../src/reshape/switch/participant.ts';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { createShapeWatch } from '../../src/reshape/watch.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { tableBeside } from './support/copy.ts';
import { copyTo, switchBetween } from './support/switching.ts';

const log = pino({ level: 'silent' });
const TARGET = { table: 'other', stream: 'arn:other' };
const PLACED = { ...TARGET, place: { table: 'other' } };
const frozen = { moving: { ...PLACED, phase: 'frozen', withinMs: 1_000 }, notInUse: TARGET } as const;
const announced = { moving: { ...PLACED, phase: 'announced', withinMs: 10_000 } } as const;

/** Its requests are still on their way. */
const still: MoveSteps<string> = {
  open: async () => 'opened',
  async close() {},
  freeze: () => new Promise<void>(() => {}),
  letGo() {},
  async resume() {},
  async move() {},
};

async function table() {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  return database.dynamo;
}

test('a process that was suspended over two switches confirms no response until the table is in use again', async () => {
  const dynamo = await table();
  const clock = createTestClock();
  let time = Date.now();
  const watch = createShapeWatch({
    dynamo,
    log,
    clock,
    now: () => time,
    participate: (look) => createParticipant({ log, clock, onChange: look, onFailed() {}, steps: still }),
  });
  await watch.start();
  await changeUse(dynamo, announced);
  time += 1_000;
  await watch.look();
  // The switch is taken back because of it, and the next one does not wait for it.
  for (const use of [{}, announced, frozen]) await changeUse(dynamo, use);
  time += 61_000;
  await expect(watch.confirm()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await changeUse(dynamo, {});
  await watch.confirm();
  expect(watch.confirm()).toBeUndefined();
});

test('a process that starts while an announced switch freezes waits for it, and is not waited for', async () => {
  const dynamo = await table();
  await changeUse(dynamo, announced);
  let isFrozen = false;
  const left: number[] = [];
  const watch = createShapeWatch({
    log,
    dynamo: {
      ...dynamo,
      // Between its first look, which finds the announcement, and the next one.
      async put(item) {
        if (!isFrozen) await changeUse(dynamo, frozen);
        isFrozen = true;
        await dynamo.put(item);
      },
      async remove(key) {
        await dynamo.remove(key);
        left.push((await readHeartbeats(dynamo, Date.now())).length);
        await changeUse(dynamo, {});
      },
    },
    participate: (look) => createParticipant({ steps: still, log, onChange: look, onFailed() {} }),
  });
  onTestFinished(() => watch.stop());
  await watch.start();
  expect(left).toEqual([0]);
  expect(await readHeartbeats(dynamo, Date.now())).toHaveLength(1);
});

test('a process that has stopped leaves no heartbeat, also if it was about to write one, and confirms nothing', async () => {
  const dynamo = await table();
  const clock = createTestClock();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isHeld = false;
  let isSaying = false;
  const watch = createShapeWatch({
    log,
    clock,
    everyMs: Number.POSITIVE_INFINITY,
    dynamo: {
      ...dynamo,
      async put(item) {
        isSaying = isHeld;
        if (isHeld) await held;
        await dynamo.put(item);
      },
    },
  });
  await watch.start();
  isHeld = true;
  clock.advance(30_000);
  const confirmed = watch.confirm()?.catch((error: unknown) => error);
  await eventually(() => expect(isSaying).toBe(true));
  const stopping = watch.stop();
  goOn();
  await stopping;
  await confirmed;
  expect(await readHeartbeats(dynamo, Date.now())).toEqual([]);
  await expect(watch.confirm()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await readHeartbeats(dynamo, Date.now())).toEqual([]);
});

test('requests go on at once if a switch is taken back while a handler is slow', async () => {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const second = await tableBeside(first, `${first.table}-2`);
  let slow: Promise<void> | undefined;
  let letGo = () => {};
  let begun = 0;
  const app = await startTestApp({
    database: first,
    shapeMs: 200,
    shapeBelievedMs: undefined,
    wrapDispatcher: (dispatcher) => ({
      async dispatch(changes, stop) {
        if (slow !== undefined) begun++;
        await slow;
        return dispatcher.dispatch(changes, stop);
      },
      get deadLetterCount() {
        return dispatcher.deadLetterCount;
      },
    }),
  });
  onTestFinished(async () => {
    letGo();
    await app.stop();
  });
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  await say(aki, roomId, 'One');
  await copyTo(first, second);
  slow = new Promise((resolve) => {
    letGo = resolve;
  });
  await say(aki, roomId, 'Two');
  await eventually(async () => expect(begun).toBeGreaterThan(0));
  await expect(switchBetween(first, second, { withinMs: 1_000 })).rejects.toThrow(
    'has not stopped writing in time',
  );
  await say(aki, roomId, 'Three');
  letGo();
  await app.quiet();
  expect(await readTableShape(first.dynamo)).not.toHaveProperty('moving');
});

test.each([
  ['is under way', frozen, 'Servers are about to use another table.'],
  ['was decided', { notInUse: PLACED }, 'This table is not in use. The table in use is other.'],
])('a change of the shape does not begin when a switch %s', async (_, use, why) => {
  const dynamo = await table();
  await dynamo.put({ ...keys.shape(), v: 1, inForce: 1, rev: 1 });
  await changeUse(dynamo, use);
  const control = createJobControl({ dynamo, now: Date.now });
  const { start, back, finish } = createReshaping({ dynamo, control, now: Date.now });
  const changes = [() => start({ rate: 10 }), () => back(), finish];
  for (const change of changes) await expect(change()).rejects.toThrow(why);
  expect(await readTableShape(dynamo)).toMatchObject(use);
});
