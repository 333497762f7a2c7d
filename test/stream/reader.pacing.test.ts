import { describe, expect, it } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { awsPacing, emulatorPacing, type ReaderOptions } from '../../src/stream/reader.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { createTestClock } from '../support/time/clock.ts';
import { until } from './support/consumerFixture.ts';
import { useReaderFixture } from './support/readerFixture.ts';

type TestClock = ReturnType<typeof createTestClock>;

/** The records of a full page: what DynamoDB returns at most. */
const PAGE = 1_000;

const fixture = useReaderFixture();

describe('createReader: pacing', () => {
  /** Runs a reader on a clock that the test moves, until it waits. */
  async function idle(options: Partial<ReaderOptions> = {}) {
    const clock = createTestClock();
    const started = fixture.start({ clock, ...options });
    const waiting = () => until(() => expect(clock.waiting).toBe(1));
    await waiting();
    const polls = () => fixture.requests('GetRecords');
    return { ...started, clock, waiting, polls };
  }

  /** Enough time that only an idle reader's polls are left. */
  async function rest({ advance }: TestClock, waiting: () => Promise<void>): Promise<void> {
    for (let ms = 0; ms < 1_000; ms += 10) {
      advance(10);
      await waiting();
    }
  }

  it('pacing: an idle reader polls three or four times a second', async () => {
    const { clock, waiting, polls } = await idle();
    await rest(clock, waiting);
    const before = polls();
    for (let ms = 0; ms < 10_000; ms += 10) {
      clock.advance(10);
      await waiting();
    }
    expect(polls() - before).toBeLessThanOrEqual(40);
    expect(polls() - before).toBeGreaterThanOrEqual(30);
  });

  // DynamoDB Local's stream is some milliseconds behind its table, and these clocks do not move by themselves.
  it.skipIf(onDynamoDbLocal)('wake: ends a wait at once', async () => {
    const { reader, handled, polls, waiting } = await idle();
    const before = polls();
    await fixture.put(1);
    reader.wake();
    await until(() => expect(handled).toHaveLength(1));
    await waiting();
    // Nothing was written by then, so there is no reason for another poll.
    expect(polls() - before).toBe(1);
  });

  it('wake: any number of wakes during a poll cause one more poll', async () => {
    const { reader, polls, waiting } = await idle();
    const before = polls();
    let wakes = 3;
    fixture.proxy.onRequest('GetRecords', () => {
      for (; wakes > 0; wakes--) reader.wake();
    });
    reader.wake();
    await until(() => expect(polls() - before).toBe(2));
    await waiting();
    expect(polls() - before).toBe(2);
  });

  it.skipIf(onDynamoDbLocal)('pacing: the consumer’s own records leave the reader idle', async () => {
    const { reader, clock, waiting, polls } = await idle();
    await rest(clock, waiting);
    const [before, records] = [polls(), reader.records];
    await fixture.db.dynamo.put({ ...keys.shard('s', 'x'), v: 1, counter: 1 });
    clock.advance(250);
    await until(() => expect(reader.records).toBe(records + 1));
    await waiting();
    clock.advance(249);
    expect(polls() - before).toBe(1);
    expect(reader.changes).toBe(0);
    // Its position still moves, and the next renewal saves it.
    expect(reader.position).toBeDefined();
  });

  describe.skipIf(onDynamoDbLocal)('pacing: after a page', () => {
    /** As `idle`, after a rest. */
    async function rested() {
      const started = await idle();
      const { clock, waiting, polls } = started;
      await rest(clock, waiting);
      /** How many polls begin in this time. */
      async function pollsWithin(ms: number): Promise<number> {
        const before = polls();
        clock.advance(ms);
        await waiting();
        return polls() - before;
      }
      return { ...started, pollsWithin };
    }

    it('with the changes that were announced, it waits', async () => {
      const { reader, handled, waiting, pollsWithin } = await rested();
      await fixture.put(1);
      reader.wake();
      await until(() => expect(handled).toHaveLength(1));
      await waiting();
      expect(await pollsWithin(emulatorPacing.idleMs - 1)).toBe(0);
      expect(await pollsWithin(1)).toBe(1);
    });

    it('without the changes that were announced, it polls again soon, once', async () => {
      const { reader, polls, waiting, pollsWithin } = await rested();
      const before = polls();
      reader.wake();
      await until(() => expect(polls() - before).toBe(1));
      await waiting();
      expect(await pollsWithin(emulatorPacing.busyMs)).toBe(1);
      expect(await pollsWithin(emulatorPacing.idleMs - 1)).toBe(0);
    });

    it('the first one, it polls again soon', async () => {
      await fixture.put(1);
      const { clock, polls, waiting } = await idle();
      const before = polls();
      clock.advance(emulatorPacing.busyMs);
      await until(() => expect(polls() - before).toBe(1));
      await waiting();
    });

    it('that is full, it polls again soon, also if it keeps the spacing', async () => {
      const { reader, handled, clock, polls, waiting } = await idle({ keepSpacing: true });
      await rest(clock, waiting);
      for (let n = 1; n <= PAGE + 1; n += 25)
        await Promise.all(Array.from({ length: 25 }, (_, i) => fixture.put(n + i)));
      const before = polls();
      reader.wake();
      await until(() => expect(handled).toHaveLength(PAGE));
      await waiting();
      expect(polls() - before).toBe(1);
      clock.advance(emulatorPacing.busyMs);
      await until(() => expect(handled.length).toBeGreaterThan(PAGE));
    });

    it('with changes that were expected, it waits; what no one has announced later is not among them', async () => {
      const { reader, handled, pollsWithin } = await rested();
      await fixture.put(1);
      reader.expect(1);
      expect(await pollsWithin(emulatorPacing.idleMs)).toBe(1);
      expect(handled).toHaveLength(1);
      expect(await pollsWithin(emulatorPacing.idleMs - 1)).toBe(0);
      await fixture.put(2);
      expect(await pollsWithin(1)).toBe(1);
      expect(handled).toHaveLength(2);
      expect(await pollsWithin(emulatorPacing.busyMs)).toBe(1);
    });

    it('with changes that were expected and not those that were announced, it polls again soon', async () => {
      const { reader, handled, waiting, pollsWithin } = await rested();
      for (const n of [1, 2]) await fixture.put(n);
      // Each of two writes announces one.
      for (let i = 0; i < 2; i++) reader.expect(1);
      reader.wake();
      await until(() => expect(handled).toHaveLength(2));
      await waiting();
      expect(await pollsWithin(emulatorPacing.busyMs)).toBe(1);
    });

    it('with changes that were expected and those that were announced, it waits', async () => {
      const { reader, handled, waiting, pollsWithin } = await rested();
      for (const n of [1, 2]) await fixture.put(n);
      reader.expect(1);
      reader.wake();
      await until(() => expect(handled).toHaveLength(2));
      await waiting();
      expect(await pollsWithin(emulatorPacing.busyMs)).toBe(0);
    });

    it('without the changes that were announced, it polls again soon, also if it expected others', async () => {
      const { reader, polls, waiting, pollsWithin } = await rested();
      const before = polls();
      reader.expect(1);
      reader.wake();
      await until(() => expect(polls() - before).toBe(1));
      await waiting();
      expect(await pollsWithin(emulatorPacing.busyMs)).toBe(1);
    });

    it('without the changes that were expected, it waits', async () => {
      const { reader, pollsWithin } = await rested();
      reader.expect(1);
      expect(await pollsWithin(emulatorPacing.idleMs)).toBe(1);
      expect(await pollsWithin(emulatorPacing.idleMs - 1)).toBe(0);
    });

    it('with changes that were not announced, it polls again soon', async () => {
      const { handled, pollsWithin } = await rested();
      await fixture.put(1);
      expect(await pollsWithin(emulatorPacing.idleMs)).toBe(1);
      expect(handled).toHaveLength(1);
      expect(await pollsWithin(emulatorPacing.busyMs)).toBe(1);
    });
  });

  it('awsPacing: at most five polls a second, also with wakes', async () => {
    const { reader, clock, polls, waiting } = await idle({ pacing: awsPacing });
    const before = polls();
    for (let ms = 0; ms < 2_000; ms += 10) {
      reader.wake();
      clock.advance(10);
      await waiting();
    }
    expect(polls() - before).toBeLessThanOrEqual(10);
  });
});
