import { microsOf, type Timestamp, toTimestamp } from '../../../core/timestamps.ts';
import type { MessageWithReactions } from '../../../reactions/historyItems.ts';
import { createCalendar } from './calendar.ts';
import type { Language } from './languages/index.ts';
import type { Person } from './people.ts';
import { type Random, sums } from './random.ts';
import type { RoomPlan } from './rooms.ts';
import { createThread } from './thread.ts';
import { createRisingTimestamps } from './times.ts';

/** How far a member has read at the end. */
export interface ReadingState {
  readonly position: number;
  /** When the root at that position was created, or the time of the join if there is none. */
  readonly at: Timestamp;
  /** How often the membership changed until then. */
  readonly changes: number;
}

/** The numbers that a room's history adds up to. */
export interface RoomTotals {
  readonly lastPosition: number;
  readonly newestRoot: Timestamp | undefined;
  /** The number of changes that the room's log would have had. The log begins after them. */
  readonly lastSequence: number;
  /** For each member, in the order of the plan. */
  readonly reading: readonly ReadingState[];
}

export interface RoomHistory {
  readonly plan: RoomPlan;
  readonly threadCount: number;
  /** Can be read once. */
  threads(): Generator<readonly MessageWithReactions[], void>;
  /** To be called after all threads were read. */
  totals(): RoomTotals;
}

export interface HistoryOptions {
  /** Milliseconds since 1970: the end of the history. */
  readonly until: number;
  readonly stampKeys: readonly string[];
}

const OFFSETS: Readonly<Record<string, number>> = { ja: 9, ko: 9, de: 1, es: 1, ar: 2 };
const WITH_REPLIES = 0.14;
const LONG = { chance: 0.004, mean: 60 };
const REPLIES_MEAN = 3;
const REPLIES_MAX = 2_000;
/** The share of threads in the room's first language. */
const FIRST_LANGUAGE = 0.6;

/** A room's history: its threads in order, made one by one. Memory holds 20 bytes for each, and no text. */
export function createHistory(plan: RoomPlan, { until, stampKeys }: HistoryOptions): RoomHistory {
  const { room, members, languages, work, random } = plan;
  const sizes = threadSizes(plan.messages, random.fork('sizes'));
  const calendar = createCalendar(
    { from: microsOf(room.createdAt) / 1000, until },
    OFFSETS[languages[0]?.locale ?? ''] ?? 0,
  );
  const moments = calendar.moments(sizes.length, random.fork('times'));
  /** Microseconds. */
  const roots = new Float64Array(sizes.length);
  const activity = sums(members.map(() => random.float() ** 3 + 0.03));
  const memberIndexes = new Map(members.map(({ person }, i) => [person.user.id, i]));
  const joinedAfter = new Uint32Array(members.length);
  const ownLast = new Uint32Array(members.length);
  const ownRoots = new Uint32Array(members.length);
  let lastSequence = members.length;

  function* threads(): Generator<readonly MessageWithReactions[], void> {
    const own = random.fork('threads');
    const timestampAt = createRisingTimestamps(own, microsOf(room.createdAt));
    let present = 1;
    for (const [i, replies] of sizes.entries()) {
      const threadTs = timestampAt(moments[i] ?? until);
      for (
        ;
        microsOf(threadTs) / 1000 >= (members[present]?.joinedAt ?? Number.POSITIVE_INFINITY);
        present++
      ) {
        joinedAfter[present] = i;
      }
      roots[i] = microsOf(threadTs);
      const thread = createThread({
        room: room.id,
        threadTs,
        position: i + 1,
        replies,
        language: languageOf(own),
        work,
        until,
        stampKeys,
        random: own,
        present,
        randomMember: (language) => randomMember(own, present, language),
      });
      count(thread, i + 1);
      yield thread;
    }
    joinedAfter.fill(sizes.length, present);
  }

  const languageOf = (own: Random): Language => {
    const [first] = languages;
    return first !== undefined && own.chance(FIRST_LANGUAGE) ? first : own.pick(languages);
  };

  /** Active members more often. Draws up to five times for a member of the language, then takes the last one. */
  function randomMember(own: Random, present: number, language?: Language): Person {
    for (let tries = 0; ; tries++) {
      const member = members[own.weighted(activity, present)];
      if (member === undefined) throw new Error('A room needs at least one member.');
      if (language === undefined || member.person.language === language || tries === 4) return member.person;
    }
  }

  function count(thread: readonly MessageWithReactions[], position: number): void {
    const [root] = thread;
    const index = memberIndexes.get(root?.message.author ?? '') ?? 0;
    ownLast[index] = position;
    ownRoots[index] = (ownRoots[index] ?? 0) + 1;
    // A root is one change. A reply is two: the reply and its root.
    lastSequence += 2 * thread.length - 1;
    for (const { message, stamps, likes } of thread) {
      lastSequence += stamps.length + likes.length + message.edits + (message.deletedAt === null ? 0 : 1);
    }
  }

  function totals(): RoomTotals {
    const own = random.fork('reading');
    const reading = members.map(({ joinedAt }, i): ReadingState => {
      // A user who joins or posts has read everything until then.
      const least = Math.max(joinedAfter[i] ?? 0, ownLast[i] ?? 0);
      const position = least + Math.floor(readShare(own) * (sizes.length - least));
      const read = position > (joinedAfter[i] ?? 0);
      const at = toTimestamp(read ? (roots[position - 1] ?? 0) : joinedAt * 1000);
      return { position, at, changes: 2 * (ownRoots[i] ?? 0) + (position > least ? 1 : 0) };
    });
    const newest = roots[sizes.length - 1];
    const newestRoot = newest === undefined ? undefined : toTimestamp(newest);
    return { lastPosition: sizes.length, newestRoot, lastSequence, reading };
  }

  return { plan, threadCount: sizes.length, threads, totals };
}

/**
 * The share of the remaining roots that a member has read: for many members all, for most nearly all, for some little.
 */
function readShare(random: Random): number {
  const habit = random.float();
  if (habit < 0.4) return 1;
  return habit < 0.85 ? 1 - 0.03 * random.float() : random.float();
}

/** The number of replies of each thread. Roots and replies are `messages` together. */
function threadSizes(messages: number, random: Random): Uint16Array {
  const sizes: number[] = [];
  for (let left = messages; left > 0; ) {
    const mean = random.chance(LONG.chance) ? LONG.mean : random.chance(WITH_REPLIES) ? REPLIES_MEAN : 0;
    const replies =
      mean === 0 ? 0 : Math.min(REPLIES_MAX, left - 1, 1 + Math.floor(random.exponential(mean)));
    sizes.push(replies);
    left -= 1 + replies;
  }
  return Uint16Array.from(sizes);
}
