/** The messages of an import as the table stores them. */
import { defined } from '../core/defined.ts';
import { toTimestamp } from '../core/timestamps.ts';
import { type Message, NEWEST_REPLIES_MAX, newMessage, PARTICIPANTS_MAX } from '../messages/message.ts';
import { type MessageWithReactions, reactionCounts } from '../reactions/historyItems.ts';
import { type Row, timestampsOf } from './spool.ts';
import type { ImportedMessage } from './types.ts';

/** What a root says about its thread. */
type Summary = Pick<Message, 'replyCount' | 'lastReplyAt' | 'newestReplies' | 'participants'>;

const NO_REPLIES: Summary = { replyCount: 0, lastReplyAt: null, newestReplies: [], participants: [] };

const summaryOf = ({ replies }: Pick<Row, 'replies'>): Summary => {
  const times = replies.map(({ at }) => toTimestamp(at));
  return {
    replyCount: replies.length,
    lastReplyAt: times.at(-1) ?? null,
    newestReplies: times.slice(-NEWEST_REPLIES_MAX),
    participants: firstAuthors(replies),
  };
};

function firstAuthors(replies: readonly Row[]): string[] {
  const authors = new Set<string>();
  for (const { author } of replies) {
    authors.add(author);
    if (authors.size === PARTICIPANTS_MAX) break;
  }
  return [...authors];
}

export interface WholeOptions {
  readonly room: string;
  /** The message that it answers, if that is a reply. */
  readonly answered: Row | undefined;
  /** Whether a root gets the position of its row. Otherwise it has none yet. */
  readonly positioned: boolean;
}

/** The message with its stamps and likes, and of a root with the summary of its thread. */
export function wholeMessage(
  row: Row,
  record: ImportedMessage,
  { room, answered, positioned }: WholeOptions,
): MessageWithReactions {
  const key = { room, ...timestampsOf(row) };
  const isRoot = row.root === row;
  const { author, body, mentions, editedAt, edits, deletedAt, externalId } = record;
  const stamps = stampTimes(row.at, record.stamps).map((stamp) => ({ ...key, ...stamp }));
  const likes = record.likes.map(({ user, at }) => ({ ...key, user, at: toTimestamp(at), author }));
  const reactions = { stamps, likes };
  const summary = isRoot ? summaryOf(row) : NO_REPLIES;
  const changes = edits + stamps.length + likes.length + (deletedAt === null ? 0 : 1);
  const message: Message = {
    ...newMessage({
      ...key,
      author,
      body,
      mentions,
      inReplyTo: answered === undefined || answered.root === answered ? null : toTimestamp(answered.at),
      extras: {
        ...(deletedAt === null ? reactionCounts(reactions) : {}),
        ...defined({ externalId: externalId ?? undefined }),
      },
    }),
    editedAt,
    edits,
    deletedAt,
    ...summary,
    position: isRoot && positioned ? row.position : null,
    // As if all of it had happened here: a position is a change of the root, and so is each reply.
    version: record.version ?? 1 + changes + (isRoot ? 1 + summary.replyCount : 0),
  };
  return { message, ...reactions };
}

/** In order, after the message, and no two at the same time. */
function stampTimes(messageAt: number, stamps: ImportedMessage['stamps']) {
  let last = messageAt;
  return [...stamps]
    .sort((a, b) => a.at - b.at)
    .map(({ user, stampKey, at }) => {
      last = Math.max(at, last + 1);
      return { user, stampKey, stampedAt: toTimestamp(last) };
    });
}
