import { microsOf, type Timestamp } from '../../../core/timestamps.ts';
import {
  isRoot,
  type Message,
  NEWEST_REPLIES_MAX,
  newMessage,
  PARTICIPANTS_MAX,
} from '../../../messages/message.ts';
import { type MessageWithReactions, reactionCounts } from '../../../reactions/historyItems.ts';
import { createConversation } from './conversation.ts';
import type { Language } from './languages/index.ts';
import type { Person } from './people.ts';
import { likesOn, type ReactionOptions, stampsOn } from './reactions.ts';
import { createRisingTimestamps, laterTimes } from './times.ts';

export interface ThreadOptions extends ReactionOptions {
  readonly room: string;
  /** When the root was created. */
  readonly threadTs: Timestamp;
  readonly position: number;
  readonly replies: number;
  readonly language: Language;
  readonly work: number;
  /** A member of the room, of this language if there is one. */
  readonly randomMember: (language?: Language) => Person;
}

const MINUTE_MS = 60_000;
const REPLY_MEAN_MS = 7 * MINUTE_MS;
const EDITED = 0.02;
const DELETED = 0.008;
/** The share of replies by authors who wrote in the thread before. */
const REPEATED_SPEAKER = 0.55;

/** A complete thread: the root with its summary, then the replies in order. */
export function createThread(options: ThreadOptions): MessageWithReactions[] {
  const { room, threadTs, position, replies, language, until, random, randomMember } = options;
  const lengths = random.fork(`${position} lengths`);
  const conversation = createConversation({ ...options, lengths, randomMember: () => randomMember() });
  const author = randomMember(language).user.id;
  const speakers = [author];
  const timestampAt = createRisingTimestamps(random, microsOf(threadTs));
  const times = laterTimes(
    { from: microsOf(threadTs) / 1000, until, count: replies, mean: REPLY_MEAN_MS },
    random,
  );

  const replyMessages = times.map((ms): MessageWithReactions => {
    const speaker = random.chance(REPEATED_SPEAKER) ? random.pick(speakers) : randomMember(language).user.id;
    if (!speakers.includes(speaker)) speakers.push(speaker);
    return withHistory(
      newMessage({ room, threadTs, ts: timestampAt(ms), author: speaker, ...conversation.answer() }),
      options,
    );
  });

  const replyList = replyMessages.map(({ message }) => message);
  const root: Message = {
    ...newMessage({ room, threadTs, ts: threadTs, author, ...conversation.open() }),
    position,
    replyCount: replyList.length,
    lastReplyAt: replyList.at(-1)?.ts ?? null,
    newestReplies: replyList.slice(-NEWEST_REPLIES_MAX).map(({ ts }) => ts),
    participants: [...new Set(replyList.map((reply) => reply.author))].slice(0, PARTICIPANTS_MAX),
    // The position is a change of the root, and so is each reply.
    version: 2 + replyList.length,
  };
  return [withHistory(root, options), ...replyMessages];
}

/**
 * Adds what happened to a message later. Most stay as they are; some have reactions or edits; a few were deleted, and
 * have nothing.
 */
function withHistory(message: Message, options: ThreadOptions): MessageWithReactions {
  const { random, until } = options;
  const later = (since: Timestamp, mean: number) => {
    const [ms = 0] = laterTimes({ from: microsOf(since) / 1000, until, count: 1, mean }, random);
    return createRisingTimestamps(random, microsOf(since))(ms);
  };
  const edited = random.chance(EDITED);
  if (random.chance(DELETED)) {
    // A root is deleted after its last reply, because users cannot reply to a deleted root.
    const deletedAt = later(message.lastReplyAt ?? message.ts, 30 * MINUTE_MS);
    const deleted = {
      ...message,
      body: null,
      mentions: [],
      deletedAt,
      version: message.version + 1,
      extras: {},
    };
    return { message: deleted, stamps: [], likes: [] };
  }
  const stamps = stampsOn(message, options, isRoot(message) ? 0.2 : 0.1);
  const likes = likesOn(message, options, isRoot(message) ? 0.25 : 0.12);
  return {
    message: {
      ...message,
      ...(edited ? { editedAt: later(message.ts, 3 * MINUTE_MS), edits: 1 } : {}),
      version: message.version + stamps.length + likes.length + (edited ? 1 : 0),
      extras: reactionCounts({ stamps, likes }),
    },
    stamps,
    likes,
  };
}
