import { keys } from '../dynamo/keys.ts';
import { messageOf } from '../messages/message.ts';
import type { Audit } from '../repair/audit.ts';

/** P3: a message counts its likes. A deleted one has none; what is left is being cleared. */
export const likesAudit: Audit = {
  name: 'likes',
  says(key, item) {
    if ((key.type !== 'root' && key.type !== 'reply') || item.deletedAt !== undefined) return undefined;
    const { likeCount, rev } = messageOf(key, item);
    return { counts: { likeCount }, version: String(rev) };
  },
  votes: (key) =>
    key.type === 'like' ? [{ in: keys.message(key.room, key.t, key.c), name: 'likeCount' }] : [],
  mend: ({ rev }, { likeCount }) => ({
    update: 'SET likeCount = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':counted': likeCount, ':rev': rev, ':one': 1 },
  }),
};
