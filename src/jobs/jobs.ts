import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, parseKey, waitingJobs } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Visitor } from '../rebuild/rebuild.ts';

/** Work that is too much for one call of a handler. It is stored in the table and continues itself: see `handlers.ts`. */
export interface Job<About extends Item = Item> {
  /** Made from what the job is about, so that the same work begun twice is one job. */
  readonly id: string;
  /** The name of the `JobKind` that does it. */
  readonly kind: string;
  /** What the job is about: bounded and small. */
  readonly about: About;
  /** The position of the next step, in the kind's own terms. */
  readonly cursor: string;
  /** Rises with every step. */
  readonly version: number;
  /** The next step does not begin before this time (milliseconds since 1970). Absent: at once. */
  readonly runAt?: number;
  /** How often it has waited for a worker that knows its kind. */
  readonly unknownKind?: number;
}

/** The cursor of the next step, which begins at once, or not before `runAt` (milliseconds since 1970). Null: the job is done. */
export type NextStep = string | { readonly cursor: string; readonly runAt: number } | null;

/** How a kind of work is done, one bounded step after the other. */
export interface JobKind<About extends Item = Item> {
  readonly name: string;
  /**
   * One step. A cursor of null begins. Repeated for the same cursor after a crash, and possibly run twice at the same
   * time, so every step must be idempotent. If it rejects, the job's change is repeated and then becomes a dead
   * letter, as with any handler.
   */
  step(about: About, cursor: string | null): Promise<NextStep>;
}

export type Jobs = ReturnType<typeof createJobs>;

/** How many jobs one call of `startDue` starts. The next call, seconds later, starts more. */
const DUE_AT_ONCE = 25;
/** How long a job of an unknown kind waits, and how often: an hour in total. */
const UNKNOWN_KIND_WAIT_MS = 60_000;
const UNKNOWN_KIND_MAX = 60;

export interface JobsOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createJobs({ dynamo, now = Date.now }: JobsOptions) {
  /** Stores a job, for the stream's consumer to run. One write. A job of this id that exists already continues. */
  async function add({ id, kind, about, cursor, runAt }: Omit<Job, 'version'>): Promise<void> {
    const item = { ...keys.job(id), v: SCHEMA_VERSION, kind, about, cursor, rev: 1 };
    const waiting =
      runAt === undefined ? {} : { runAt, gsi1pk: waitingJobs.pk, gsi1sk: waitingJobs.sk(runAt, id) };
    await ifConditionHolds(dynamo.put({ ...item, ...waiting }, { condition: 'attribute_not_exists(pk)' }));
  }

  /** Runs the first step at once, because most work needs only one; the rest, if there is any, as a job. */
  async function begin<About extends Item>(kind: JobKind<About>, id: string, about: About): Promise<void> {
    const next = await kind.step(about, null);
    if (next !== null) await add({ id, kind: kind.name, about, ...positionOf(next) });
  }

  /**
   * Runs all steps at once, for a rebuild; never in a handler. A step that must wait is left to a job. Resolves to
   * whether everything is done.
   */
  async function runToEnd<About extends Item>(
    kind: JobKind<About>,
    id: string,
    about: About,
  ): Promise<boolean> {
    for (let cursor: string | null = null; ; ) {
      const next: NextStep = await kind.step(about, cursor);
      if (next === null) return true;
      if (typeof next !== 'string') {
        await add({ id, kind: kind.name, about, ...next });
        return false;
      }
      cursor = next;
    }
  }

  /**
   * Starts due jobs: their items change, and the consumer does the step. Every process that reads the stream calls it
   * every two seconds. Several may do so at once, because the writes are conditional. Half a read unit if no job waits.
   * Resolves to the number of jobs that were due.
   */
  async function startDue(): Promise<number> {
    const { items } = await dynamo.queryIndex(waitingJobs.pk, { limit: DUE_AT_ONCE });
    const due = items.filter(({ gsi1sk }) => waitingJobs.runAt(gsi1sk as string) <= now());
    for (const found of due) {
      const key = parseKey(keyOf(found));
      // The index lags behind the table, and may have keys only.
      const item = key.type === 'job' ? await dynamo.get(keys.job(key.id)) : undefined;
      // Without `runAt` another process has started it already.
      if (key.type === 'job' && item?.runAt !== undefined) await start(jobOf(key.id, item));
    }
    return due.length;
  }

  /** Causes a stream record for the job, unless it has to wait longer. */
  async function start(job: Job): Promise<void> {
    if ((job.runAt ?? 0) <= now()) await moveJob(dynamo, job, job.cursor);
  }

  return { add, begin, runToEnd, startDue, start };
}

/** For a rebuild: starts every job that is not waiting. Its stream record may have been trimmed. */
export const createJobsVisitor = (jobs: Jobs): Visitor => ({
  async visit(key, item) {
    if (key.type === 'job') await jobs.start(jobOf(key.id, item));
  },
});

export const jobOf = (id: string, item: Item): Job => ({
  id,
  kind: item.kind as string,
  about: item.about as Item,
  cursor: item.cursor as string,
  version: item.rev as number,
  ...defined({
    runAt: item.runAt as number | undefined,
    unknownKind: item.unknownKind as number | undefined,
  }),
});

/**
 * Leaves a job of an unknown kind to a worker that knows it: during a rolling update, old workers receive jobs of new
 * kinds. After an hour it is a mistake, and throws.
 */
export async function waitForKind(dynamo: Dynamo, job: Job, now: number): Promise<void> {
  const { kind, cursor, unknownKind = 0 } = job;
  if (unknownKind >= UNKNOWN_KIND_MAX) throw new Error(`There is no job kind named ${kind}.`);
  const next = { cursor, runAt: now + UNKNOWN_KIND_WAIT_MS };
  await moveJob(dynamo, { ...job, unknownKind: unknownKind + 1 }, next);
}

/** Stores the next step, or deletes the job (null). A job that has moved in the meantime is left alone. */
export async function moveJob(
  dynamo: Dynamo,
  { id, version, unknownKind }: Job,
  next: NextStep,
): Promise<void> {
  const unmoved = { condition: 'rev = :rev', values: { ':rev': version } };
  if (next === null) {
    await ifConditionHolds(dynamo.remove(keys.job(id), unmoved));
    return;
  }
  const { cursor, runAt } = positionOf(next);
  const wait = runAt === undefined ? undefined : { pk: waitingJobs.pk, sk: waitingJobs.sk(runAt, id) };
  await ifConditionHolds(
    dynamo.update(keys.job(id), {
      update:
        `SET #cursor = :cursor, rev = :next${unknownKind === undefined ? '' : ', unknownKind = :unknownKind'}` +
        (wait === undefined
          ? ' REMOVE runAt, gsi1pk, gsi1sk'
          : ', runAt = :runAt, gsi1pk = :pk, gsi1sk = :sk'),
      condition: unmoved.condition,
      names: { '#cursor': 'cursor' },
      values: {
        ...unmoved.values,
        ...{ ':cursor': cursor, ':next': version + 1 },
        ...defined({ ':runAt': runAt, ':pk': wait?.pk, ':sk': wait?.sk, ':unknownKind': unknownKind }),
      },
    }),
  );
}

const positionOf = (next: Exclude<NextStep, null>): { readonly cursor: string; readonly runAt?: number } =>
  typeof next === 'string' ? { cursor: next } : next;
