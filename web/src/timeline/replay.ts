import type { RoomEventsSubscription } from '../generated/graphql.ts';
import type { SharedMessage } from './message.ts';

/** About one screen of messages: up to this many, the reader finds the first one without help. */
export const FEW = 10;

export type MessageEvent = Extract<RoomEventsSubscription['roomEvents'], { readonly message: unknown }>;

/**
 * The events that the server replays after a reconnection, until the subscription is live again. They are collected
 * and shown all at once, because no one can read messages that scroll past.
 */
export interface Replay {
  /** Starts collecting. Returns the events of an earlier replay that was cut off. */
  begin(): readonly MessageEvent[];
  /** Returns false if no replay is running. */
  collect(event: MessageEvent): boolean;
  end(): readonly MessageEvent[];
}

export function createReplay(): Replay {
  let collected: MessageEvent[] | undefined;
  return {
    begin() {
      const before = collected ?? [];
      collected = [];
      return before;
    },
    collect(event) {
      collected?.push(event);
      return collected !== undefined;
    },
    end() {
      const all = collected ?? [];
      collected = undefined;
      return all;
    },
  };
}

/** The first thread root by another author, if there are more of them than fit on a screen. */
export function firstOfMany(events: readonly MessageEvent[], viewerId: string): SharedMessage | undefined {
  const missed = events.flatMap(({ __typename, message }) =>
    __typename === 'MessageAdded' && message.root === null && message.author.id !== viewerId ? [message] : [],
  );
  return missed.length > FEW ? missed[0] : undefined;
}
