import { microsOf, type Stamp } from '../dynamo/keys.ts';

/** A time stamp as the API tells it: to the millisecond. */
export const dateOf = (stamp: Stamp): Date => new Date(Math.floor(microsOf(stamp) / 1000));
