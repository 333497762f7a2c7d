import { defined } from '../core/defined.ts';
import type { Item } from '../dynamo/item.ts';

/** What one user did to a message. */
export interface MessageChange {
  /** One of `MESSAGE_CHANGES`, or of the changes that a kind of reaction has. */
  readonly kind: string;
  /** The id of the user who did it. */
  readonly actor: string;
  /** What was added or removed, if the kind does not say it: the key of a stamp. */
  readonly detail?: string;
}

/** The changes that do not belong to a reaction, with their descriptions in the schema. */
export const MESSAGE_CHANGES = {
  EDITED: { description: 'The author edited the message.' },
  DELETED: { description: 'The author, an owner or a moderator deleted the message.' },
  REPLIED: { description: 'A user replied in the thread of the message.' },
} as const;

/** The attributes of a message's item that this file reads and writes. */
export const LAST_CHANGE_ATTRIBUTES = ['lastChange', 'lastChangeRev'] as const;

/**
 * Part of a `SET` that raises a message's version, and stores what the change was together with the version that it
 * made. A write that raises the version without it (a position, a repair, an earlier release) leaves the two versions
 * different. So the item itself proves whether its last change is known.
 */
export const versionRaisedBy = ({ kind, actor, detail }: MessageChange) => ({
  set: 'rev = rev + :one, lastChange = :change, lastChangeRev = rev + :one',
  values: { ':one': 1, ':change': { kind, by: actor, ...defined({ detail }) } satisfies StoredChange },
});

type StoredChange = { readonly kind: string; readonly by: string; readonly detail?: string };

/** The change that made this version of a message, from its item; null if that is not known for certain. */
export function lastChangeOf({ rev, lastChange, lastChangeRev }: Item): MessageChange | null {
  if (lastChange === undefined || lastChangeRev !== rev) return null;
  const { kind, by, detail } = lastChange as StoredChange;
  return { kind, actor: by, ...defined({ detail }) };
}
