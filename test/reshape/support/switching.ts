import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { catchUp } from '../../../src/app/catchUp.ts';
import { loadConfig } from '../../../src/config.ts';
import { type Carrying, startCarrying } from '../../../src/reshape/carry/carry.ts';
import { beginCopy, copyOf } from '../../../src/reshape/carry/marks.ts';
import type { Sides } from '../../../src/reshape/carry/sides.ts';
import { changeState } from '../../../src/reshape/carry/state.ts';
import { type SwitchOptions, switchTable } from '../../../src/reshape/switch/switchTable.ts';
import type { TableShape } from '../../../src/reshape/tableShape.ts';
import { emulatorPacing } from '../../../src/stream/reader.ts';
import {
  onDynamoDbLocal,
  openTestDynamo,
  type TestDynamo,
  testTimeouts,
} from '../../support/database/dynamo.ts';
import { startTestApp } from '../../support/servers/app.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { eventually } from '../../support/time/eventually.ts';
import { tableBeside } from './copy.ts';

const log = pino({ level: 'silent' });
const RATE = 100_000;
/** Longer than any machine takes. */
const WITHIN_MS = 300_000;
const base = {
  by: onDynamoDbLocal ? ('batches' as const) : ('transactions' as const),
  log,
  now: Date.now,
  pacing: emulatorPacing,
  frozenPacing: emulatorPacing,
};

const sideOf = ({ dynamo, streams, streamArn, table }: TestDynamo) => ({
  dynamo,
  streams,
  streamArn,
  place: table,
});

export const sidesOf = (source: TestDynamo, target: TestDynamo): Sides => ({
  source: sideOf(source),
  target: sideOf(target),
});

/** How processes find the two tables. */
export const placesOf = (source: TestDynamo, target: TestDynamo) => ({
  place: { table: target.table },
  sourcePlace: { table: source.table },
});

/** Makes a table a copy of another one. That it is equal is what tests of `verify` are for. */
export async function copyTo(source: TestDynamo, target: TestDynamo): Promise<void> {
  const sides = sidesOf(source, target);
  const state = await beginCopy(sides, RATE, Date.now());
  const carrying: Carrying = await startCarrying({ ...base, sides, state });
  await eventually(async () => expect((await copyOf(sides)).progress.reads).toBe('nothing'));
  await carrying.stop();
  await changeState(target.dynamo, { verified: true });
}

/** A table in use and its copy, which may be put in use. They end with the test. */
export async function tableAndCopy(): Promise<{ readonly first: TestDynamo; readonly second: TestDynamo }> {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const second = await tableBeside(first, `${first.table}-2`);
  await copyTo(first, second);
  return { first, second };
}

/**
 * Two servers on one table, of which one reads the stream. They look for another table often, and end with the test.
 */
export async function twoServers(database: TestDynamo) {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const shared = { database, redisUrl: redis.url, shapeMs: 200, shapeBelievedMs: undefined };
  const whole = await startTestApp({ ...shared, timersMs: 500 });
  onTestFinished(() => whole.stop());
  const api = await startTestApp({ ...shared, role: 'api' });
  onTestFinished(() => api.stop());
  return { whole, api, redisUrl: redis.url };
}

/** The command, in this process, with all the time that it needs. */
export const switchBetween = (source: TestDynamo, target: TestDynamo, changed: Partial<SwitchOptions> = {}) =>
  switchTable(sidesOf(source, target), {
    ...base,
    ...placesOf(source, target),
    withinMs: WITHIN_MS,
    readyMs: WITHIN_MS,
    catchUp: (signal) =>
      catchUp(
        {
          config: loadConfig({ DYNAMODB_ENDPOINT: source.endpoint, TABLE_NAME: source.table }),
          database: source,
          log,
          timeouts: testTimeouts,
          lookMs: 25,
        },
        signal,
      ),
    ...changed,
  });

type Sent = 'announced' | 'frozen' | 'decided' | 'takenBack';

/** The table, with a test between the command and what it writes of the use of it. */
export const aroundUse = (
  database: TestDynamo,
  around: (sent: Sent, send: () => Promise<unknown>) => Promise<unknown>,
): TestDynamo => ({
  ...database,
  dynamo: {
    ...database.dynamo,
    async tryTransact(writes, more) {
      const send = () => database.dynamo.tryTransact(writes, more);
      const { shape } = writes as { readonly shape?: { readonly put?: Partial<TableShape> } };
      if (shape?.put === undefined) return send();
      const { moving, notInUse } = shape.put;
      const sent = moving?.phase ?? (notInUse === undefined ? 'takenBack' : 'decided');
      return (await around(sent, send)) as Awaited<ReturnType<typeof send>>;
    },
  },
});
