import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { JobKind } from '../../../src/jobs/jobs.ts';
import type { PersonJobKind } from '../../../src/jobs/personJobs.ts';

/** Rows of a list are numbered from 0. */
const rowKey = (list: string, row: number) => ({ pk: `ROWS#${list}`, sk: String(row).padStart(6, '0') });
const ROWS = { from: '0', to: '999999' };

/** What the jobs of both kinds are about. */
export interface Marking {
  readonly list: string;
  readonly rows: number;
  /** How many rows one step marks. */
  readonly each: number;
}

/** Counts each row of a list up by one: done twice, it would show. Its cursor is the next row. */
export const markKind = (onStep: (list: string) => void = () => {}): PersonJobKind => ({
  name: 'mark',
  async plan(about, cursor) {
    const { list, rows, each } = about as unknown as Marking;
    const from = Number(cursor ?? 0);
    const to = Math.min(rows, from + each);
    onStep(list);
    return {
      writes: Array.from({ length: to - from }, (_, i) => ({
        key: rowKey(list, from + i),
        update: 'SET times = if_not_exists(times, :none) + :one',
        values: { ':none': 0, ':one': 1 },
      })),
      next: to === rows ? null : String(to),
      done: to - from,
    };
  },
});

/** Marks each row as the system's jobs do: a step may run again, and its writes are idempotent. */
export const sweepKind = (dynamo: Pick<Dynamo, 'transact'>): JobKind => ({
  name: 'sweep',
  async step(about, cursor) {
    const { list, rows, each } = about as unknown as Marking;
    const from = Number(cursor ?? 0);
    const to = Math.min(rows, from + each);
    await dynamo.transact(
      Array.from({ length: to - from }, (_, i) => ({ put: { ...rowKey(list, from + i), times: 1 } })),
    );
    return to === rows ? null : String(to);
  },
});

/** How often each row was marked, in order. */
export async function marksOf(dynamo: Dynamo, list: string): Promise<number[]> {
  const { items } = await dynamo.query({ pk: rowKey(list, 0).pk, ...ROWS }, { limit: 1_000 });
  return items.map(({ times }) => Number(times));
}
