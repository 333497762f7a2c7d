import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionFailed } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys, parseKey } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';

/** Work that is too much for one go. It lies in the table and continues itself: see `handlers.ts`. */
export interface Job<About extends Item = Item> {
  /** Made of what it is about, so that the same work begun twice is one job. */
  readonly id: string;
  /** Which `JobKind` does it. */
  readonly kind: string;
  /** What it is about, bounded and small. */
  readonly about: About;
  /** How far it is, in the kind's own terms. */
  readonly cursor: string;
  /** Rises with every step. */
  readonly rev: number;
}

/** How a kind of work is done, one bounded step after the other. */
export interface JobKind<About extends Item = Item> {
  readonly name: string;
  /**
   * One step, from the cursor on; resolves to where the next one begins, or null where that was all. Called
   * again for the same cursor after a crash, and possibly twice at once: what it does must be as good once as
   * twice. What it rejects with has the change repeated, then set aside, as any handler's does.
   */
  step(about: About, cursor: string | null): Promise<string | null>;
}

export type Jobs = ReturnType<typeof createJobs>;

export function createJobs({ dynamo }: { readonly dynamo: Dynamo }) {
  /** Has the stream's consumer do it. One write; a job of this id that is under way goes on as it is. */
  async function add(job: Omit<Job, 'rev'>): Promise<void> {
    const { id, kind, about, cursor } = job;
    try {
      const put = { ...keys.job(id), v: SCHEMA_VERSION, kind, about, cursor, rev: 1 };
      await dynamo.put(put, { condition: 'attribute_not_exists(pk)' });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** The first step at once, for most work needs no other; the rest, if there is any, as a job. */
  async function begin<About extends Item>(kind: JobKind<About>, id: string, about: About): Promise<void> {
    const cursor = await kind.step(about, null);
    if (cursor !== null) await add({ id, kind: kind.name, about, cursor });
  }

  return { add, begin };
}

export const jobOf = (id: string, item: Item): Job => ({
  id,
  kind: item.kind as string,
  about: item.about as Item,
  cursor: item.cursor as string,
  rev: item.rev as number,
});

export interface WakeOptions {
  readonly dynamo: Dynamo;
  readonly signal?: AbortSignal;
}

/**
 * Has every job go on: for when the stream has forgotten records that nobody read, and jobs wait for one of
 * those. Reads the whole table once, so it is not for requests. Safe while the system runs, and to be repeated.
 */
export async function wakeJobs({ dynamo, signal }: WakeOptions): Promise<void> {
  for await (const item of dynamo.scan({ condition: 'sk = :job', values: { ':job': 'JOB' } })) {
    signal?.throwIfAborted();
    const key = parseKey(item as Item & Key);
    if (key.type === 'job') await moveJob(dynamo, jobOf(key.id, item), item.cursor as string);
  }
}

/** Notes how far it is, or that it is done (null). What has gone on since, elsewhere, is left alone. */
export async function moveJob(dynamo: Dynamo, { id, rev }: Job, cursor: string | null): Promise<void> {
  const unmoved = { condition: 'rev = :rev', values: { ':rev': rev } };
  try {
    if (cursor === null) await dynamo.remove(keys.job(id), unmoved);
    else {
      await dynamo.update(keys.job(id), {
        update: 'SET #cursor = :cursor, rev = :next',
        condition: unmoved.condition,
        names: { '#cursor': 'cursor' },
        values: { ...unmoved.values, ':cursor': cursor, ':next': rev + 1 },
      });
    }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
