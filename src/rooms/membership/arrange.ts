import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { memberAccess } from '../access.ts';
import { type Membership, membershipOf } from '../room.ts';

/** The most characters of a section's name. */
export const SECTION_MAX = 40;

/** An absent property stays as it is. Null removes the section. */
export interface Arrangement {
  readonly section?: string | null;
  readonly starred?: boolean;
}

/** The place of a room in a member's own list. */
export function createArranging({ dynamo }: { readonly dynamo: Dynamo }) {
  /** One batch of reads and one write, or none if the room is there already. Throws NOT_FOUND and FORBIDDEN. */
  async function arrange(user: string, room: string, wanted: Arrangement): Promise<Membership> {
    const access = () => memberAccess(room, user, createItemLoader(dynamo));
    const { membership } = await access();
    const { section = membership.section ?? null, starred = membership.starred ?? false } = wanted;
    if (section === (membership.section ?? null) && starred === (membership.starred ?? false))
      return membership;
    // Only what was asked for is written: two devices may change one each.
    const set = ['rev = rev + :one'];
    const unset: string[] = [];
    if (wanted.section !== undefined) {
      if (section === null) unset.push('#section');
      else set.push('#section = :section');
    }
    if (wanted.starred !== undefined) {
      if (starred) set.push('starred = :starred');
      else unset.push('starred');
    }
    const item = await ifConditionHolds(
      dynamo.update(keys.membership(user, room), {
        update: `SET ${set.join(', ')}${unset.length === 0 ? '' : ` REMOVE ${unset.join(', ')}`}`,
        condition: 'attribute_exists(pk)',
        // A reserved word of DynamoDB.
        ...(wanted.section === undefined ? {} : { names: { '#section': 'section' } }),
        values: {
          ':one': 1,
          ...(wanted.section == null ? {} : { ':section': wanted.section }),
          ...(wanted.starred === true ? { ':starred': true } : {}),
        },
      }),
    );
    // Undefined: the user has left since. Then this throws.
    return item === undefined ? (await access()).membership : membershipOf(user, room, item);
  }

  return { arrange };
}
