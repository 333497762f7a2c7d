import { keys } from '../dynamo/keys.ts';
import type { Counter } from '../verify/counter.ts';
import { messageOf } from './message.ts';

/** A root counts its replies, including deleted ones. */
export const repliesCounter: Counter = {
  name: 'replies',
  stored(key, item) {
    if (key.type !== 'root') return undefined;
    const { replyCount, version } = messageOf(key, item);
    return { counts: { replyCount }, version: String(version) };
  },
  contributions: (key) =>
    key.type === 'reply' ? [{ in: keys.root(key.room, key.threadTs), name: 'replyCount' }] : [],
  fix: ({ rev }, { replyCount }) => ({
    update: 'SET replyCount = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':counted': replyCount, ':rev': rev, ':one': 1 },
  }),
};
