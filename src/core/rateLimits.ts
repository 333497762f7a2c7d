import { parseSeconds } from './duration.ts';
import { DAY_S } from './timestamps.ts';

/**
 * How often one user, or (`anonymous`) one network without a valid token, may perform each kind of action. The
 * setting `RATE_LIMITS` changes it:
 *
 *   RATE_LIMITS=messages=20/10s,stamps=30/1m,likes=off     these; the others keep their defaults
 *   RATE_LIMITS=off                                        no limits, for load tests
 */
export type RateLimits = Readonly<Partial<Record<RateLimitedAction, RateLimit>>>;

/**
 * - `messages`: sending, scheduling, editing and deleting messages
 * - `mentions`: handles in messages that are sent, of members or not; each is one. In scheduled messages counted when they are sent,
 *   exactly and in the table, apart from the others
 * - `stamps`, `likes`: adding and removing them
 * - `saving`: saving messages, changing and removing what was saved
 * - `reminders`: setting and moving reminders
 * - `jobs`: renaming, merging and deleting tags, changing the visibility of all messages with one, cancelling jobs
 * - `rooms`: creating rooms and opening direct rooms
 * - `joins`: joining, entering a waitlist, and accepting an invite, also with a guessed code
 * - `leaving`: leaving rooms and waitlists
 * - `invites`: creating invites and adding members
 * - `moderation`: changing or deleting a room, changing its members' roles, removing, banning, lifting bans, revoking invites, blocking and
 *   unblocking users
 * - `reading`: marking rooms, threads and notifications as read or unread, muting and arranging rooms, following
 *   threads, choosing what a room delivers
 * - `clearing`: marking all rooms as read
 * - `typing`: sending that the viewer is typing
 * - `profiles`: changing the viewer's profile or delivery settings, pausing deliveries, registering and removing
 *   browsers, sending test deliveries, signing out everywhere, and deleting the account
 * - `handles`: changing the viewer's handle, counted exactly and in the table
 * - `anonymous`: operations and websockets without a valid token
 *
 * All other actions are not limited.
 */
const ACTIONS = [
  'messages',
  'mentions',
  'stamps',
  'likes',
  'saving',
  'reminders',
  'jobs',
  'rooms',
  'joins',
  'leaving',
  'invites',
  'moderation',
  'reading',
  'clearing',
  'typing',
  'profiles',
  'handles',
  'anonymous',
] as const;
export type RateLimitedAction = (typeof ACTIONS)[number];

/**
 * A burst of `max` within `seconds`, plus the same number spread evenly over that time, whether or not the burst is
 * used up: 20 in 10 s is twenty at once and two every second.
 */
export interface RateLimit {
  readonly max: number;
  readonly seconds: number;
}

/**
 * Counts one request without a valid token against the limit of its network. Resolves to 0, or to the milliseconds
 * until the next one is allowed.
 */
export type AnonymousLimit = (network: string, count?: number) => Promise<number>;

/**
 * How much one user, or one network with all of its users, may hold on a server and read from it. Each server counts
 * for itself. Absent: without a limit.
 */
export interface UserLimits {
  /** Open websockets. */
  readonly sockets?: number;
  /** Open subscriptions, on all websockets together. */
  readonly subscriptions?: number;
  /**
   * Queries and mutations that run at the same time. Over HTTP from the end of the request's head until the response
   * has been sent. All clients of a network without a token have the places of one user.
   */
  readonly operations?: number;
  /** Objects that queries and mutations may return if their pages are full: `extensions.cost` of their results. */
  readonly objects?: RateLimit;
  /** Refusals over HTTP that are sent at once. All clients of a network without a token are one user. */
  readonly refusals?: RateLimit;
  /** The same of a network. Websockets without a token count as well. */
  readonly networkSockets?: number;
  readonly networkSubscriptions?: number;
  readonly networkOperations?: number;
  readonly networkObjects?: RateLimit;
}

/** What a user holds. */
export type Held = 'sockets' | 'subscriptions' | 'operations';

export const USER_LIMITS: UserLimits = {
  // A few devices with a few tabs each.
  sockets: 20,
  subscriptions: 500,
  // Three of the largest documents that are allowed at once, and then one more every 18 seconds.
  objects: { max: 100_000, seconds: 60 },
  // The pages of an office whose tokens have expired, or a page that renews its token too late.
  refusals: { max: 100, seconds: 10 },
  // A client that comes back after a night refreshes everything at once.
  operations: 50,
  // A large office behind one address. It is a quarter of what a server holds (`SERVER_LIMITS`).
  networkSockets: 5_000,
  networkSubscriptions: 10_000,
  networkOperations: 500,
  networkObjects: { max: 2_000_000, seconds: 60 },
};

/** The owner of what is held or read. */
export interface Holder {
  /** Null without a token. */
  readonly user: string | null;
  readonly network: string;
}

/**
 * The holder of an operation's place. All clients of a network without a token are one user: otherwise they could hold
 * all places of the network, and its users had none. A subject has no control characters, so no user has this name.
 */
export const holderOfPlace = ({ user, network }: Holder): Holder & { readonly user: string } => ({
  user: user ?? `\u0000${network}`,
  network,
});

/** Gives a place back. Calls after the first do nothing. */
export type GiveBack = () => void;

