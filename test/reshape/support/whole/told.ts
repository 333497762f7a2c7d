import type { TypedDocumentString } from '../../../generated/graphql.ts';

/** What was acknowledged to one user. Only this user changes it, so it is known exactly. */
export interface Told {
  readonly handle: string;
  readonly id: string;
  /** As clients know it. */
  readonly globalId: string;
  /** The body of each message, by its id. */
  readonly sent: Map<string, string>;
  readonly liked: Set<string>;
  readonly stamped: Set<string>;
  readonly saved: Map<string, Kept>;
  /** What changes all that is saved with a tag, and was not seen to have ended yet. */
  job?: { readonly id: string; readonly change: (kept: Kept) => Kept };
  /** The ids of messages, and when a reminder of them is due, in milliseconds since 1970. */
  readonly reminders: Map<string, number>;
  /** Bodies of scheduled messages, and whether it is known that they were accepted. */
  readonly scheduled: Map<string, boolean>;
  /** When each reply was first sent, and when it was acknowledged, by its id, in milliseconds since 1970. */
  readonly replied: Map<string, Sent>;
  /** What changes all that was saved with a tag: each that was begun. */
  readonly jobs: string[];
  /** The roots that the user has marked as read, up to which. */
  readonly read: string[];
  inSide: boolean;
}

/** How a message is saved. */
export interface Kept {
  readonly tags: readonly string[];
  readonly visibility: 'PUBLIC' | 'PRIVATE';
}

/**
 * Sends something as a client does it: again, with the same input, as long as there is no answer. `allowed`: codes that
 * are answers.
 */
export type Request = <T, V>(
  user: Told,
  document: TypedDocumentString<T, V>,
  variables: V,
  allowed?: readonly string[],
) => Promise<T | undefined>;

export interface Sent {
  readonly from: number;
  readonly until: number;
}

export const newTold = ({ handle, id, globalId }: Pick<Told, 'handle' | 'id' | 'globalId'>): Told => ({
  handle,
  id,
  globalId,
  inSide: false,
  read: [],
  jobs: [],
  sent: new Map(),
  reminders: new Map(),
  scheduled: new Map(),
  replied: new Map(),
  liked: new Set(),
  stamped: new Set(),
  saved: new Map(),
});
