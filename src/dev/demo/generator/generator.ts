import { toTimestamp } from '../../../core/timestamps.ts';
import type { MessageWithReactions } from '../../../reactions/historyItems.ts';
import { createHistory, type RoomHistory } from './history.ts';
import { createPeople, type Person } from './people.ts';
import { createRandom } from './random.ts';
import { planRooms } from './rooms.ts';

export interface GeneratorOptions {
  /** The same seed and numbers give the same people, rooms and messages. */
  readonly seed: string;
  readonly rooms: number;
  readonly people: number;
  /** Roots and replies of all rooms. */
  readonly messages: number;
  /** Milliseconds since 1970: the end of the history. */
  readonly until: number;
  /** The stamps that people use. */
  readonly stampKeys: readonly string[];
  /** Handles that other users have. */
  readonly taken?: ReadonlySet<string>;
}

export interface Generated {
  readonly people: readonly Person[];
  readonly rooms: readonly RoomHistory[];
  /** All messages with their stamps and likes. Takes a few threads of each room in turn, so no partition is hot. */
  messages(): Generator<MessageWithReactions, void>;
}

const SPAN_MS = 180 * 86_400_000;

/** Half a year of conversations, made while they are read. */
export function generate(options: GeneratorOptions): Generated {
  const { seed, until, stampKeys, taken = new Set<string>() } = options;
  const random = createRandom(seed);
  const span = { from: until - SPAN_MS, until };
  const createdAt = toTimestamp(span.from * 1000);
  const people = createPeople({ random: random.fork('people'), count: options.people, createdAt, taken });
  const plans = planRooms({ ...options, span, people, random: random.fork('rooms') });
  const rooms = plans.map((plan) => createHistory(plan, { until, stampKeys }));

  function* messages(): Generator<MessageWithReactions, void> {
    const least = Math.max(1, Math.min(...rooms.map(({ threadCount }) => threadCount)));
    let open = rooms.map((room) => ({
      threads: room.threads(),
      // So that all rooms end at about the same time.
      atOnce: Math.max(1, Math.ceil(room.threadCount / least)),
    }));
    while (open.length > 0) {
      const ended = new Set<object>();
      for (const room of open) {
        for (let n = 0; n < room.atOnce && !ended.has(room); n++) {
          const next = room.threads.next();
          if (next.done === true) ended.add(room);
          else yield* next.value;
        }
      }
      open = open.filter((room) => !ended.has(room));
    }
  }

  return { people, rooms, messages };
}
