import { type Topic, topic } from '../bus/bus.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Membership } from './room.ts';

/** News that concern one person: the servers that hold a websocket of theirs listen. */
export type PersonEvent =
  /** A membership as it is now: the receiver keeps the highest `rev`. */
  | { readonly type: 'membership'; readonly membership: MembershipNews }
  /** A membership is gone; `rev` is above every one that it had. */
  | { readonly type: 'left'; readonly room: string; readonly rev: number }
  /**
   * They have posted the root `t`: told by the server that took it, for of the stream's news the room's may come
   * before the membership's.
   */
  | { readonly type: 'posted'; readonly room: string; readonly t: Timestamp }
  /** The notifications' part of the badge. */
  | { readonly type: 'badge'; readonly total: number; readonly rev: number };

/** As `Membership`, in a type that may travel as JSON. */
export type MembershipNews = { readonly [K in keyof Membership]: Membership[K] };

export const personTopic = (user: string): Topic<PersonEvent> => topic(`person:${user}`);
