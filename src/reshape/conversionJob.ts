import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { createBudget } from '../jobs/budget.ts';
import type { JobKind, NextStep } from '../jobs/jobs.ts';
import { createConverter } from './converter.ts';
import { readHeartbeats } from './heartbeats.ts';
import { SHAPE } from './newestShape.ts';
import { type ChangeFigures, readTableShape, type TableShape } from './tableShape.ts';
import { followedSince, waitingOf } from './waiting.ts';

/** The number of parts of the table that are read side by side. */
const SEGMENTS = 8;
/** How long a step takes, apart from the calls that have begun. */
const STEP_MS = 1_000;
/** Candidates that are read again and converted at a time, in each part. */
const CHUNK = 25;
/** A page of a scan is 1 MB: 256 units. */
const PAGE_UNITS = 256;
/** Read units for each write unit of the rate. */
export const READS_PER_WRITE = 4;
/** A partition takes 1,000 write units a second. The rest is for those who use it. */
const OF_PARTITION = 250;
/** A step that would have to wait longer ends. */
const WAIT_MAX_MS = 1_000;

/** How far the job is: its cursor. */
export interface Progress {
  /** The table is read until a pass that is `settled` finds nothing. */
  readonly pass: number;
  /** Groups that this pass has converted. */
  readonly found: number;
  /** This pass began when nothing could write the shape before any more. */
  readonly settled: boolean;
  /**
   * Since when no step has seen a server that does not follow the change: milliseconds since 1970. Absent: the last
   * step has seen one, or was one of a release that did not keep this.
   */
  readonly followedAt?: number;
  /** The key after which each part continues. Null: its end was reached. Absent: at its beginning. */
  readonly segments: ReadonlyArray<{ readonly after?: Key } | null>;
  /** Items that this pass has read, and those before it. */
  readonly scanned: number;
  readonly scannedBefore: number;
  /** Groups that were converted in all passes, and the write units that DynamoDB charged. */
  readonly converted: number;
  readonly units: number;
}

export const BEGINNING: Progress = {
  pass: 1,
  found: 0,
  settled: false,
  scanned: 0,
  scannedBefore: 0,
  converted: 0,
  units: 0,
  segments: Array.from({ length: SEGMENTS }, () => ({})),
};

export const progressOf = (cursor: string | null): Progress =>
  cursor === null ? BEGINNING : { ...BEGINNING, ...(JSON.parse(cursor) as Partial<Progress>) };

/** Whether the pass has not read anything. */
export const isAtBeginning = ({ scanned, segments }: Progress): boolean =>
  scanned === 0 && segments.every((part) => part !== null && part.after === undefined);

/** The figures of `status`. */
export const figuresOf = ({ pass, scanned, scannedBefore, converted, units }: Progress): ChangeFigures => ({
  pass,
  scanned: scannedBefore + scanned,
  converted,
  units,
});

/** Each change has a job of its own, so one that has ended does not stand for another. */
export const conversionJobId = ({ version }: Pick<TableShape, 'version'>): string => `reshape${version}`;
export const CONVERSION_JOB = 'reshape';

/** The budget has nothing left before `at`, in milliseconds since 1970. */
class Later extends Error {
  override readonly name = 'Later';
  readonly at: number;
  constructor(at: number) {
    super('The budget is spent.');
    this.at = at;
  }
}

export type AboutChange = { readonly version: number };

export interface ConversionJobOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
  /** Called with the items that were read, and the groups that were converted, since the last call. */
  readonly onConversion?: (read: number, converted: number) => void;
}

/**
 * Converts all groups of the table to the shape in force, at a rate that may change at any time. A step can be
 * repeated, because each group is converted on the condition that it is as it was read. The job ends if another change
 * has begun.
 *
 * ```
 * servers   write the shape before ──┤ all follow, or have been silent for a minute
 * calls     that they had begun ───────────────┤ 10 s later none is tried again
 * job       pass 1, converts what is there │ waits, and reads nothing │ pass 2 finds nothing: done
 *                                                                     └ or finds what late servers wrote: pass 3
 * ```
 */
