/** What the coordinator and its worker processes say to each other. */

/** How much is done. Each number has a bound, so a typing mistake does not become an attack. */
export interface Load {
  /** People online, each with a websocket that shows a room and the badge. */
  readonly people: number;
  readonly rooms: number;
  /** Messages a second, of all people together. */
  readonly rate: number;
  /** Pages of 50 messages that are read, a second. */
  readonly reads: number;
  readonly seconds: number;
  readonly workers: number;
}

export const DEFAULTS: Load = { people: 100, rooms: 10, rate: 10, reads: 10, seconds: 30, workers: 2 };
export const MOST: Load = {
  people: 20_000,
  rooms: 1_000,
  rate: 2_000,
  reads: 2_000,
  seconds: 3_600,
  workers: 16,
};

export interface Person {
  readonly token: string;
  readonly roomId: string;
}

/** One worker's share. */
export interface Share {
  readonly origin: string;
  /** Part of each message, so that those of an earlier run do not count. */
  readonly run: string;
  readonly people: readonly Person[];
  readonly rate: number;
  readonly reads: number;
  readonly seconds: number;
}

export type ToWorker =
  | { readonly type: 'prepare'; readonly share: Share }
  | { readonly type: 'go' | 'drain' };
export type FromWorker =
  | { readonly type: 'ready'; readonly live: number }
  | { readonly type: 'sent'; readonly counts: Counts }
  | { readonly type: 'done'; readonly counts: Counts };

/** How many there are of each number of milliseconds. Bounded, and those of several workers can be added up. */
export type Times = number[];
const LONGEST_MS = 60_000;

export const addTime = (times: Times, ms: number): void => {
  const at = Math.min(LONGEST_MS, Math.max(0, Math.round(ms)));
  times[at] = (times[at] ?? 0) + 1;
};

export interface Counts {
  /** Messages that were acknowledged, by the room's id. */
  readonly sent: Record<string, number>;
  /** Messages that were received, by all readers together. */
  readonly received: number;
  /** Times until a message was acknowledged. */
  readonly acknowledged: Times;
  /** From the request to each of its readers. */
  readonly delivered: Times;
  readonly reads: Times;
  /** By the code of the error. */
  readonly errors: Record<string, number>;
}

export const noCounts = (): Counts => ({
  sent: {},
  received: 0,
  errors: {},
  acknowledged: [],
  delivered: [],
  reads: [],
});

export function sumOf(all: readonly Counts[]): Counts {
  const sum = { ...noCounts() };
  for (const { sent, received, acknowledged, delivered, reads, errors } of all) {
    Object.assign(sum, { received: sum.received + received });
    for (const [into, from] of [
      [sum.sent, sent],
      [sum.errors, errors],
    ] as const) {
      for (const [name, count] of Object.entries(from)) into[name] = (into[name] ?? 0) + count;
    }
    for (const [into, from] of [
      [sum.acknowledged, acknowledged],
      [sum.delivered, delivered],
      [sum.reads, reads],
    ] as const) {
      for (const [ms, count] of from.entries()) if (count) into[ms] = (into[ms] ?? 0) + count;
    }
  }
  return sum;
}

export const countOf = (times: Times): number => times.reduce((sum, count = 0) => sum + (count ?? 0), 0);

/** The time that this share of all (0.99) does not exceed. Undefined if there is none. */
export function percentile(times: Times, share: number): number | undefined {
  let left = Math.ceil(countOf(times) * share);
  for (const [ms, count] of times.entries()) {
    left -= count ?? 0;
    if (count && left <= 0) return ms;
  }
  return undefined;
}
