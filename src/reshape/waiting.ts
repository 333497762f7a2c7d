import { defined } from '../core/defined.ts';
import type { Heartbeat } from './heartbeats.ts';
import type { ShapeChange } from './tableShape.ts';

/**
 * After this time, no step of an earlier change is running, and no call in the shape before is being tried again: a
 * server takes the shape before the call.
 */
const SETTLED_MS = 10_000;

/** Why a pass that began now could not be the last one: something may still write the shape before. */
export interface Waiting {
  /** Servers that do not follow the change yet. A killed one is among them until it has been silent for a minute. */
  readonly servers: readonly Heartbeat[];
  /**
   * When it ends at the latest if these servers are gone (milliseconds since 1970). Absent: the job has not seen yet
   * that all servers follow.
   */
  readonly until?: number;
}

export interface ServersSeen {
  /** The version of the item `SHAPE` that servers have to follow. */
  readonly version: number;
  /** All servers that are there. */
  readonly servers: readonly Heartbeat[];
}

export interface WaitingOptions extends ServersSeen {
  readonly change: Pick<ShapeChange, 'since'>;
  /** Since when the job has seen no server that does not follow: milliseconds since 1970. */
  readonly followedAt: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const lateOf = ({ version, servers }: ServersSeen): Heartbeat[] =>
  servers.filter(({ follows }) => follows < version);

/**
 * Since when all servers follow, as far as the job has seen. Undefined: one does not. `before`: what it was at the
 * job's last look; `now`: a time after `servers` were read.
 */
export const followedSince = (
  seen: ServersSeen,
  before: number | undefined,
  now: number,
): number | undefined => (lateOf(seen).length > 0 ? undefined : (before ?? now));

/** Undefined: nothing writes the shape before any more. */
export function waitingOf({ change, followedAt, now, ...seen }: WaitingOptions): Waiting | undefined {
  const late = lateOf(seen);
  if (late.length > 0) {
    const goneAt = Math.max(...late.map(({ silentAt = 0 }) => silentAt * 1_000));
    return { servers: late, until: Math.max(change.since, goneAt) + SETTLED_MS };
  }
  const until = followedAt === undefined ? undefined : Math.max(change.since, followedAt) + SETTLED_MS;
  return until !== undefined && now >= until ? undefined : { servers: [], ...defined({ until }) };
}
