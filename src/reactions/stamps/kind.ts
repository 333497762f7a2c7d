import type { Timestamp } from '../../core/timestamps.ts';
import { keys, ranges } from '../../dynamo/keys.ts';
import { versionRaisedBy } from '../../messages/lastChange.ts';
import { messageOf } from '../../messages/message.ts';
import type { Counts } from '../../verify/counter.ts';
import type { ReactionKind } from '../reactionKind.ts';
import { createStampsCleanup } from './cleanup.ts';
import { KINDS_MAX, type MessageStamp, stampCountsOf } from './stamp.ts';

const TOTAL = 'total';
const OF = 'of ';

export const stampsKind = {
  itemType: 'stampGuard',
  maxPerUser: KINDS_MAX,
  // It exists from the start, so that a count in it can be increased without a check whether it is the first.
  initial: { stamps: {} },
  removedOnDelete: ['stamps', 'stampTotal'],
  changes: {
    added: { kind: 'STAMPED', description: 'A user put a stamp on the message.' },
    removed: { kind: 'UNSTAMPED', description: 'A user removed their stamp from the message.' },
  },
  notification: {
    kind: 'STAMP',
    description: 'Users put stamps on a message of the viewer.',
    texts: {
      en: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} stamped your message`,
      ja: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたのメッセージにスタンプを押しました`,
    },
    reactedAt: ({ s }) => s as Timestamp,
    several: {
      variantOf: (key) => (key.type === 'stampGuard' ? key.stampKey : ''),
      isOn: ({ stamps = {} }, variant) => Object.hasOwn(stamps as object, variant),
      ofUser: (key) => ranges.stampGuards(key.user, key),
    },
  },
  /** A message counts its stamps, by kind and in total. A deleted message stores no counts. */
  counter: {
    name: 'stamps',
    stored(key, item) {
      if ((key.type !== 'root' && key.type !== 'reply') || item.deletedAt !== undefined) return undefined;
      const message = messageOf(key, item);
      const { version } = message;
      const kinds = Object.entries(stampCountsOf(message)).map(([kind, count]): [string, number] => [
        OF + kind,
        count,
      ]);
      const total = (item.stampTotal as number | undefined) ?? 0;
      return { counts: { ...Object.fromEntries(kinds), [TOTAL]: total }, version: String(version) };
    },
    contributions(key, { stampKey }) {
      if (key.type !== 'stamp') return [];
      const message = keys.message(key.room, key.threadTs, key.ts);
      return [
        { in: message, name: TOTAL },
        { in: message, name: `${OF}${stampKey}` },
      ];
    },
    fix: ({ rev }, counted) => ({
      update: 'SET stamps = :stamps, stampTotal = :total, rev = rev + :one',
      condition: 'rev = :rev',
      values: { ':stamps': kindsOf(counted), ':total': counted[TOTAL], ':rev': rev, ':one': 1 },
    }),
  },
  createCleanup: createStampsCleanup,
} as const satisfies ReactionKind;

/**
 * Counts one stamp less on a message that has `counted` of its kind. The last one removes its count: zeros would fill
 * the row up. The condition fails if the message is deleted, or if there is now another number to do that for.
 */
export function oneStampLess({ user, stampKey }: Pick<MessageStamp, 'user' | 'stampKey'>, counted: number) {
  const isLast = counted === 1;
  const { kind } = stampsKind.changes.removed;
  const change = versionRaisedBy({ kind, actor: user, detail: stampKey });
  return {
    update: isLast
      ? `SET stampTotal = stampTotal - :one, ${change.set} REMOVE stamps.#key`
      : `SET stamps.#key = stamps.#key - :one, stampTotal = stampTotal - :one, ${change.set}`,
    condition: `attribute_not_exists(deletedAt) AND stamps.#key ${isLast ? '=' : '>'} :one`,
    names: { '#key': stampKey },
    values: change.values,
  };
}

const kindsOf = (counted: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counted)
      .filter(([name, count]) => name.startsWith(OF) && count > 0)
      .map(([name, count]) => [name.slice(OF.length), count]),
  );
