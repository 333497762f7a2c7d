import type { Cause, Message, SharedMessage } from '../timeline/message.ts';

/**
 * The viewer's own reactions of one kind. Events do not have them: they follow from what each event says has happened.
 */
export interface OwnReactions {
  /** Whether any user has reacted in this way. */
  isOnMessage(message: SharedMessage): boolean;
  /** The viewer's fields of a newer copy, if the viewer did nothing since the known copy. */
  kept(message: SharedMessage, known: Message | undefined): Partial<Message>;
  /** The viewer's fields after a change by the viewer. None if it is a change of another kind. */
  changed(message: Message, change: Cause): Partial<Message>;
  /** The fields of a message that was deleted. */
  readonly cleared: Partial<Message>;
}
