import { keys } from '../../dynamo/keys.ts';
import type { Counter } from '../../verify/counter.ts';

/** P3: a message counts its likes. A deleted message counts those that are not deleted yet. */
export const likesCounter: Counter = {
  name: 'likes',
  stored(key, { likeCount = 0, rev }) {
    if (key.type !== 'root' && key.type !== 'reply') return undefined;
    // Clearing does not change the version (`rev`), so the count is part of the version.
    return { counts: { likeCount: likeCount as number }, version: `${rev} ${likeCount}` };
  },
  contributions: (key) =>
    key.type === 'like' ? [{ in: keys.message(key.room, key.threadTs, key.ts), name: 'likeCount' }] : [],
  /** On a deleted message, this write also makes clearing continue. */
  fix({ rev, likeCount }, { likeCount: counted }) {
    const silent = likeCount === undefined;
    return {
      update: 'SET likeCount = :counted, rev = rev + :one',
      condition: `rev = :rev AND ${silent ? 'attribute_not_exists(likeCount)' : 'likeCount = :said'}`,
      values: { ':counted': counted, ':rev': rev, ':one': 1, ...(silent ? {} : { ':said': likeCount }) },
    };
  },
};
