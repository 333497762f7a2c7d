import type { Membership } from './room.ts';

/** What this feature publishes on a user's channel (`userTopic`). */
export type MembershipEvent =
  /** The current membership. The receiver keeps the one with the highest `version`. */
  | { readonly type: 'membership'; readonly membership: MembershipPayload }
  /** The membership has ended. `version` is higher than every one that it had. */
  | { readonly type: 'left'; readonly room: string; readonly version: number };

/** As `Membership`, in a type that can travel as JSON. */
type MembershipPayload = { readonly [K in keyof Membership]: Membership[K] };
