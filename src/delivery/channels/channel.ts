import type { DeliveryKind } from '../../core/deliveryKinds.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import type { Write } from '../../dynamo/write.ts';
import type { DeliveryChannel, DeliveryText, DeliveryWords } from '../delivery.ts';

/** What is sent to one endpoint about one delivery. */
export interface Message
  extends DeliveryText,
    Pick<DeliveryWords, 'handle' | 'rooms' | 'language' | 'parts' | 'isCut'> {
  /** The delivery's id, or one for all of them: the same on each attempt. */
  readonly id: string;
  readonly user: string;
  /** The ids of the deliveries that it is about: several only if they are sent as one message. */
  readonly deliveries: readonly string[];
  /** The kinds that are left of it, of those that the person has on for this channel and the endpoint gets. */
  readonly kinds: readonly DeliveryKind[];
  /** What replaces an earlier one that was not shown yet: at most 32 characters of base64url. */
  readonly topic: string;
  /** Whether a device that saves power should wake up for it. */
  readonly isUrgent: boolean;
  /** Whether it has something that happened in quiet hours or a pause, to which an open page alerted no one. */
  readonly wasHeld: boolean;
  /** The number of unread notifications, for the app's icon. */
  readonly badge: number;
  /** For how many seconds from now it is worth showing. */
  readonly ttlSeconds: number;
}

/** What one request sends: several messages only if the channel sends batches. */
export interface Batch {
  /** The same on each attempt: at most 43 characters of base64url. */
  readonly id: string;
  readonly messages: readonly Message[];
}

/**
 * `gone`: the endpoint does not exist any more, and the channel has removed it. `refused`: trying again would not help.
 * `retry`: after a pause, which the receiver may have asked for.
 */
export type SendResult =
  | { readonly outcome: 'sent' | 'gone' | 'refused' }
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly timedOut?: boolean };

/** When an endpoint may be sent to next. */
export interface Turn {
  /** Milliseconds since 1970. In the past: now. */
  readonly at: number;
  /** `at`: now. */
  take(at: number): TakenTurn;
}

export interface TakenTurn {
  /** A part of the transaction that claims the attempt. It fails if another attempt has taken a turn since. */
  readonly write: Write;
  /** The receiver did not accept it. Nothing is lost if this is not called: the next turn is later. */
  giveBack(): Promise<void>;
}

/** A limit of a channel: what waits for a turn of its endpoint is sent as one message, at most `max` deliveries. */
export interface Turns {
  readonly max: number;
  /** The least time between two. */
  readonly apartMs: number;
  /** One read. */
  next(endpointId: string): Promise<Turn>;
}

/** One way to reach people outside the page, with the endpoints that each person has. */
export interface Channel<Endpoint extends ChannelEndpoint = ChannelEndpoint> {
  readonly name: DeliveryChannel;
  /** As `Sends.kindsForEveryone`. Absent: only people who have an endpoint of their own are reached. */
  readonly kindsForEveryone?: () => Promise<ReadonlySet<DeliveryKind>>;
  /** What an endpoint gets, as far as the operator decides it. Absent, or undefined: all kinds. Known at start. */
  readonly kindsOf?: (endpointId: string) => readonly DeliveryKind[] | undefined;
  /** Whether it sends digests, and nothing else. They have their parts: see `DeliveryWords`. */
  readonly sendsDigests?: true;
  /** Whether no other endpoint of this channel shares an origin, or all that do belong to one receiver. */
  readonly ownsOrigin?: true;
  /** How long a send may take. Default: `TIMEOUT_MS`. */
  readonly timeoutMs?: number;
  /** Absent: a request for each message. */
  readonly batches?: {
    /** The most messages of one request: at most BATCH_MAX. */
    readonly max: number;
    /** What was decided within this time is sent together. */
    readonly everyMs: number;
  };
  /** Absent: each delivery is sent at once, on its own. */
  readonly turns?: Turns;
  /**
   * Reads the endpoints of a person for any of these kinds in at most one round trip. `items` is shared by those that
   * are asked for together: what they have in common is read once.
   */
  endpointsOf(
    user: string,
    kinds: ReadonlySet<DeliveryKind>,
    items?: ItemLoader,
  ): Promise<readonly Endpoint[]>;
  /** Sends to one endpoint, within `timeoutMs`. Never rejects because of the receiver. */
  send(batch: Batch, endpoint: Endpoint): Promise<SendResult>;
  /** Called after it was recorded that something was sent. Nothing is lost if it is not called. */
  sent?(endpoint: Endpoint): Promise<void>;
}

/** An endpoint as its channel knows it. */
export interface ChannelEndpoint {
  readonly id: string;
  /** What it shares its places and its circuit breaker with: an origin. */
  readonly origin: string;
}

/** How long a receiver may take for its whole response. */
export const TIMEOUT_MS = 10_000;

/** A batch begins and ends in one transaction, which has at most 100 writes. */
export const BATCH_MAX = 50;
