import type { Decision, Write } from './writes.ts';

/** Which table servers may write to, by the decisions that the database has confirmed. */
export interface TableUse {
  /** The table that an operator would start servers with. */
  readonly current: string;
  /** What servers have written to a table that was not in use. Empty if nothing is wrong. */
  readonly faults: readonly string[];
  /** A server sends these writes. */
  wrote(writes: readonly Write[]): void;
  /** A process sends a decision, which may have an effect from now on. */
  deciding(decision: Decision): void;
  /** The database has confirmed a decision. */
  decided(decision: Decision): void;
}

/** What each process writes for itself, in any table that it has opened. */
const OWN = /^(?:SHAPE|SERVERS|CARRY|STREAM#.*|SENTINEL.*)$/;

export function createTableUse(first: string): TableUse {
  let current = first;
  /** While it is not known whether a decision had an effect, both tables. */
  const allowed = new Set([first]);
  const faults: string[] = [];
  return {
    get current() {
      return current;
    },
    faults,
    wrote(writes) {
      for (const { table, pk, sk } of writes) {
        if (!allowed.has(table) && !OWN.test(pk)) faults.push(`${pk} ${sk} in ${table}`);
      }
    },
    deciding({ from, to }) {
      if (from === current) allowed.add(to);
    },
    decided({ from, to }) {
      if (from !== current) return;
      current = to;
      allowed.clear();
      allowed.add(to);
    },
  };
}
