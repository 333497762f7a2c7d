import { ownLike } from '../likes/ownLike.ts';
import { ownSaved } from '../saved/ownSaved.ts';
import { ownStamps } from '../stamps/ownStamps.ts';
import type { Cause, Message, Patch, SharedMessage } from '../timeline/message.ts';
import type { OwnReactions } from './reactionKind.ts';

/** All kinds of reactions, and what is kept in the same way. A new one has its line here. */
const REACTIONS: readonly OwnReactions[] = [ownLike, ownStamps, ownSaved];

export const REACTIONS_CLEARED: Partial<Message> = Object.assign(
  {},
  ...REACTIONS.map(({ cleared }) => cleared),
);

export const hasReactions = (message: SharedMessage): boolean =>
  REACTIONS.some((kind) => kind.isOnMessage(message));

export const withKeptReactions = (message: SharedMessage, known: Message | undefined): Message =>
  Object.assign({}, message, ...REACTIONS.map((kind) => kind.kept(message, known)));

/** What a change did to the viewer's own reactions; null if it is not known what happened. */
export function ownChange(cause: Cause | null, viewerId: string): Patch | null {
  if (cause === null) return null;
  if (cause.actor.id !== viewerId) return (message) => message;
  return (message) => Object.assign({}, message, ...REACTIONS.map((kind) => kind.changed(message, cause)));
}
