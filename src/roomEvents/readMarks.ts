import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { keys } from '../dynamo/keys.ts';
import type { Write } from '../dynamo/write.ts';
import type { Change } from '../stream/change.ts';

/**
 * A member has marked everything in a room as read: a `PendingRead` of the membership. Its record is in the room's
 * stream, after the roots that were there, so its position is that of the last root before it. It is not in the log.
 */
export interface ReadMark {
  readonly user: string;
  readonly number: number;
}

/** A mark with the position that it gets in a transaction. */
export interface PlacedMark extends ReadMark {
  readonly position: number;
}

/** The mark that a change of a member item has made. */
export function readMarkOf({ key, kind, old, new: member }: Change): ReadMark | undefined {
  if (key.type !== 'member' || kind !== 'MODIFY' || member === undefined) return undefined;
  const { readMark, readMarkAgain } = member;
  const isSame = readMark === old?.readMark && readMarkAgain === old?.readMarkAgain;
  return typeof readMark === 'number' && !isSame ? { user: key.user, number: readMark } : undefined;
}

/**
 * For a change of a member item that could not be read: if the membership names a mark, the mark's record may be that
 * one. The mark is written once more, so it gets a new record, behind that of a newer mark. Then it is replaced by a
 * position only if no other record has done so. Idempotent. A read, and a write if there is a mark.
 */
export async function repeatMark(dynamo: Dynamo, room: string, { key, sequence }: Change): Promise<void> {
  if (key.type !== 'member') return;
  const membership = await dynamo.get(keys.membership(key.user, room));
  if (typeof membership?.readMark !== 'number') return;
  await ifConditionHolds(
    dynamo.update(keys.member(room, key.user), {
      update: 'SET readMarkAgain = :sequence',
      condition: 'readMark = :mark',
      values: { ':sequence': sequence, ':mark': membership.readMark },
    }),
  );
}

/**
 * The marks of one transaction, which may not touch a membership twice. A later mark replaces an earlier one. Its
 * position never moves the membership back.
 */
export class MarksPlaced {
  /** Marks that a membership does not name any more. */
  readonly #refused = new Set<string>();
  /** Read positions that are further than their mark. */
  readonly #furthest = new Map<string, number>();

  place(marks: readonly PlacedMark[]): PlacedMark[] {
    const last = new Map(marks.map((mark) => [mark.user, mark]));
    return [...last.values()]
      .filter((mark) => !this.#refused.has(nameOf(mark)))
      .map((mark) => ({ ...mark, position: Math.max(mark.position, this.#furthest.get(nameOf(mark)) ?? 0) }));
  }

  /** The membership as it is, instead of what the condition wants. */
  failed(mark: PlacedMark, readMark: unknown, readPosition: unknown): void {
    if (readMark === mark.number && Number(readPosition) > mark.position)
      this.#furthest.set(nameOf(mark), Number(readPosition));
    else this.#refused.add(nameOf(mark));
  }
}

const nameOf = ({ user, number }: ReadMark): string => `${user} ${number}`;

/** Replaces the mark by its position, if the membership still names it: that proves that it was not done before. */
export const markWrite = (room: string, { user, number, position }: PlacedMark): Write => ({
  key: keys.membership(user, room),
  update: 'SET readPosition = :position, rev = rev + :one REMOVE readMark',
  condition: 'readMark = :mark AND readPosition <= :position',
  values: { ':position': position, ':mark': number, ':one': 1 },
});
