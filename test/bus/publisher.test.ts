import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bus, resyncTopic, topic } from '../../src/bus/bus.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher, type Publisher } from '../../src/bus/publisher.ts';
import { eventually } from '../support/eventually.ts';
import { took } from '../support/ownTime.ts';
import { type Inbox, isOverAtOnce, type LogLine, listen, recordingLog } from './support.ts';

const numbers = topic<number>('numbers');

describe('the publisher', () => {
  let memory: Bus;
  let lines: LogLine[];
  let publisher: Publisher;
  let resyncs: Inbox<{ reason: string }>;
  let inbox: Inbox<number>;
  const onFailure = vi.fn();
  /** Runs before each publish; what it throws is what the bus fails with. */
  let before: () => Promise<void> | void;
  let tries: number;

  beforeEach(async () => {
    const recording = recordingLog();
    lines = recording.lines;
    memory = createMemoryBus({ log: recording.log });
    before = () => {};
    tries = 0;
    onFailure.mockReset();
    const bus: Bus = {
      ...memory,
      up: true,
      async publish(on, payload) {
        tries++;
        await before();
        await memory.publish(on, payload);
      },
    };
    publisher = createPublisher({ bus, log: recording.log, onFailure });
    resyncs = await listen(memory, resyncTopic);
    inbox = await listen(memory, numbers);
  });
  afterEach(() => publisher.stop());

  const broken = () => {
    throw new Error('broken');
  };

  test('passes messages on in order, and asks for no resync', async () => {
    await Promise.all([1, 2, 3].map((n) => publisher.publish(numbers, n)));
    await inbox.holds(3);
    expect([inbox.received, resyncs.received]).toEqual([[1, 2, 3], []]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('never rejects; it counts what was lost, and asks for one resync when the bus works again', async () => {
    before = broken;
    for (let n = 0; n < 20; n++) await publisher.publish(numbers, n);
    expect(onFailure).toHaveBeenCalledTimes(20);
    expect(onFailure).toHaveBeenCalledWith('numbers');
    before = () => {};
    await resyncs.holds(1);
    await eventually(() => expect(lines.length === 2).toBe(true), 1);
    await publisher.publish(numbers, 99);
    await inbox.holds(1);
    expect([inbox.received, resyncs.received]).toEqual([[99], [{ reason: expect.any(String) }]]);
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'Publishing fails; messages are dropped until it works again' }),
      expect.objectContaining({ dropped: 20 }),
    ]);
  });

  test('does not wait for every message in turn while the bus hangs', async () => {
    before = async () => {
      await wait(100);
      broken();
    };
    const publishing = async () => {
      for (let n = 0; n < 200; n++) await publisher.publish(numbers, n);
    };
    expect(await took(publishing())).toBeLessThan(1_000);
  });

  test('asks again for what was dropped while its resync was under way', async () => {
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
    await started;
    await publisher.publish(numbers, 2);
    before = () => {};
    release();
    await resyncs.holds(2);
    expect(inbox.received).toEqual([]);
  });

  test('is settled when no resync is owed any more', async () => {
    await publisher.settled();
    before = broken;
    await publisher.publish(numbers, 1);
    let settled = false;
    const settling = publisher.settled().then(() => {
      settled = true;
    });
    await eventually(() => expect(tries >= 3).toBe(true), 1);
    expect(settled).toBe(false);
    before = () => {};
    await settling;
    await resyncs.holds(1);
  });

  test('makes one resync of several requests', async () => {
    publisher.resync('start');
    publisher.resync('again');
    publisher.resync('and again');
    await resyncs.holds(1);
    expect(resyncs.received[0]).toEqual({ reason: 'start' });
    await publisher.stop();
    expect(resyncs.received.length).toBeLessThanOrEqual(2);
  });

  test('tries again by itself, ever more slowly, until it is stopped', async () => {
    before = broken;
    publisher.resync('start');
    await eventually(() => expect(tries >= 4).toBe(true));
    expect(await isOverAtOnce(publisher.stop())).toBe(true);
    const then = tries;
    before = () => {};
    await wait(1_100);
    expect([tries, resyncs.received]).toEqual([then, []]);
  });
});
