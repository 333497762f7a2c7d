import { defined } from '../core/defined.ts';
import type { DeliveryKind } from '../core/deliveryKinds.ts';
import { DAY_S, secondsOf, type Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import type { Language } from '../i18n/language.ts';

/** The ways out of the page. They are stored: do not rename one. */
export const DELIVERY_CHANNELS = ['WEB_PUSH', 'WEBHOOK', 'EMAIL'] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** `PENDING`: decided, and not every send has ended. All others but `SENT` and `FAILED` say why nothing was sent. */
export const DELIVERY_OUTCOMES = [
  ...(['PENDING', 'SENT', 'READ_BEFORE', 'MUTED', 'SWITCHED_OFF', 'QUIET_HOURS', 'PAUSED'] as const),
  ...(['NOT_ENTITLED', 'NOTHING_LEFT', 'STALE', 'FAILED'] as const),
] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** One try to send by one channel, or why there was none. */
export interface DeliveryAttempt {
  readonly channel: DeliveryChannel;
  readonly outcome: DeliveryOutcome;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * What was gathered for one person, and its outcome. It has ids only: names, texts and rights are read when it is
 * sent or shown. Written when it is decided, in one transaction with its sends.
 */
export interface Delivery {
  readonly user: string;
  /** Rises with time. Unique for one user. */
  readonly id: Timestamp;
  /** Several only in a summary. Empty: a test that the person asked for. */
  readonly kinds: readonly DeliveryKind[];
  /** At most ABOUT_MAX. */
  readonly rooms: readonly string[];
  /** The ids of the notifications that it is about: at most NOTIFICATIONS_MAX, the newest first. */
  readonly notifications: readonly string[];
  /** How many notifications there were when it was decided, if they are more than `notifications`. */
  readonly total?: number;
  /** More were gathered than a gathering keeps: there may be more than were counted. */
  readonly isCut?: boolean;
  /** Quiet hours or a pause held back a part of it. An open page alerted no one to that when it happened. */
  readonly wasHeld?: boolean;
  readonly outcome: DeliveryOutcome;
  /** The newest last: at most ATTEMPTS_MAX. */
  readonly attempts: readonly DeliveryAttempt[];
  /** When it was to be decided, in milliseconds since 1970. */
  readonly dueAt: number;
  /** When it was decided. */
  readonly decidedAt: number;
  /** Rises with every change. */
  readonly version: number;
}

export const ABOUT_MAX = 25;
/**
 * So that words name and count everyone: with fifty liked messages an hour, or a room in which everyone mentions
 * someone.
 */
export const NOTIFICATIONS_MAX = 250;
export const ATTEMPTS_MAX = 50;
const KEPT_S = 3 * DAY_S;

export const deliveryItem = (one: Delivery) => ({
  ...keys.delivery(one.user, one.id),
  v: FIRST_SHAPE,
  kinds: one.kinds,
  rooms: one.rooms,
  about: one.notifications,
  outcome: one.outcome,
  attempts: one.attempts,
  dueAt: one.dueAt,
  decidedAt: one.decidedAt,
  ...defined({ total: one.total, cut: one.isCut, held: one.wasHeld }),
  rev: one.version,
  expiresAt: secondsOf(one.decidedAt) + KEPT_S,
});

export const deliveryOf = (user: string, id: Timestamp, item: Item): Delivery => ({
  user,
  id,
  kinds: item.kinds as DeliveryKind[],
  rooms: item.rooms as string[],
  notifications: item.about as string[],
  ...defined({
    total: item.total as number | undefined,
    isCut: item.cut as boolean | undefined,
    wasHeld: item.held as boolean | undefined,
  }),
  outcome: item.outcome as DeliveryOutcome,
  attempts: item.attempts as DeliveryAttempt[],
  dueAt: item.dueAt as number,
  decidedAt: item.decidedAt as number,
  version: item.rev as number,
});

/** A device, an address, or one of the operator's webhooks. */
export interface Endpoint {
  readonly channel: DeliveryChannel;
  readonly id: string;
  /** What it shares its places with: the origin that it is reached at. */
  readonly origin: string;
}

/**
 * The channels by which a person can be reached, apart from digests: their browsers, and what gets this kind of
 * everyone.
 */
export const reachedBy = (reach: {
  /** Whether they have a browser. */
  readonly reachable: boolean;
  readonly isForEveryone: boolean;
}): readonly DeliveryChannel[] => [
  ...(reach.reachable ? (['WEB_PUSH'] as const) : []),
  ...(reach.isForEveryone ? (['WEBHOOK'] as const) : []),
];

/** How what was decided is sent: implemented by the channels. */
export interface Sends {
  /** The kinds for which everyone is reached, e.g. by a webhook: as it was a minute ago at most. Rarely reads. */
  kindsForEveryone(): Promise<ReadonlySet<DeliveryKind>>;
  /** Whether a channel is set up that sends digests. Known at start. */
  readonly sendsDigests: boolean;
  /**
   * The endpoints of the person for any of these kinds, of the channels that they left on for it: those that send
   * digests, or all others. Read strongly, in at most one round trip. At most ENDPOINTS_MAX.
   */
  endpointsOf(
    user: string,
    channelsOf: ReadonlyMap<DeliveryKind, readonly DeliveryChannel[]>,
    choice?: { readonly digests?: boolean },
  ): Promise<readonly Endpoint[]>;
  /**
   * One send per endpoint, each with its own timer: a part of the transaction that decides. At most two writes for each
   * endpoint.
   */
  writesFor(delivery: Delivery, endpoints: readonly Endpoint[]): readonly Write[];
}

export const ENDPOINTS_MAX = 20;

/** What a person reads. */
export interface DeliveryText {
  /** The room's name, or the product's if there are several rooms or the person hides texts. */
  readonly title: string;
  readonly text: string;
  /** Opens it in the web client. */
  readonly url: string;
}

/** What of one kind happened in one room. */
export interface DeliveryPart extends DeliveryText {
  /** Rooms may have the same name. */
  readonly room: string;
}

/** Nothing is delivered before this time. */
export interface Hold {
  readonly until: number;
  readonly outcome: 'PAUSED' | 'QUIET_HOURS';
  /** The milliseconds after `until` over which summaries are spread. */
  readonly spreadMs: number;
}

/** What is left of a delivery. */
export interface DeliveryWords extends DeliveryText {
  readonly handle: string | null;
  /** Empty: a test. */
  readonly kinds: readonly DeliveryKind[];
  /** The rooms that it is about; none if the person hides texts. A direct room has no name. */
  readonly rooms: ReadonlyArray<{ readonly id: string; readonly name: string | null }>;
  /** How many notifications are left of it. Those that it has no id of count as left. */
  readonly count: number;
  readonly language: Language;
  /**
   * Of a digest, what of one kind happened in one room, the newest first: at most ABOUT_MAX. None if texts are hidden.
   */
  readonly parts?: readonly DeliveryPart[];
  /** Whether there may be more than the parts say. */
  readonly isCut?: boolean;
}

/** The current state of a delivery. */
export type Described =
  | {
      readonly words: DeliveryWords;
      /** The number of unread notifications. */
      readonly badge: number;
      /** What holds it back: quiet hours or a pause. Null: it may be sent now. */
      readonly hold: Hold | null;
    }
  /** Nothing is left, and why. */
  | { readonly words: null; readonly reason: DeliveryOutcome };

export interface DescribeChoice {
  /** Default: the person's own. */
  readonly language?: Language;
  /** Leaves out the kinds that the person does not have on for this channel. Default: none. */
  readonly channel?: DeliveryChannel;
  /** Leaves out all others. Default: none. */
  readonly kinds?: readonly DeliveryKind[];
  /** Whether to word the parts as well. */
  readonly parts?: boolean;
  /** Shared by deliveries that are worded together: no item is read twice. Default: everything is read now. */
  readonly items?: ItemLoader;
}

/**
 * Words a delivery by what is true now, without what was read, deleted or muted since, or may not be seen any more.
 * Three round trips; one more each if a mention's room has pending reads, and if people have to be counted.
 */
export type Describe = (delivery: Delivery, choice?: DescribeChoice) => Promise<Described>;

/**
 * Says on the person's badge whether they have a device of their own, as a part of the transaction that
 * adds or removes one. Only for those who have is anything gathered. True while there is none costs a few reads; false
 * while there is one loses deliveries.
 */
export const reachableWrite = (user: string, reachable: boolean): Write =>
  badgeWrite(user, 'reachable', reachable);

/** The same for digests: whether the person wants some, and has an address. */
export const digestWrite = (user: string, digest: boolean): Write => badgeWrite(user, 'digest', digest);

const badgeWrite = (user: string, name: 'reachable' | 'digest', value: boolean): Write => ({
  key: keys.badge(user),
  update: `SET ${name} = :value, rev = if_not_exists(rev, :none), v = :v`,
  values: { ':value': value, ':none': 0, ':v': FIRST_SHAPE },
});
