import type { RoomEventsSubscription } from '../generated/graphql.ts';
import type { Message } from './message.ts';

/** So many are on about one screen: nobody needs help to get to the first of them. */
export const FEW = 10;

export type MessageEvent = Extract<RoomEventsSubscription['roomEvents'], { readonly message: unknown }>;

/**
 * What is told one by one after a connection was away, until it is live again. It is kept and shown at once: what
 * runs through the screen has been seen by nobody.
 */
export interface Replay {
  /** Returns what was told before a connection was lost again. */
  begin(): readonly MessageEvent[];
  /** False where there is none under way. */
  keep(event: MessageEvent): boolean;
  end(): readonly MessageEvent[];
}

export function createReplay(): Replay {
  let kept: MessageEvent[] | undefined;
  const taken = () => kept ?? [];
  return {
    begin() {
      const before = taken();
      kept = [];
      return before;
    },
    keep(event) {
      kept?.push(event);
      return kept !== undefined;
    },
    end() {
      const all = taken();
      kept = undefined;
      return all;
    },
  };
}

/** The first thread root that others have written, where there are more of them than fit on a screen. */
export function firstOfMany(events: readonly MessageEvent[], viewerId: string): Message | undefined {
  const missed = events.flatMap(({ __typename, message }) =>
    __typename === 'MessageAdded' && message.root === null && message.author.id !== viewerId ? [message] : [],
  );
  return missed.length > FEW ? missed[0] : undefined;
}
