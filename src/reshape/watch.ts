import { hostname } from 'node:os';
import { type Clock, systemClock } from '../core/clock.ts';
import { StartError } from '../core/errors.ts';
import { every } from '../core/every.ts';
import { createHealth } from '../core/health.ts';
import { newId } from '../core/ids.ts';
import type { OutageLog } from '../core/log.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { KNOWN_SHAPES } from '../dynamo/shapes.ts';
import { HEARTBEAT_EVERY_MS, heartbeatItem } from './heartbeats.ts';
import { assertInUse, assertKnown, readTableShape, type TableShape } from './tableShape.ts';

export interface ShapeWatchOptions {
  /** With a metering of its own, because it works all the time. */
  readonly dynamo: Pick<Dynamo, 'get' | 'put' | 'remove'>;
  readonly log: OutageLog;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly clock?: Clock;
  /** From one look to the next, in milliseconds. */
  readonly everyMs?: number;
  /** The shapes that this process knows. Default: those of this release. */
  readonly known?: readonly number[];
  /** Called if the shape in force is one that this process does not know, or another table is in use: it must end. */
  readonly onUnknown?: (error: Error) => void;
}

/** One process' knowledge of the shape in force, at most a second old. */
export interface ShapeWatch {
  /** The shape to write. To be called after `start` or `look`. */
  inForce(): number;
  /**
   * Says that this process is there, looks, and looks again once a second from then on. Rejects with `StartError` if the shape
   * is one that it does not know, if another table is in use, and if the table cannot be read: nothing may be written then.
   */
  start(): Promise<void>;
  /** One look, for a host that works from time to time, unless the last one was less than a second ago. Rejects as `start`. */
  look(): Promise<void>;
  /** Also says that this process is gone. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const NOTHING_SAID = { at: Number.NEGATIVE_INFINITY, follows: -1 };

/**
 * Polls the table, as the list of revoked tokens is polled, and for the same reason: one read unit a second, however many
 * requests there are. The process first says that it is there and looks then. So a command that changes the
 * shape either sees it, or it sees the change.
 */
export function createShapeWatch(options: ShapeWatchOptions): ShapeWatch {
  const { dynamo, log, now = Date.now, clock = systemClock, everyMs = LOOK_EVERY_MS } = options;
  const { known = KNOWN_SHAPES, onUnknown } = options;
  const server = newId();
  const health = createHealth({
    log,
    down: 'The shape of the table cannot be read. The last one that was read is written',
    up: 'The shape of the table can be read again',
  });
  let shape: TableShape | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** When this process last said that it is there, and which version it followed then. */
  let said = NOTHING_SAID;
  let stopLooking = async () => {};

  async function say(follows: number): Promise<void> {
    if (follows === said.follows && now() < said.at + HEARTBEAT_EVERY_MS) return;
    const at = now();
    await dynamo.put(heartbeatItem({ server, host: hostname(), knows: known, follows }, at));
    said = { at, follows };
  }

  async function lookNow(): Promise<void> {
    await say(shape?.version ?? 0);
    const found = await readTableShape(dynamo);
    assertKnown(found, { known });
    assertInUse(found);
    shape = found;
    lookedAt = now();
    await say(found.version);
  }

  async function lookAgain(): Promise<void> {
    try {
      await lookNow();
    } catch (error) {
      if (error instanceof StartError) onUnknown?.(error);
      throw error;
    }
  }

  return {
    inForce() {
      if (shape === undefined) throw new Error('The shape of the table was not read yet.');
      return shape.inForce;
    },
    async start() {
      await lookNow();
      stopLooking = every(everyMs, lookAgain, { clock, health });
    },
    async look() {
      if (now() >= lookedAt + LOOK_EVERY_MS) await lookNow();
    },
    async stop() {
      await stopLooking();
      // Another start says so again.
      said = NOTHING_SAID;
      // It expires by itself if the table cannot be reached.
      await dynamo.remove(keys.heartbeat(server)).catch(() => {});
    },
  };
}
