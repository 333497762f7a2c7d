import type { Place } from './types.ts';

/** One thing of the input that cannot be imported. */
export interface Problem {
  readonly place: Place;
  readonly message: string;
}

/** The input as it is cannot be imported; nothing was written. */
export class NotImportable extends Error {
  override readonly name = 'NotImportable';
  /** How many problems there are; `problems` has the first of them. */
  readonly count: number;
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], count = problems.length) {
    super(problems.map(({ place, message }) => `${place}: ${message}`).join('\n'));
    this.problems = problems;
    this.count = count;
  }
}

/**
 * Something else has changed what an import was writing, or the database has gone away. The message says what to do.
 */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
}

/** How many problems are kept and listed. */
const KEPT = 100;

export type Problems = ReturnType<typeof createProblems>;

/** Collects everything that is wrong with the input, so that it can be corrected in one go. */
export function createProblems() {
  const kept: Problem[] = [];
  let count = 0;
  return {
    add(place: Place, message: string): void {
      count++;
      if (kept.length < KEPT) kept.push({ place, message });
    },
    /** Throws if there are any. */
    throwIfAny(): void {
      if (count > 0) throw new NotImportable(kept, count);
    },
  };
}

/** Thrown by what reads one line; the message is a whole sentence. */
export class LineProblem extends Error {
  override readonly name = 'LineProblem';
}
