import { readdirSync, readFileSync } from 'node:fs';

/**
 * A clock in milliseconds that leaves out the time for which the machine did not let the tests work. When a thread of
 * this process, or of a process that it started, waits for a processor, the clock stops. Limits by this clock mean the
 * same on a busy machine as on a quiet one: what hangs waits for no processor, so its time counts in full.
 *
 * Linux counts the waiting of each thread. On other systems this is the usual clock.
 */
function fairNow(): number {
  const at = now();
  if (at - sampled.at >= SAMPLED_EVERY_MS) sample(at);
  return at - lostMs;
}

/** Returns a function that says how many milliseconds of this clock are left of `ms`: none or less if it is over. */
export function startFairTime(ms: number): () => number {
  const until = fairNow() + ms;
  return () => until - fairNow();
}

/**
 * The clock never runs slower than this. Threads that wait at the same time count several times, and a test that
 * does not hang, but repeats the same step forever, must end, too.
 */
export const SLOWEST = 1 / 20;

/** A sample takes a few milliseconds, with a browser among the processes. */
const SAMPLED_EVERY_MS = 1_000;

// Not the one that a test replaces with its own.
const now = performance.now.bind(performance);

let lostMs = 0;
/** The last sample: for how long each thread has waited for a processor, in nanoseconds. */
let sampled: { readonly at: number; readonly waited: ReadonlyMap<string, number> } = {
  at: Number.NEGATIVE_INFINITY,
  waited: new Map(),
};

function sample(at: number): void {
  const waited = new Map<string, number>();
  addWaited(process.pid, waited);
  const isFirst = sampled.at === Number.NEGATIVE_INFINITY;
  if (!isFirst) {
    let ns = 0;
    for (const [thread, total] of waited) ns += Math.max(0, total - (sampled.waited.get(thread) ?? 0));
    lostMs += Math.min(ns / 1e6, (at - sampled.at) * (1 - SLOWEST));
  }
  sampled = { at, waited };
}

/** Adds the threads of a process and of all its descendants. */
function addWaited(pid: number | string, waited: Map<string, number>): void {
  const tasks = `/proc/${pid}/task`;
  for (const thread of entriesOf(tasks)) {
    // The time that it ran, the time that it waited, and how often it ran.
    waited.set(thread, Number(textOf(`${tasks}/${thread}/schedstat`).split(' ')[1] ?? 0));
    for (const child of textOf(`${tasks}/${thread}/children`).split(' ')) {
      if (child !== '') addWaited(child, waited);
    }
  }
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // It has ended meanwhile, or this is not Linux.
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
