/** The list of the viewer's memberships. It is here because it can be limited to rooms with unread roots. */
import type { Timestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { forwardArgs, type PageArgs } from '../graphql/connections.ts';
import type { Context } from '../graphql/context.ts';
import { lastRootOf } from '../messages/lastRoot.ts';
import { counterOf, type Membership } from '../rooms/room.ts';
import {
  MembershipPages,
  type PlacedMembership,
  placedMembership,
  viewerMemberships,
} from '../rooms/types.ts';
import { ViewerRef } from '../users/types.ts';
import { MAX_ROOMS } from '../users/user.ts';
import { currentReadPosition, unreadCount } from './readPosition.ts';

const MembershipOrder = builder.enumType('MembershipOrder', {
  description: "The order of a user's memberships.",
  values: {
    LAST_ACTIVITY: {
      description:
        'By `Room.lastActivityAt`, the latest first. A room that becomes active while pages are read moves to the front: to read all pages, use JOINED.',
    },
    JOINED: { description: 'By `Membership.joinedAt`, the latest first.' },
  } as const,
});

interface MembershipsArgs extends PageArgs {
  readonly orderBy?: typeof MembershipOrder.$inferType | null | undefined;
  readonly unreadOnly?: boolean | null | undefined;
}

function memberships(user: string, args: MembershipsArgs, context: Context) {
  const orderBy = args.orderBy ?? 'LAST_ACTIVITY';
  return viewerMemberships.page({ user, order: orderBy }, args, async ({ from, limit }) => {
    const all = await context.services.unread.memberships(user);
    const wanted = args.unreadOnly === true ? await withUnread(all, context) : all;
    const placed = await Promise.all(
      wanted.map(async (membership) =>
        placedMembership(
          membership,
          orderBy === 'JOINED' ? membership.joinedAt : await activityOf(membership, context),
        ),
      ),
    );
    const rest = placed
      .filter(({ place }) => from === undefined || place < from)
      .sort((one, other) => (one.place < other.place ? 1 : -1));
    const read = rest.slice(0, limit);
    const nodes = await ofExistingRooms(read, orderBy, context);
    return { nodes, more: rest.length > limit, end: read.at(-1)?.place };
  });
}

/**
 * Without the rooms that were deleted a moment ago, so the page may be shorter. It reads what a client that shows rooms
 * reads anyway, or what the order was read from.
 */
async function ofExistingRooms(
  placed: readonly PlacedMembership[],
  orderBy: typeof MembershipOrder.$inferType,
  { items }: Context,
): Promise<PlacedMembership[]> {
  const proof = orderBy === 'JOINED' ? keys.room : keys.counter;
  const found = await items.loadMany(placed.map(({ membership }) => proof(membership.room)));
  return placed.filter((_, i) => found[i] !== undefined);
}

async function withUnread(all: readonly Membership[], { items }: Context): Promise<Membership[]> {
  const source = { batchGet: items.loadMany.bind(items) };
  const unread = await Promise.all(
    all.map(async (membership) => {
      const [counter, position] = await Promise.all([
        items.load(keys.counter(membership.room)),
        currentReadPosition(membership, source),
      ]);
      return counter !== undefined && unreadCount(counterOf(counter).lastPosition, position) > 0;
    }),
  );
  return all.filter((_, i) => unread[i]);
}

/** As `Room.lastActivityAt`. The room itself is read only if nothing was written in it. */
async function activityOf({ room, joinedAt }: Membership, context: Context): Promise<Timestamp> {
  const last = await lastRootOf(room, context);
  if (last !== null) return last;
  return ((await context.items.load(keys.room(room)))?.createdAt as Timestamp | undefined) ?? joinedAt;
}

builder.objectField(ViewerRef, 'memberships', (t) =>
  t.field({
    type: MembershipPages.connection,
    description: `The memberships of the viewer, ${MAX_ROOMS.toLocaleString('en')} at most.`,
    args: {
      ...forwardArgs,
      orderBy: t.arg({
        type: MembershipOrder,
        defaultValue: 'LAST_ACTIVITY',
        description: 'The order of the list.',
      }),
      unreadOnly: t.arg.boolean({
        description:
          'Whether to list only rooms with unread roots, muted ones included. The default is false. Cursors are valid with either value.',
      }),
    },
    resolve: ({ id }, args, context) => memberships(id, args, context),
  }),
);
