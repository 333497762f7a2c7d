import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Api } from '../api/api.ts';
import type { NotificationKind } from '../generated/graphql.ts';
import type { TextKey } from '../i18n/i18n.ts';
import type { Message, Patch, Person, SharedMessage } from '../timeline/message.ts';

/** A kind of reaction of which each user has at most one on a message, such as a like. */
export interface ReactionToggle {
  readonly name: string;
  /** Adds or removes the viewer's reaction to the focused message. */
  readonly key: string;
  readonly texts: ToggleTexts;
  readonly Icon: LucideIcon;
  /** The class of the icon next to the count. */
  readonly iconClass: string | undefined;
  readonly notification: NotificationLook & { readonly kind: NotificationKind };
  countOf(message: SharedMessage): number;
  /** Whether the viewer has reacted. */
  isOn(message: Message): boolean;
  /** The change to show before the server has confirmed it. Idempotent. */
  patch(on: boolean): Patch;
  send(api: Api, messageId: string, on: boolean): Promise<Message>;
  /** The latest users who reacted, at most 20, the newest first. None if the message does not exist any more. */
  reactors(api: Api, messageId: string): Promise<Reactors>;
}

export interface ToggleTexts {
  /** What the list of keyboard shortcuts says. */
  readonly key: TextKey;
  /** The label of the button that adds the reaction, and of the one that removes it. */
  readonly add: TextKey;
  readonly remove: TextKey;
  /** The label of the count. Arguments: `count`; `own` is `yes` if the viewer has reacted. */
  readonly count: TextKey;
  /** The names of the users who reacted. Argument: `names`. */
  readonly by: TextKey;
}

/** The icon of a kind of notification. */
export interface NotificationLook {
  /** Drawn in a 16 by 16 view box. */
  readonly drawing: ReactElement;
  /** Sets the colours `--kind` of the background and `--on-kind` of the drawing. */
  readonly className: string | undefined;
}

export interface Reactors {
  readonly people: readonly Person[];
  readonly more: boolean;
}
