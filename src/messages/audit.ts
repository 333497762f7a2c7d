import { keys } from '../dynamo/keys.ts';
import type { Audit } from '../verify/audit.ts';
import { messageOf } from './message.ts';

/** A root counts its replies, deleted ones included. */
export const repliesAudit: Audit = {
  name: 'replies',
  says(key, item) {
    if (key.type !== 'root') return undefined;
    const { replyCount, rev } = messageOf(key, item);
    return { counts: { replyCount }, version: String(rev) };
  },
  votes: (key) => (key.type === 'reply' ? [{ in: keys.root(key.room, key.t), name: 'replyCount' }] : []),
  mend: ({ rev }, { replyCount }) => ({
    update: 'SET replyCount = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':counted': replyCount, ':rev': rev, ':one': 1 },
  }),
};
