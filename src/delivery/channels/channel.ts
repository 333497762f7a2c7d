import type { DeliveryChannel, DeliveryText } from '../delivery.ts';

/** What is sent to one endpoint. */
export interface Message extends DeliveryText {
  /** The delivery's id: the same on each attempt. */
  readonly id: string;
  /** What replaces an earlier one that was not shown yet: at most 32 characters of base64url. */
  readonly topic: string;
  /** Whether a device that saves power should wake up for it. */
  readonly isUrgent: boolean;
  /** The number of unread notifications, for the app's icon. */
  readonly badge: number;
  /** For how many seconds from now it is worth showing. */
  readonly ttlSeconds: number;
}

/**
 * `gone`: the endpoint does not exist any more, and the channel has removed it. `refused`: trying again would not help. `retry`:
 * after a pause, which the receiver may have asked for.
 */
export type SendResult =
  | { readonly outcome: 'sent' | 'gone' | 'refused' }
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly timedOut?: boolean };

/** One way to reach people outside the page, with the endpoints that each person has. */
export interface Channel<Endpoint extends ChannelEndpoint = ChannelEndpoint> {
  readonly name: DeliveryChannel;
  /** Reads the endpoints of a person in at most one round trip. */
  endpointsOf(user: string): Promise<readonly Endpoint[]>;
  /** Sends to one endpoint, within `TIMEOUT_MS`. Never rejects because of the receiver. */
  send(message: Message, endpoint: Endpoint): Promise<SendResult>;
}

/** An endpoint as its channel knows it. */
export interface ChannelEndpoint {
  readonly id: string;
  /** What it shares its places and its circuit breaker with: an origin. */
  readonly origin: string;
}

/** How long a receiver may take for its whole response. */
export const TIMEOUT_MS = 10_000;
