import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bus, resyncTopic, topic } from '../../src/bus/bus.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher, type Publisher } from '../../src/bus/publisher.ts';
import { createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Inbox, type LogLine, listen, recordingLog, settlesAtOnce } from './support/bus.ts';

const numbers = topic<number>('numbers');

describe('createPublisher', () => {
  let memory: Bus;
  let lines: LogLine[];
  let publisher: Publisher;
  let resyncs: Inbox<{ reason: string }>;
  let inbox: Inbox<number>;
  const onFailure = vi.fn();
  /** Runs before each publish. The bus fails with the error that it throws. */
  let before: () => Promise<void> | void;
  let attempts: number;
  let clock: ReturnType<typeof createTestClock>;
  /** Lets the time pass for which the publisher waits between two resyncs. */
  const untilLater = (condition: () => void) =>
    eventually(() => {
      clock.advance(1_000);
      condition();
    }, 1);

  beforeEach(async () => {
    const recording = recordingLog();
    lines = recording.lines;
    memory = createMemoryBus({ log: recording.log });
    before = () => {};
    attempts = 0;
    onFailure.mockReset();
    const bus: Bus = {
      ...memory,
      up: true,
      async publish(on, payload) {
        attempts++;
        await before();
        await memory.publish(on, payload);
      },
    };
    clock = createTestClock();
    publisher = createPublisher({ bus, log: recording.log, onFailure, clock });
    resyncs = await listen(memory, resyncTopic);
    inbox = await listen(memory, numbers);
  });
  afterEach(() => publisher.stop());

  const broken = () => {
    throw new Error('broken');
  };

  test('publish: passes messages on in order, without a resync', async () => {
    await Promise.all([1, 2, 3].map((n) => publisher.publish(numbers, n)));
    await inbox.holds(3);
    expect([inbox.received, resyncs.received]).toEqual([[1, 2, 3], []]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('publish: never rejects; reports dropped messages, and publishes one resync when the bus works again', async () => {
    before = broken;
    for (let n = 0; n < 20; n++) await publisher.publish(numbers, n);
    expect(onFailure).toHaveBeenCalledTimes(20);
    expect(onFailure).toHaveBeenCalledWith('numbers');
    before = () => {};
    await untilLater(() => expect(lines).toHaveLength(2));
    await resyncs.holds(1);
    await publisher.publish(numbers, 99);
    await inbox.holds(1);
    expect([inbox.received, resyncs.received]).toEqual([[99], [{ reason: expect.any(String) }]]);
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'Publishing fails; messages are dropped until it works again' }),
      expect.objectContaining({ dropped: 20 }),
    ]);
  });

  test('publish: while the bus hangs, only the first message waits', async () => {
    let fail = () => {};
    before = () =>
      new Promise((_, reject) => {
        fail = () => reject(new Error('no answer'));
      });
    const first = publisher.publish(numbers, 0);
    expect(await settlesAtOnce(first)).toBe(false);
    fail();
    await first;
    for (let n = 1; n < 200; n++) expect(await settlesAtOnce(publisher.publish(numbers, n))).toBe(true);
    expect([attempts, onFailure.mock.calls.length]).toEqual([1, 200]);
  });

  test('publish: a message that is dropped during a resync causes another one', async () => {
    before = broken;
    await publisher.publish(numbers, 1);
    let release = () => {};
    const started = new Promise<void>((resolve) => {
      before = () => {
        resolve();
        return new Promise((go) => {
          release = go;
        });
      };
    });
    await untilLater(() => expect(attempts).toBe(2));
    await started;
    await publisher.publish(numbers, 2);
    before = () => {};
    release();
    await untilLater(() => expect(resyncs.received).toHaveLength(2));
    expect(inbox.received).toEqual([]);
  });

  test('settled: resolves when no resync is pending', async () => {
    await publisher.settled();
    before = broken;
    await publisher.publish(numbers, 1);
    let settled = false;
    const settling = publisher.settled().then(() => {
      settled = true;
    });
    await untilLater(() => expect(attempts).toBeGreaterThanOrEqual(3));
    expect(settled).toBe(false);
    before = () => {};
    await untilLater(() => expect(settled).toBe(true));
    await settling;
    await resyncs.holds(1);
  });

  test('resync: several requests are one message', async () => {
    publisher.resync('start');
    publisher.resync('again');
    publisher.resync('and again');
    await resyncs.holds(1);
    expect(resyncs.received[0]).toEqual({ reason: 'start' });
    await publisher.stop();
    expect(resyncs.received.length).toBeLessThanOrEqual(2);
  });

  test('resync: is retried until the publisher is stopped', async () => {
    before = broken;
    publisher.resync('start');
    await untilLater(() => expect(attempts).toBeGreaterThanOrEqual(4));
    expect(await settlesAtOnce(publisher.stop())).toBe(true);
    const attemptsAtStop = attempts;
    before = () => {};
    clock.advance(60_000);
    expect([clock.waiting, attempts, resyncs.received]).toEqual([0, attemptsAtStop, []]);
  });
});
