import type { Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import type { NotificationKind, ParsedKey } from '../dynamo/keys.ts';
import type { MessageExtension } from '../messages/message.ts';
import { KINDS_MAX } from './stamps/stamps.ts';

/** A kind of reaction to messages: an item for each user who reacts, and counters on the message. */
export interface ReactionKind extends MessageExtension {
  /** The type of the item of one user's reaction. Its row in `dynamo/keys.ts` has the suffix of its key. */
  readonly itemType: ParsedKey['type'];
  /** How many reactions of this kind one user can have on one message. */
  readonly mostPerUser: number;
  /** The kind of the author's notification. */
  readonly notifies: NotificationKind;
  /** When the user reacted, from the reaction's item. */
  readonly reactedAt: (item: Item) => Timestamp;
  /** The message's author, if the reaction's item has it. */
  readonly authorOf: (item: Item) => string | undefined;
}

const likes: ReactionKind = {
  itemType: 'like',
  mostPerUser: 1,
  initial: {},
  // `likeCount` stays on a deleted message until its likes are removed: it counts those that are left.
  removedOnDelete: [],
  notifies: 'LIKE',
  reactedAt: ({ at }) => at as Timestamp,
  authorOf: ({ author }) => author as string,
};

const stamps: ReactionKind = {
  itemType: 'stampGuard',
  mostPerUser: KINDS_MAX,
  // It exists from the start, so that a count in it can be increased without a check whether it is the first.
  initial: { stamps: {} },
  removedOnDelete: ['stamps', 'stampTotal'],
  notifies: 'STAMP',
  reactedAt: ({ s }) => s as Timestamp,
  authorOf: () => undefined,
};

/** All kinds of reactions. A new kind has its line here. */
export const REACTIONS: readonly ReactionKind[] = [likes, stamps];
