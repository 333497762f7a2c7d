import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ParsedKey } from '../dynamo/keys.ts';
import type { Message } from '../messages/message.ts';
import { likesKind } from './likes/kind.ts';
import { createLikedMessages } from './likes/liked.ts';
import type { ReactionKey, ReactionKind, ReactionNotification } from './reactionKind.ts';
import { stampsKind } from './stamps/kind.ts';
import { createStamps } from './stamps/stamps.ts';
import { createToggles } from './toggles/toggles.ts';

/** All kinds of reactions. A new kind has its line here, and its service below. */
export const REACTIONS = [likesKind, stampsKind] as const;

export interface ReactionServicesOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

export const createReactionServices = (options: ReactionServicesOptions) => ({
  likes: createToggles({ ...options, kind: likesKind }),
  likedMessages: createLikedMessages(options),
  stamps: createStamps(options),
});

export type ReactionServices = ReturnType<typeof createReactionServices>;

export type ReactionNotificationKind = (typeof REACTIONS)[number]['notification']['kind'];
export type RegisteredReaction = ReactionKind<ReactionNotificationKind>;

const byItemType = new Map<ParsedKey['type'], RegisteredReaction>(
  REACTIONS.map((kind) => [kind.itemType, kind]),
);

/** The kind of the reaction that has this key, if it is the key of a reaction. */
export const reactionKindOf = ({ type }: ParsedKey): RegisteredReaction | undefined => byItemType.get(type);

export const isReaction = (key: ParsedKey): key is ReactionKey => byItemType.has(key.type);

/** The fields of an exported message that say something about its reactions. */
export const exportedReactions = (message: Message): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...REACTIONS.map((kind: ReactionKind) => kind.exported?.(message)));

/** A value for the notification of each kind of reaction. */
export function byReactionNotification<T>(
  make: (notification: ReactionNotification) => T,
): Readonly<Record<ReactionNotificationKind, T>> {
  const entries = REACTIONS.map(({ notification }) => [notification.kind, make(notification)]);
  return Object.fromEntries(entries);
}
