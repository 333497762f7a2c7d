import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';

/**
 * What a member has said about how far they have read, and what cannot be a position yet because roots are named that
 * have none. Each one changes the read position that results from those before it:
 *
 * - `to`: that root and all before it are read.
 * - `from`: that root and all after it are unread.
 * - `mark`: everything that was in the room at that moment is read. The number is the membership's version of the write.
 *   The same transaction writes it to the member item (`readMark`), in the room's own partition. So the consumer finds
 *   it in the room's stream, after the roots that were there and before later ones, and then replaces it by a position.
 */
export type PendingRead =
  | { readonly to: Timestamp }
  | { readonly from: Timestamp }
  | { readonly mark: number };

interface Stored {
  /** In the order in which they were said. A `mark` can only be the first. */
  readonly pendingReads?: readonly PendingRead[];
  /** The last one, if it is a `to` and nothing but a `mark` is before it. The form that sending writes. */
  readonly pendingReadRoot: Timestamp | null;
}

/** All of a membership's pending reads, in their order. */
export const pendingReadsOf = ({ pendingReads = [], pendingReadRoot }: Stored): readonly PendingRead[] =>
  pendingReadRoot === null ? pendingReads : [...pendingReads, { to: pendingReadRoot }];

/** The reverse of `pendingReadsOf`. */
export function toStored(pending: readonly PendingRead[]): Required<Stored> {
  const last = pending.at(-1);
  const before = pending.slice(0, -1);
  return last !== undefined && 'to' in last && before.every((read) => 'mark' in read)
    ? { pendingReads: before, pendingReadRoot: last.to }
    : { pendingReads: pending, pendingReadRoot: null };
}

/** The attributes of the membership item. Absent: there is nothing of the kind. */
export function pendingReadAttributes({ pendingReads = [], pendingReadRoot }: Stored) {
  const mark = pendingReads.find((read) => 'mark' in read);
  const steps = pendingReads.filter((read) => !('mark' in read));
  return defined({
    readMark: mark?.mark,
    readSteps: steps.length === 0 ? undefined : steps,
    readTo: pendingReadRoot ?? undefined,
  });
}

/** Items of the release before have only `readTo`. */
export function pendingReadsFrom({ readMark, readSteps = [], readTo }: Item): Stored {
  const mark = typeof readMark === 'number' ? [{ mark: readMark }] : [];
  const pendingReads = [...mark, ...(readSteps as PendingRead[])];
  return {
    ...(pendingReads.length === 0 ? {} : { pendingReads }),
    pendingReadRoot: (readTo as Timestamp | undefined) ?? null,
  };
}
