import type { ObjectFieldsShape } from '@pothos/core';
import type { PothosTypes } from '../../graphql/builder.ts';
import type { Membership } from '../room.ts';
import {
  loadRoomOrThrow,
  MEMBERSHIP_EDGE,
  MembershipPages,
  MembershipRef,
  membershipEdge,
  ownMembershipView,
  RoomRef,
} from '../types.ts';
import { WaitlistEdge, waitlistEdge } from './lists.ts';

/** The outcome of entering a room: a membership, or a place on the waitlist. */
export interface Entered {
  readonly room: string;
  /** Null if the user is on the waitlist. */
  readonly membership: Membership | null;
}

/** The payload of mutations that enter a room, or wait for a seat in it. */
export const enteredPayload: ObjectFieldsShape<PothosTypes, Entered> = (t) => ({
  membership: t.field({
    type: MembershipRef,
    nullable: true,
    description: 'The new membership; null if the viewer is on the waitlist.',
    resolve: ({ membership }) => (membership === null ? null : ownMembershipView(membership)),
  }),
  membershipEdge: t.field({
    type: MembershipPages.edge,
    nullable: true,
    description: `${MEMBERSHIP_EDGE} Null if the viewer is on the waitlist.`,
    resolve: ({ membership }) => (membership === null ? null : membershipEdge(membership)),
  }),
  waitlistEdge: t.field({
    type: WaitlistEdge,
    nullable: true,
    description:
      'The room in `Viewer.waitlists`; null if the viewer is not on its waitlist, or no longer is because they got a seat.',
    resolve: ({ room, membership }, _args, context) =>
      membership === null ? waitlistEdge(room, context) : null,
  }),
  room: t.field({
    type: RoomRef,
    description: 'The room that was joined, or whose waitlist was (see `waitlistPosition`).',
    resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
  }),
});
