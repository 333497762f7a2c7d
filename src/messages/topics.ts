import type { Timestamp } from '../core/timestamps.ts';

/**
 * Published on the author's channel (`userTopic`) when they post the thread root `threadTs`. The server that took the
 * request publishes it, because the stream may deliver the room's change before the membership's.
 */
export type RootPostedEvent = {
  readonly type: 'posted';
  readonly room: string;
  readonly threadTs: Timestamp;
};
