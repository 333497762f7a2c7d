/** Copying begins again if changes were missed. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import type { ScanPage, TablePart } from '../../src/dynamo/reads.ts';
import { createCopying } from '../../src/reshape/carry/copying.ts';
import { createPersist } from '../../src/reshape/carry/persist.ts';
import { BEGINNING, SEGMENTS } from '../../src/reshape/carry/state.ts';
import { createThrottle } from '../../src/reshape/carry/throttle.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { hastyClock as clock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { held } from '../support/time/held.ts';

const LOOKS_MAX = 10_000;

/** Looked at without end, it throws: a loop that never waits would keep the test from ending. */
function createSignal() {
  const controller = new AbortController();
  let looks = 0;
  let isAborted = false;
  Object.defineProperty(controller.signal, 'aborted', {
    get() {
      if (++looks > LOOKS_MAX) throw new Error('It does not wait.');
      return isAborted;
    },
  });
  return {
    signal: controller.signal,
    abort() {
      isAborted = true;
      controller.abort();
    },
  };
}

/** `read`: the pages of the source. The target has no items. */
async function startCopying(read: (part: TablePart) => Promise<readonly Key[]>) {
  const { dynamo, streams, streamArn, table, stop } = await openTestDynamo();
  onTestFinished(stop);
  const { signal, abort } = createSignal();
  const carried: string[] = [];
  const sideOf = (pages: typeof read) => ({
    streams,
    streamArn,
    place: table,
    dynamo: {
      ...dynamo,
      async scanPage(_filter: object, _after?: Key, part?: TablePart): Promise<ScanPage> {
        const found = part === undefined ? [] : await pages(part);
        const items = found.map((key) => ({ ...key }));
        return { items, scanned: items.length, units: 1 };
      },
    },
  });
  const copying = createCopying({
    sides: { source: sideOf(read), target: sideOf(async () => []) },
    carriers: Array.from({ length: SEGMENTS }, () => ({
      async carry(some: readonly Key[]) {
        carried.push(...some.map(({ pk }) => pk));
      },
    })),
    throttle: createThrottle(1_000_000, { clock, signal }),
    persist: createPersist({ log: pino({ level: 'silent' }), clock, signal }),
    from: BEGINNING,
    clock,
  });
  const running = copying.run(signal);
  /** Resolves when everything is copied. Rejects if the copying has failed. */
  const copied = () =>
    Promise.race([running, eventually(() => expect(copying.progress.reads).toBe('nothing'))]);
  async function end(): Promise<void> {
    abort();
    await running;
  }
  return { copying, carried, copied, end };
}

const room = (id: string) => keys.room(id);

test('everything is read again, and then it waits for the next time', async () => {
  const { copying, carried, copied, end } = await startCopying(async ({ segment }) => [room(`r${segment}`)]);
  await copied();
  const once = carried.length;
  copying.again();
  await copied();
  expect([once, carried.length]).toEqual([SEGMENTS, 2 * SEGMENTS]);
  await end();
});

test('a part that was empty, and was being read when everything begins again, is read again as well', async () => {
  const reading = held();
  const mayEnd = held();
  let reads = 0;
  const { copying, carried, copied, end } = await startCopying(async ({ segment }) => {
    if (segment !== 0) return [];
    if (reads++ > 0) return [room('missed')];
    reading.letGo();
    await mayEnd.promise;
    return [];
  });
  await reading.promise;
  copying.again();
  mayEnd.letGo();
  await copied();
  expect(carried).toEqual([room('missed').pk]);
  await end();
});
