import { keys } from '../../dynamo/keys.ts';
import { messageOf } from '../../messages/message.ts';
import type { Counter, Counts } from '../../verify/counter.ts';
import { stampCountsOf } from './stamp.ts';

const TOTAL = 'total';
const OF = 'of ';

/** A message counts its stamps, by kind and in total. A deleted message stores no counts. */
export const stampsCounter: Counter = {
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
};

const kindsOf = (counted: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counted)
      .filter(([name, count]) => name.startsWith(OF) && count > 0)
      .map(([name, count]) => [name.slice(OF.length), count]),
  );
