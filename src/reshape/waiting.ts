import type { Heartbeat } from './heartbeats.ts';
import type { ShapeChange } from './tableShape.ts';

/** After this time, no step of an earlier change is running. */
const SETTLED_MS = 10_000;

/** Why a pass that began now could not be the last one: something may still write the shape before. */
export interface Waiting {
  /** Servers that do not follow the change yet. A killed one is among them until it has been silent for a minute. */
  readonly servers: readonly Heartbeat[];
  /** When it ends at the latest if these servers are gone (milliseconds since 1970). */
  readonly until: number;
}

export interface WaitingOptions {
  /** The version of the item `SHAPE` that servers have to follow. */
  readonly version: number;
  readonly change: Pick<ShapeChange, 'since'>;
  /** All servers that are there. */
  readonly servers: readonly Heartbeat[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Undefined: nothing writes the shape before any more. */
export function waitingOf({ version, change, servers, now }: WaitingOptions): Waiting | undefined {
  const late = servers.filter(({ follows }) => follows < version);
  const settledAt = change.since + SETTLED_MS;
  if (late.length === 0 && now >= settledAt) return undefined;
  return {
    servers: late,
    until: Math.max(settledAt, ...late.map(({ silentAt = 0 }) => silentAt * 1_000)),
  };
}
