import { defined } from '../../../core/defined.ts';
import { microsOf, type Timestamp } from '../../../core/timestamps.ts';
import { isRoot, type Message, newMessage, PARTICIPANTS_MAX } from '../../../messages/message.ts';
import type { Like } from '../../../reactions/likes/like.ts';
import type { MessageStamp } from '../../../reactions/stamps/stamp.ts';
import type { Language } from './languages/index.ts';
import { likesOn } from './liking.ts';
import type { Person } from './people.ts';
import { type StampingOptions, stampsOn } from './stamping.ts';
import { createTalk } from './talk.ts';
import { createTicks, following } from './ticks.ts';

/** A message with all that has happened to it, and the stamps on it and its likes in order. */
export interface Said {
  readonly message: Message;
  readonly stamps: readonly MessageStamp[];
  readonly likes: readonly Like[];
}

export interface ThreadOptions extends StampingOptions {
  readonly room: string;
  /** When the root was created. */
  readonly t: Timestamp;
  readonly position: number;
  readonly replies: number;
  readonly language: Language;
  readonly work: number;
  /** Somebody who is in the room, of this language if there is one. */
  readonly somebody: (language?: Language) => Person;
}

const MINUTE_MS = 60_000;
const REPLY_MEAN_MS = 7 * MINUTE_MS;
const EDITED = 0.02;
const DELETED = 0.008;
/** Of those who answer, how many have said something in the thread already. */
const BACK_AGAIN = 0.55;

/** A thread from its first word to its last: the root with its summary, then the replies in order. */
export function createThread(options: ThreadOptions): Said[] {
  const { room, t, position, replies, language, until, random, somebody } = options;
  const talk = createTalk(options, random, somebody);
  const author = somebody(language).user.id;
  const speakers = [author];
  const ticks = createTicks(random, microsOf(t));
  const times = following({ from: microsOf(t) / 1000, until, count: replies, mean: REPLY_MEAN_MS }, random);

  const answers = times.map((ms): Said => {
    const speaker = random.chance(BACK_AGAIN) ? random.pick(speakers) : somebody(language).user.id;
    if (!speakers.includes(speaker)) speakers.push(speaker);
    return happened(newMessage({ room, t, c: ticks(ms), author: speaker, ...talk.answer() }), options);
  });

  const said = answers.map(({ message }) => message);
  const root: Message = {
    ...newMessage({ room, t, c: t, author, ...talk.open() }),
    position,
    replyCount: said.length,
    lastReplyAt: said.at(-1)?.c ?? null,
    participants: [...new Set(said.map((reply) => reply.author))].slice(0, PARTICIPANTS_MAX),
    // Its position is a change, and each reply is one.
    rev: 2 + said.length,
  };
  return [happened(root, options), ...answers];
}

/** Most messages stay as they are. Some are stamped or liked, some edited, and a few deleted, with nothing left on them. */
function happened(message: Message, options: ThreadOptions): Said {
  const { random, until } = options;
  const later = (since: Timestamp, mean: number) => {
    const [ms = 0] = following({ from: microsOf(since) / 1000, until, count: 1, mean }, random);
    return createTicks(random, microsOf(since))(ms);
  };
  const edited = random.chance(EDITED);
  if (random.chance(DELETED)) {
    // Nobody answers in a thread whose root is gone: it goes after the last reply.
    const deletedAt = later(message.lastReplyAt ?? message.c, 30 * MINUTE_MS);
    const gone = { ...message, body: null, mentions: [], deletedAt, rev: message.rev + 1, extras: {} };
    return { message: gone, stamps: [], likes: [] };
  }
  const stamps = stampsOn(message, options, isRoot(message) ? 0.2 : 0.1);
  const likes = likesOn(message, options, isRoot(message) ? 0.25 : 0.12);
  const counts: Record<string, number> = {};
  for (const { stampKey } of stamps) counts[stampKey] = (counts[stampKey] ?? 0) + 1;
  return {
    message: {
      ...message,
      ...(edited ? { editedAt: later(message.c, 3 * MINUTE_MS), edits: 1 } : {}),
      rev: message.rev + stamps.length + likes.length + (edited ? 1 : 0),
      extras: { stamps: counts, ...defined({ likeCount: likes.length === 0 ? undefined : likes.length }) },
    },
    stamps,
    likes,
  };
}
