import { microsOf, type Timestamp } from '../core/timestamps.ts';

/** A time stamp as the API tells it: to the millisecond. */
export const dateOf = (stamp: Timestamp): Date => new Date(Math.floor(microsOf(stamp) / 1000));
