import { keys } from '../../dynamo/keys.ts';
import type { Audit } from '../../verify/audit.ts';

/** P3: a message counts its likes; a deleted one those that are not cleared away yet. */
export const likesAudit: Audit = {
  name: 'likes',
  says(key, { likeCount = 0, rev }) {
    if (key.type !== 'root' && key.type !== 'reply') return undefined;
    // Clearing is no change to the message as people see it, so the count is part of its version.
    return { counts: { likeCount: likeCount as number }, version: `${rev} ${likeCount}` };
  },
  votes: (key) =>
    key.type === 'like' ? [{ in: keys.message(key.room, key.t, key.c), name: 'likeCount' }] : [],
  /** Of a deleted message, this is also where clearing goes on. */
  mend({ rev, likeCount }, { likeCount: counted }) {
    const silent = likeCount === undefined;
    return {
      update: 'SET likeCount = :counted, rev = rev + :one',
      condition: `rev = :rev AND ${silent ? 'attribute_not_exists(likeCount)' : 'likeCount = :said'}`,
      values: { ':counted': counted, ':rev': rev, ':one': 1, ...(silent ? {} : { ':said': likeCount }) },
    };
  },
};
