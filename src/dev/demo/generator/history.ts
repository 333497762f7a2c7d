import { microsOf, type Timestamp, toTimestamp } from '../../../core/timestamps.ts';
import { createCalendar } from './calendar.ts';
import type { Language } from './languages/index.ts';
import type { Person } from './people.ts';
import { type Random, sums } from './random.ts';
import type { RoomPlan } from './rooms.ts';
import { createThread, type Said } from './thread.ts';
import { createTicks } from './ticks.ts';

/** How far a member has read when all is told. */
export interface ReadingState {
  readonly position: number;
  /** When the root at that position was created; the join where there is none. */
  readonly at: Timestamp;
  /** How often their membership changed on the way. */
  readonly changes: number;
}

/** What a room's history adds up to. */
export interface Outcome {
  readonly messageCount: number;
  /** Changes the room's log would have had: it begins behind them. */
  readonly changeCount: number;
  /** For each member, in the order of the plan. */
  readonly reading: readonly ReadingState[];
}

export interface RoomHistory {
  readonly plan: RoomPlan;
  readonly threadCount: number;
  /** To be read once. */
  threads(): Generator<readonly Said[], void>;
  /** Known when all threads are read. */
  outcome(): Outcome;
}

export interface HistoryOptions {
  /** Milliseconds since 1970: now, for all that is told. */
  readonly until: number;
  readonly stampKeys: readonly string[];
}

const OFFSETS: Readonly<Record<string, number>> = { ja: 9, ko: 9, de: 1, es: 1, ar: 2 };
const WITH_REPLIES = 0.14;
const LONG = { chance: 0.004, mean: 60 };
const REPLIES_MEAN = 3;
const REPLIES_MAX = 2_000;
/** Of the languages of a room, how often the first one is spoken. */
const FIRST_LANGUAGE = 0.6;

/** What was said in a room: its threads in order, made one by one. Holds 20 bytes for each of them, and no text. */
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
  const loud = sums(members.map(() => random.float() ** 3 + 0.03));
  const places = new Map(members.map(({ person }, i) => [person.user.id, i]));
  const joinedAfter = new Uint32Array(members.length);
  const ownLast = new Uint32Array(members.length);
  const ownRoots = new Uint32Array(members.length);
  let changeCount = members.length;

  function* threads(): Generator<readonly Said[], void> {
    const own = random.fork('threads');
    const ticks = createTicks(own, microsOf(room.createdAt));
    let present = 1;
    for (const [i, replies] of sizes.entries()) {
      const t = ticks(moments[i] ?? until);
      for (; microsOf(t) / 1000 >= (members[present]?.joinedAt ?? Number.POSITIVE_INFINITY); present++) {
        joinedAfter[present] = i;
      }
      roots[i] = microsOf(t);
      const thread = createThread({
        ...{ room: room.id, t, position: i + 1, replies, language: languageOf(own), work, until, stampKeys },
        ...{ random: own, present, somebody: (language) => somebody(own, present, language) },
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

  /** The loud ones more often; a few tries to find one of the language, then whoever it is. */
  function somebody(own: Random, present: number, language?: Language): Person {
    for (let tries = 0; ; tries++) {
      const seat = members[own.weighted(loud, present)];
      if (seat === undefined) throw new Error('A room without members says nothing.');
      if (language === undefined || seat.person.language === language || tries === 4) return seat.person;
    }
  }

  function count(thread: readonly Said[], position: number): void {
    const [root] = thread;
    const place = places.get(root?.message.author ?? '') ?? 0;
    ownLast[place] = position;
    ownRoots[place] = (ownRoots[place] ?? 0) + 1;
    // A root is a change, and a reply is two: itself and its root's.
    changeCount += 2 * thread.length - 1;
    for (const { message, stamps, likes } of thread) {
      changeCount += stamps.length + likes.length + message.edits + (message.deletedAt === null ? 0 : 1);
    }
  }

  function outcome(): Outcome {
    const own = random.fork('reading');
    const reading = members.map(({ joinedAt }, i): ReadingState => {
      // Joining reads all there is, and so does posting.
      const least = Math.max(joinedAfter[i] ?? 0, ownLast[i] ?? 0);
      const position = least + Math.floor(howFar(own) * (sizes.length - least));
      const read = position > (joinedAfter[i] ?? 0);
      const at = toTimestamp(read ? (roots[position - 1] ?? 0) : joinedAt * 1000);
      return { position, at, changes: 2 * (ownRoots[i] ?? 0) + (position > least ? 1 : 0) };
    });
    return { messageCount: sizes.length, changeCount, reading };
  }

  return { plan, threadCount: sizes.length, threads, outcome };
}

/** Many have read everything, most nearly everything, and some stopped reading some time ago. */
function howFar(random: Random): number {
  const habit = random.float();
  if (habit < 0.4) return 1;
  return habit < 0.85 ? 1 - 0.03 * random.float() : random.float();
}

/** How many replies each thread has: the threads and their replies are `messages` in all. */
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
