/**
 * The index by which a room's members are found has their handles. A join writes the entry in its transaction. After
 * the handle has changed, the entries of the user's rooms follow: for the first rooms at once, for the others by a job.
 */
import { idFrom } from '../../core/ids.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, memberHandles, parseKey, ranges } from '../../dynamo/keys.ts';
import type { PageRequest } from '../../graphql/connections.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import type { Visitor } from '../../rebuild/rebuild.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import { findHandles, type Matches } from '../../users/handleSearch.ts';
import { type User, userOf } from '../../users/user.ts';
import { handleOfMember } from '../room.ts';

const ROOMS_PER_STEP = 25;
const AT_ONCE = 8;

interface AboutUser extends Item {
  readonly user: string;
}

export interface MemberHandlesOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
}

export function createMemberHandles({ dynamo, jobs }: MemberHandlesOptions) {
  /**
   * Writes the handle in the user's rooms, 25 in a step: a query, a batch, and a write for each entry that is older.
   */
  const jobKind: JobKind<AboutUser> = {
    name: 'memberHandles',
    async step({ user }, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const [profile, { items, more }] = await Promise.all([
        dynamo.get(keys.user(user)),
        dynamo.query(ranges.memberships(user), { limit: ROOMS_PER_STEP, ...after }),
      ]);
      if (profile === undefined) return null;
      const rooms = items.flatMap((item) => {
        const key = parseKey(keyOf(item));
        return key.type === 'membership' ? [key.room] : [];
      });
      const members = await dynamo.batchGet(rooms.map((room) => keys.member(room, user)));
      const named = userOf(user, profile);
      const older = rooms.filter((_, i) => isOlder(members[i], named));
      await mapAtMost(AT_ONCE, older, (room) => write(room, named));
      return more ? (items.at(-1)?.sk as string) : null;
    },
  };

  /** Writes the user's handle in one room, unless they have left it or a newer one is there. */
  async function write(room: string, user: User): Promise<void> {
    const { gsi1pk, gsi1sk, handleRev } = handleOfMember(room, user);
    if (handleRev === undefined) return;
    const hasEntry = gsi1sk !== undefined;
    await ifConditionHolds(
      dynamo.update(keys.member(room, user.id), {
        update: `SET handleRev = :rev${hasEntry ? ', gsi1pk = :gsi1pk, gsi1sk = :gsi1sk' : ' REMOVE gsi1pk, gsi1sk'}`,
        condition: 'attribute_exists(pk) AND (attribute_not_exists(handleRev) OR handleRev < :rev)',
        values: { ':rev': handleRev, ...(hasEntry ? { ':gsi1pk': gsi1pk, ':gsi1sk': gsi1sk } : {}) },
      }),
    );
  }

  const jobId = (user: string, rev: number) => idFrom(`memberHandles:${user}:${rev}`);

  async function follow({ key, old, new: item }: Change): Promise<void> {
    if (item === undefined) return;
    if (key.type === 'user') {
      const { id, handleRev, rooms } = userOf(key.user, item);
      if (handleRev === undefined || handleRev === old?.handleRev || rooms === 0) return;
      await jobs.begin(jobKind, jobId(id, handleRev), { user: id });
    } else if (key.type === 'member' && old === undefined && item.handleRev === undefined) {
      // A server of an earlier release let them in.
      const profile = await dynamo.get(keys.user(key.user));
      if (profile !== undefined) await write(key.room, userOf(key.user, profile));
    }
  }

  const handler: StreamHandler = {
    name: 'memberHandles',
    itemTypes: ['user', 'member'],
    async handle(changes) {
      await mapAtMost(AT_ONCE, changes, follow);
    },
  };

  /** For a rebuild. */
  const visitor: Visitor = {
    async visit(key, item) {
      if (key.type !== 'user') return;
      const { id, handleRev, rooms } = userOf(key.user, item);
      if (handleRev === undefined || rooms === 0) return;
      await jobs.runToEnd(jobKind, jobId(id, handleRev), { user: id });
    },
  };

  return { jobKind, handler, visitor };
}

const isOlder = (member: Item | undefined, { handleRev }: User): boolean =>
  member !== undefined && handleRev !== undefined && Number(member.handleRev ?? 0) < handleRev;

/** The members whose handle begins with `prefix`, as the index says. One query. */
export const findMembers =
  (dynamo: Dynamo) =>
  (room: string, prefix: string, page: PageRequest): Promise<Matches> =>
    findHandles(
      {
        dynamo,
        index: memberHandles,
        partition: memberHandles.pk(room),
        keyOf: ({ user }) => keys.member(room, user),
      },
      prefix,
      page,
    );
