import type { Person } from '../timeline/message.ts';

/** What a text can be completed with. */
export interface Option {
  readonly key: string;
  /** Replaces the sign and what was typed after it. A space follows. */
  readonly insert: string;
  readonly name: string;
  /** Shown in grey behind the name. */
  readonly hint?: string;
  readonly face: Person | string;
  /** What an emoji replaces once a colon follows. */
  readonly codes?: readonly string[];
}

/** Options shown at once. */
export const SHOWN = 6;
