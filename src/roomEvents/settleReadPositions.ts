import { mapAtMost } from '../core/mapAtMost.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { keys } from '../dynamo/keys.ts';

const WRITES_AT_ONCE = 16;

/** A root that has just got its position. */
export interface PositionedRoot {
  readonly room: string;
  readonly author: string;
  readonly threadTs: Timestamp;
  readonly position: number;
}

/**
 * Moves the read positions of the authors of these roots, given in the order of their positions, if their memberships
 * still name them. A membership names the root that its user has posted last, so there is one write for each author. It
 * is refused, but charged, if the author has posted another root since.
 *
 * It only saves work: readers of a membership look its pending root up, for as long as there is one.
 */
export async function settleReadPositions(dynamo: Dynamo, roots: readonly PositionedRoot[]): Promise<void> {
  const last = new Map(roots.map((root) => [`${root.author} ${root.room}`, root]));
  await mapAtMost(WRITES_AT_ONCE, last.values(), async ({ room, author, threadTs, position }) => {
    await ifConditionHolds(
      dynamo.update(keys.membership(author, room), {
        update: 'SET readPosition = :position, rev = rev + :one REMOVE readTo, readSteps',
        condition: 'readTo = :root AND readPosition < :position',
        values: { ':position': position, ':root': threadTs, ':one': 1 },
      }),
    );
  });
}
