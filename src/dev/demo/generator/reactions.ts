import { microsOf } from '../../../core/timestamps.ts';
import type { Message, MessageKey } from '../../../messages/message.ts';
import type { MessageStamp } from '../../../reactions/stamps/stamp.ts';
import type { Reaction } from '../../../reactions/toggles/reaction.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { createRisingTimestamps, laterTimes } from './times.ts';

export interface ReactionOptions {
  /** Milliseconds since 1970. No reaction is later. */
  readonly until: number;
  readonly stampKeys: readonly string[];
  readonly random: Random;
  readonly randomMember: () => Person;
  /** The number of members. */
  readonly present: number;
}

/** The number of further stamps after the first one, on average; sometimes a crowd. */
const STAMPS = { mean: 1.4, crowd: { chance: 0.02, mean: 12 }, max: 60, spacingMs: 15 * 60_000 };
/** The number of further likes after the first one, on average; sometimes from nearly all members. */
const LIKES = { mean: 2, crowd: { chance: 0.015, mean: 25 }, max: 200, spacingMs: 20 * 60_000 };
/** How often a user takes the stamp that the message has already. */
const SAME_STAMP = 0.65;

/** The times of a message's reactions of one kind. */
function reactionTimes(
  { ts }: MessageKey,
  { until, random, present }: ReactionOptions,
  { mean, crowd, max, spacingMs }: typeof LIKES,
): number[] {
  const further = random.exponential(random.chance(crowd.chance) ? crowd.mean : mean);
  const count = Math.min(max, present, 1 + Math.floor(further));
  return laterTimes({ from: microsOf(ts) / 1000, until, count, mean: spacingMs }, random);
}

/** A message's stamps, in order. Most messages have none, and no user puts the same stamp twice. */
export function stampsOn(message: MessageKey, options: ReactionOptions, chance: number): MessageStamp[] {
  const { room, threadTs, ts } = message;
  const { stampKeys, random, randomMember } = options;
  if (stampKeys.length === 0 || !random.chance(chance)) return [];
  const times = reactionTimes(message, options, STAMPS);
  const timestampAt = createRisingTimestamps(random, microsOf(ts));
  const first = random.pick(stampKeys);
  const taken = new Set<string>();
  return times.flatMap((ms): MessageStamp[] => {
    const user = randomMember().user.id;
    const stampKey = random.chance(SAME_STAMP) ? first : random.pick(stampKeys);
    const stampByUser = `${user} ${stampKey}`;
    if (taken.has(stampByUser)) return [];
    taken.add(stampByUser);
    return [{ room, threadTs, ts, stampedAt: timestampAt(ms), user, stampKey }];
  });
}

/** A message's likes, in order. Most messages have none, a user likes a message once, and no author their own. */
export function likesOn(message: Message, options: ReactionOptions, chance: number): Reaction[] {
  const { room, threadTs, ts, author } = message;
  const { random, randomMember } = options;
  if (!random.chance(chance)) return [];
  const times = reactionTimes(message, options, LIKES);
  const timestampAt = createRisingTimestamps(random, microsOf(ts));
  const taken = new Set([author]);
  return times.flatMap((ms): Reaction[] => {
    const user = randomMember().user.id;
    if (taken.has(user)) return [];
    taken.add(user);
    return [{ room, threadTs, ts, user, author, at: timestampAt(ms) }];
  });
}