export function createConversionJob(options: ConversionJobOptions): JobKind<AboutChange> {
  const { dynamo, now, clock = systemClock, onConversion } = options;
  /** Candidates that were found and not converted yet, so that a slow rate does not read a page again for each step. */
  const left = new Map<
    number,
    { readonly after: Key | undefined; readonly items: readonly Item[]; readonly next: Key | undefined }
  >();
  /** The change and its pass that `left` was read for. Another process may have had the job since. */
  let leftOf = '';
  let budgets = createBudgets(0);

  function createBudgets(rate: number) {
    const all = { ofJob: rate, inAll: rate };
    const reads = rate * READS_PER_WRITE;
    return {
      rate,
      writes: createBudget({ rates: { ...all, ofPartition: Math.min(rate, OF_PARTITION) }, now }),
      reads: createBudget({ rates: { ofJob: reads, inAll: reads, ofPartition: reads }, now }),
    };
  }

  /** Waits until the units may be spent. Throws `Later` if that is not soon: the reservation is kept. */
  async function pay(budget: 'reads' | 'writes', pk: string, units: number): Promise<void> {
    const name = `${budget} ${pk}`;
    const at = budgets[budget].reserve(name, new Map([[pk, units]]));
    if (at > now() + WAIT_MAX_MS) throw new Later(at);
    if (at > now()) await sleep(clock, at - now());
    budgets[budget].settle(name, units);
  }

  async function step({ version }: AboutChange, cursor: string | null): Promise<NextStep> {
    const { change, ...table } = await readTableShape(dynamo);
    if (change === undefined || change.converted || table.version !== version) return null;
    if (budgets.rate !== change.rate) budgets = createBudgets(change.rate);
    const { followedAt: followedBefore, ...before } = progressOf(cursor);
    const pass = `${version} ${before.pass}`;
    const begins = isAtBeginning(before);
    // Also what another attempt to begin the pass has read: servers may have written the shape before since.
    if (begins || leftOf !== pass) left.clear();
    leftOf = pass;
    // Also within a pass, so that the next one need not wait if all have followed for long.
    const seen = { version, servers: await readHeartbeats(dynamo, now()) };
    const followedAt = followedSince(seen, followedBefore, now());
    const settled = begins
      ? waitingOf({ ...seen, change, followedAt, now: now() }) === undefined
      : before.settled;
    // What is there was read, and a pass that began now could not be the last one.
    if (begins && !settled && before.pass > 1)
      return { cursor: JSON.stringify({ ...before, followedAt }), runAt: now() + STEP_MS };
    const counted = {
      scanned: before.scanned,
      found: before.found,
      converted: before.converted,
      units: before.units,
    };
    const { convertSome } = createConverter({
      dynamo,
      shape: SHAPE,
      direction: change.direction,
      mayWrite: (pk, units) => pay('writes', pk, units),
      onConverted(units) {
        counted.found++;
        counted.converted++;
        counted.units += units;
        onConversion?.(0, 1);
      },
    });
    const until = clock.now() + STEP_MS;

    async function page(segment: number, after: Key | undefined) {
      const known = left.get(segment);
      if (known !== undefined && known.after?.sk === after?.sk && known.after?.pk === after?.pk) return known;
      await pay('reads', `part ${segment}`, PAGE_UNITS);
      const part = { segment, segments: SEGMENTS };
      const { items, next, scanned } = await dynamo.scanPage(
        SHAPE.candidates[change?.direction ?? 'up'],
        after,
        part,
      );
      counted.scanned += scanned;
      onConversion?.(scanned, 0);
      return { after, items, next };
    }

    /** Units that may be spent at this time at the earliest. */
    let later = Number.POSITIVE_INFINITY;

    /** At least one part of a page, and more until the step's time is over. */
    async function advance(segment: number, from: Key | undefined): Promise<Progress['segments'][number]> {
      for (let after = from; ; ) {
        let found: Awaited<ReturnType<typeof page>> | undefined;
        try {
          found = await page(segment, after);
          const items = found.items.slice(
            await convertSome(found.items.slice(0, CHUNK), () => clock.now() >= until),
          );
          // The whole page is read again if this process ends.
          left.set(segment, { ...found, items });
          if (items.length === 0) {
            left.delete(segment);
            if (found.next === undefined) return null;
            after = found.next;
          }
        } catch (error) {
          if (!(error instanceof Later)) throw error;
          later = Math.min(later, error.at);
          if (found !== undefined) left.set(segment, found);
          return defined({ after });
        }
        if (clock.now() >= until) return defined({ after });
      }
    }

    const segments = await Promise.all(
      before.segments.map((part, i) => (part === null ? null : advance(i, part.after))),
    );
    const progress: Progress = { ...before, ...counted, ...defined({ followedAt }), settled, segments };
    if (segments.some((part) => part !== null)) {
      const text = JSON.stringify(progress);
      return later === Number.POSITIVE_INFINITY ? text : { cursor: text, runAt: later };
    }
    if (progress.found === 0 && settled) {
      await markConverted(version, figuresOf(progress));
      return null;
    }
    const scannedBefore = progress.scannedBefore + progress.scanned;
    const again: Progress = { ...progress, ...pick(BEGINNING), scannedBefore, pass: progress.pass + 1 };
    return JSON.stringify(again);
  }

  const markConverted = (version: number, figures: ChangeFigures) =>
    ifConditionHolds(
      dynamo.update(keys.shape(), {
        update: 'SET converted = :true, figures = :figures',
        condition: 'rev = :rev',
        values: { ':true': true, ':rev': version, ':figures': figures },
      }),
    );

  return { name: CONVERSION_JOB, step };
}

/** What each pass begins again. */
const pick = ({ found, scanned, segments, settled }: Progress) => ({ found, scanned, segments, settled });
