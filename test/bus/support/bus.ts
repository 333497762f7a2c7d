import { pino } from 'pino';
import type { Bus, Json, Topic } from '../../../src/bus/bus.ts';
import type { OutageLog } from '../../../src/core/log.ts';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A pino logger that keeps its lines. */
export function recordingLog(): { readonly log: OutageLog; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

/** The messages that one listener has received. */
export interface Inbox<T> {
  readonly received: T[];
  /** Resolves when at least `count` messages have arrived. */
  holds(count: number): Promise<void>;
  detach(): void;
}

export async function listen<T extends Json>(bus: Bus, topic: Topic<T>): Promise<Inbox<T>> {
  const received: T[] = [];
  let waiting: Array<{ readonly count: number; readonly resolve: () => void }> = [];
  const detach = await bus.subscribe(topic, (payload) => {
    received.push(payload);
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    waiting = waiting.filter(({ count }) => received.length < count);
  });
  return {
    received,
    detach,
    holds: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

/** Resolves when the bus calls the listeners of this event the next time. */
export const next = (bus: Bus, event: 'onGap' | 'onDown'): Promise<void> =>
  new Promise((resolve) => {
    const forget = bus[event](() => {
      forget();
      resolve();
    });
  });

/** Whether it settles without waiting for an answer or a timer, however short. */
export async function settlesAtOnce(work: Promise<unknown>): Promise<boolean> {
  const over = work.then(
    () => true,
    () => true,
  );
  return Promise.race([over, new Promise<false>((resolve) => setImmediate(() => resolve(false)))]);
}
