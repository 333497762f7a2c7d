import type {
  MessagePartsFragment,
  PersonFragment,
  RoomEventsSubscription,
  SharedPartsFragment,
} from '../generated/graphql.ts';

/** A message from the server. Of two copies, the one with the higher `version` is newer. */
export type Message = Readonly<MessagePartsFragment>;
/** A message without the viewer's own reactions. */
export type SharedMessage = Readonly<SharedPartsFragment>;
export type Person = Readonly<PersonFragment>;

/** A change that is shown before the server has confirmed it. */
export type Patch = (message: Message) => Message;

/** What led to a change of a message, and which user did it. */
export type Cause = NonNullable<
  Extract<RoomEventsSubscription['roomEvents'], { readonly cause: unknown }>['cause']
>;

/** The message of an event. */
export interface LiveMessage {
  readonly shared: SharedMessage;
  /** What the change did to the viewer's own reactions; null if that is not known. */
  readonly own: Patch | null;
}

export type MessageUpdate = Message | LiveMessage;

export const isLive = (update: MessageUpdate): update is LiveMessage => 'shared' in update;
