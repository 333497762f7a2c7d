import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { converted } from '../dynamo/table.ts';
import type { Guard } from '../dynamo/write.ts';
import type { JobKind, Jobs } from './jobs.ts';
import type { TableReader } from './tableReader.ts';

/** The table is read a second time, after the servers of the release before have been replaced. */
const AGAIN_AFTER_MS = 3_600_000;

/** How far the job is. */
interface Position {
  readonly after?: Key;
  /** The second time. */
  readonly again?: true;
}

export interface ConversionOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  readonly table: TableReader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface ConversionOf {
  /** The name of the item that says that it is done, and the job's id. */
  readonly name: Parameters<typeof converted>[0];
  /** The name of the job's kind. It is stored with the job. */
  readonly kind: string;
  /** Items that may be of an earlier release. */
  readonly guard: Guard;
  /** Adds to these items what they lack. Idempotent. */
  readonly adopt: (items: readonly Item[]) => Promise<void>;
}

/** Adds to all items of an earlier release what they lack: by a job that reads the table twice. */
export function createConversion(
  { dynamo, jobs, table, now }: ConversionOptions,
  { name, kind, guard, adopt }: ConversionOf,
) {
  /** This process knows that it is done. */
  let done = false;

  const at = (position: Position, runAt: number) => ({ cursor: JSON.stringify(position), runAt });

  const jobKind: JobKind = {
    name: kind,
    async step(_about, cursor) {
      const { after, again } = JSON.parse(cursor ?? START) as Position;
      const { items, next } = await table.read(guard, after);
      await adopt(items);
      if (next !== undefined) return at({ after: next, ...defined({ again }) }, table.nextAt());
      if (again === undefined) return at({ again: true }, now() + AGAIN_AFTER_MS);
      await dynamo.put(converted(name));
      return null;
    },
  };

  /** Starts the job unless it is done. One read, and none once this process knows that it is done. */
  async function upkeep(): Promise<void> {
    if (done) return;
    done = (await dynamo.get(keys.conversion(name))) !== undefined;
    if (!done) await jobs.add({ id: name, kind: jobKind.name, about: {}, cursor: START });
  }

  return { jobKind, upkeep };
}

const START = JSON.stringify({} satisfies Position);
