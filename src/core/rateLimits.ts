/**
 * How often one person, or (`anonymous`) one address without a good token, may do what: what `RATE_LIMITS` says.
 *
 *   RATE_LIMITS=messages=20/10s,stamps=30/1m,likes=off     those named; the others keep their defaults
 *   RATE_LIMITS=off                                        none at all, for load tests
 */
export type RateLimits = Readonly<Partial<Record<RateLimitedAction, RateLimit>>>;

/**
 * `messages`: sending, editing and deleting. `stamps`, `likes`: putting and taking back. `rooms`: making them, and opening
 * direct ones. `joins`: joining, waiting in line for a seat, and coming by an invite, also with a code that is
 * guessed. `leaving`: leaving rooms, and lines. `invites`: making them, and adding people. `moderation`: changing a
 * room and its people's roles, removing, banning, lifting bans, revoking invites. `reading`: marking rooms and notifications as read or unread,
 * muting rooms, following threads. `typing`: telling that one types. `profiles`: changing one's own.
 * `anonymous`: operations and websockets of who has no good token. What is not named is not limited.
 */
const ACTS = [
  'messages',
  'stamps',
  'likes',
  'rooms',
  'joins',
  'leaving',
  'invites',
  'moderation',
  'reading',
  'typing',
  'profiles',
  'anonymous',
] as const;
export type RateLimitedAction = (typeof ACTS)[number];

/**
 * A burst of `most` within `seconds`, and, whether or not those are used up, as much again spread evenly:
 * 20 in 10 s is twenty at once and two every second.
 */
export interface RateLimit {
  readonly most: number;
  readonly seconds: number;
}

/** A fast person, typing or clicking, does not meet them; a script does. */
export const RATE_LIMITS: RateLimits = {
  messages: { most: 20, seconds: 10 },
  stamps: { most: 30, seconds: 10 },
  likes: { most: 30, seconds: 10 },
  rooms: { most: 20, seconds: 60 },
  // Each is a membership's two items, an event for everybody in the room, and, if they leave, the same again.
  joins: { most: 30, seconds: 60 },
  // Whoever is put into many rooms gets out of them as fast as they could have come.
  leaving: { most: 30, seconds: 60 },
  // A whole team is put into a new room at once.
  invites: { most: 100, seconds: 60 },
  // Fast enough to clear a room of a crowd by hand.
  moderation: { most: 60, seconds: 60 },
  // A client that tells four times a second what is read, in a busy room, may go on for ever.
  reading: { most: 300, seconds: 60 },
  // Clients tell again every few seconds, and at once when a message was sent.
  typing: { most: 30, seconds: 10 },
  // Each new handle keeps the one before it from everybody else for a while.
  profiles: { most: 10, seconds: 60 },
  // They can do next to nothing; but behind one address may be an office whose tokens have all just expired.
  anonymous: { most: 600, seconds: 60 },
};

const MOST = 10_000;
const LONGEST_S = 3_600;

export const RATE_LIMITS_RULE =
  'must be off, or a comma-separated list such as messages=20/10s,stamps=30/1m,likes=off ' +
  `(of ${ACTS.join(', ')}; 1 to ${MOST} in 1s to ${LONGEST_S / 60}m)`;

const PART = /^([a-z]+)=(?:(off)|(\d{1,5})\/(\d{1,4})([sm]))$/;

/** Undefined where the text breaks the rule. */
export function parseRateLimits(text: string): RateLimits | undefined {
  if (text === 'off') return {};
  const limits: Partial<Record<RateLimitedAction, RateLimit>> = { ...RATE_LIMITS };
  const named = new Set<RateLimitedAction>();
  for (const part of text.split(',')) {
    const [, name, off, most, time, unit] = PART.exec(part.trim()) ?? [];
    const act = ACTS.find((known) => known === name);
    if (act === undefined || named.has(act)) return undefined;
    named.add(act);
    const limit = { most: Number(most), seconds: Number(time) * (unit === 'm' ? 60 : 1) };
    if (off !== undefined) delete limits[act];
    else if (isSensible(limit)) limits[act] = limit;
    else return undefined;
  }
  return limits;
}

const isSensible = ({ most, seconds }: RateLimit): boolean =>
  most >= 1 && most <= MOST && seconds >= 1 && seconds <= LONGEST_S;
