import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import type { KeyRange, ParsedKey } from '../dynamo/keys.ts';
import type { Language } from '../i18n/language.ts';
import type { Message, MessageExtension, MessageKey } from '../messages/message.ts';
import type { Counter } from '../verify/counter.ts';
import type { Cleanup } from './cleanup.ts';

/** The key of one user's reaction to one message. */
export type ReactionKey = Extract<ParsedKey, MessageKey & { readonly user: string }>;

/** A kind of reaction to messages: an item for each user who reacts, and counters on the message. */
export interface ReactionKind<NotificationKind extends string = string> extends MessageExtension {
  /** The type of the item of one user's reaction. Its row in `dynamo/keys.ts` has the suffix of its key. */
  readonly itemType: ReactionKey['type'];
  /** How many reactions of this kind one user can have on one message. */
  readonly maxPerUser: number;
  readonly notification: ReactionNotification<NotificationKind>;
  readonly changes: ReactionChanges;
  /** How `verify` counts the reactions. */
  readonly counter: Counter;
  readonly createCleanup: (options: CleanupOptions) => Cleanup;
  /** What an export says about the reactions in the fields of a message. */
  readonly exported?: (message: Message) => Readonly<Record<string, unknown>>;
}

export interface CleanupOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What an event calls the two changes that a reaction makes to its message. */
export interface ReactionChanges {
  readonly added: DescribedChange;
  readonly removed: DescribedChange;
}

export interface DescribedChange {
  /** The value in the API's enum; stored as `MessageChange.kind`. */
  readonly kind: string;
  readonly description: string;
}

/** The notification of a message's author: one for all reactions of this kind to the message. */
export interface ReactionNotification<Kind extends string = string> {
  /** Unique among all kinds of notifications. Capital letters and `_`: it is part of keys. */
  readonly kind: Kind;
  /** The description of the notification kind in the schema. */
  readonly description: string;
  /** ICU messages. `notifications/text.ts` names their arguments. */
  readonly texts: Readonly<Record<Language, string>>;
  /** When the user reacted, from the reaction's item. */
  readonly reactedAt: (item: Item) => Timestamp;
  /** The message's author, if the reaction's item has it. */
  readonly authorOf?: (item: Item) => string;
  /** If a user can have several reactions of this kind on one message: each different one is news. */
  readonly several?: SeveralReactions;
}

export interface SeveralReactions {
  /** The difference between the user's reactions to one message. */
  readonly variantOf: (key: ReactionKey) => string;
  /** Whether any user's reaction of this variant is on the message, from the message's item. */
  readonly isOn: (message: Item, variant: string) => boolean;
  /** All reactions of the user to the message. The user is no longer counted when the last of them is removed. */
  readonly ofUser: (key: ReactionKey) => KeyRange;
}