/** What the users and networks of one server hold and read. */
export interface UserUsage {
  /**
   * Undefined if the user or the network holds the maximum. Null: the place of a user, or of a network, is not needed.
   */
  take(what: Held, holder: { readonly [Name in keyof Holder]: Holder[Name] | null }): GiveBack | undefined;
  /**
   * Takes `count` more places beside one that is held. Undefined if the user or the network holds more than the maximum
   * already, so one large thing never has too few.
   */
  extend(what: Held, holder: Holder, count: number): GiveBack | undefined;
  /** The same, for what can no longer be refused: takes them also beyond the maximum. */
  add(what: Held, holder: Holder, count: number): GiveBack;
  /** Returns 0, or the milliseconds after which this much may be read. What is refused is not counted. */
  read(holder: Holder, objects: number): number;
  /**
   * Counts a refusal, and returns in how many milliseconds it may be sent: 0, or up to two seconds after many of them.
   */
  refuse(holder: Holder): number;
}

/** Everything that `RATE_LIMITS` sets. */
export interface AllLimits {
  readonly rates: RateLimits;
  readonly users: UserLimits;
}

/** High enough for a human who types or clicks fast, too low for a script. */
export const RATE_LIMITS: RateLimits = {
  messages: { max: 20, seconds: 10 },
  // Two messages to fifty people each, then one or two people a second.
  mentions: { max: 100, seconds: 60 },
  stamps: { max: 30, seconds: 10 },
  likes: { max: 30, seconds: 10 },
  // A page of saved messages is selected and changed at once.
  saving: { max: 200, seconds: 60 },
  // Each becomes a notification and a delivery.
  reminders: { max: 60, seconds: 60 },
  // Each is up to 25 messages in the answer, and any number in the background.
  jobs: { max: 20, seconds: 60 },
  rooms: { max: 20, seconds: 60 },
  // Each is two items of a membership, an event for all members, and the same again when they leave.
  joins: { max: 30, seconds: 60 },
  // A user who was added to many rooms can leave them as fast as they could have joined.
  leaving: { max: 30, seconds: 60 },
  // A whole team is added to a new room at once.
  invites: { max: 100, seconds: 60 },
  // Fast enough to clear a room of a crowd by hand.
  moderation: { max: 60, seconds: 60 },
  // A client that marks a busy room as read four times a second stays within it.
  reading: { max: 300, seconds: 60 },
  // Each may be a write for each of 1,000 rooms.
  clearing: { max: 10, seconds: 60 },
  // Clients send it again every few seconds, and at once after a message was sent.
  typing: { max: 30, seconds: 10 },
  profiles: { max: 10, seconds: 60 },
  // Each new handle keeps the previous one reserved for a while, and changes how others find the user.
  handles: { max: 3, seconds: DAY_S },
  // Anonymous clients can do almost nothing. But one address may be an office whose tokens have all just expired.
  anonymous: { max: 600, seconds: 60 },
};

const COUNT_MAX = 10_000;
const OBJECTS_MAX = 100_000_000;
const SECONDS_MAX = DAY_S;
const HELD_MAX = 1_000_000;
const HELD = [
  ...['sockets', 'subscriptions', 'operations'],
  ...['networkSockets', 'networkSubscriptions', 'networkOperations'],
];
const OBJECTS = ['objects', 'networkObjects'];
/** What `UserLimits` has per time. */
const PER_TIME = [...OBJECTS, 'refusals'];

export const RATE_LIMITS_RULE =
  'must be off, or a comma-separated list such as messages=20/10s,stamps=30/1m,likes=off,sockets=20 ' +
  `(of ${[...ACTIONS, ...PER_TIME].join(', ')}; 1 to ${COUNT_MAX}, and ${OBJECTS_MAX} objects, in 1s to ` +
  `${SECONDS_MAX / 3_600}h; ${HELD.join(', ')} have no time and are at most ${HELD_MAX})`;

const PART = /^([a-zA-Z]+)=(?:(off)|(\d{1,9})(?:\/(\d{1,5}[smh]))?)$/;

/** Undefined if the text breaks the rule. */
export function parseRateLimits(text: string): AllLimits | undefined {
  if (text === 'off') return { rates: {}, users: {} };
  const limits: Record<string, RateLimit | number> = { ...RATE_LIMITS, ...USER_LIMITS };
  const named = new Set<string>();
  for (const part of text.split(',')) {
    const [, name = '', off, max, time] = PART.exec(part.trim()) ?? [];
    const isHeld = HELD.includes(name);
    const isKnown = isHeld || PER_TIME.includes(name) || ACTIONS.some((known) => known === name);
    // What is held has no time, and everything else has one.
    const hasForm = off !== undefined || isHeld === (time === undefined);
    if (!isKnown || !hasForm || named.has(name)) return undefined;
    named.add(name);
    const count = Number(max);
    const seconds = time === undefined ? 1 : (parseSeconds(time) ?? 0);
    if (off !== undefined) delete limits[name];
    else if (isSensible(name, { max: count, seconds }))
      limits[name] = isHeld ? count : { max: count, seconds };
    else return undefined;
  }
  const isOfUsers = ([name]: [string, unknown]) => HELD.includes(name) || PER_TIME.includes(name);
  const all = Object.entries(limits);
  return {
    rates: Object.fromEntries(all.filter((one) => !isOfUsers(one))) as RateLimits,
    users: Object.fromEntries(all.filter(isOfUsers)) as UserLimits,
  };
}

const isSensible = (name: string, { max, seconds }: RateLimit): boolean =>
  max >= 1 &&
  max <= (OBJECTS.includes(name) ? OBJECTS_MAX : HELD.includes(name) ? HELD_MAX : COUNT_MAX) &&
  seconds >= 1 &&
  seconds <= SECONDS_MAX;
