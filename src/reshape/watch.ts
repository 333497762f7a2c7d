import { hostname } from 'node:os';
import { type Clock, systemClock } from '../core/clock.ts';
import { coalesced } from '../core/coalesced.ts';
import { StartError, unavailable } from '../core/errors.ts';
import { every } from '../core/every.ts';
import { createHealth } from '../core/health.ts';
import { newId } from '../core/ids.ts';
import type { OutageLog } from '../core/log.ts';
import { createMoments, NEVER } from '../core/moments.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { KNOWN_SHAPES } from '../dynamo/shapes.ts';
import { changeUse } from './carry/marks.ts';
import { HEARTBEAT_EVERY_MS, heartbeatItem } from './heartbeats.ts';
import type { Participant } from './switch/participant.ts';
import { MOVING_LOOK_MS, waitForSwitch } from './switch/waitForSwitch.ts';
import { assertInUse, assertKnown, readTableShape, type TableShape } from './tableShape.ts';

export interface ShapeWatchOptions {
  /** With a metering of its own, because it works all the time. */
  readonly dynamo: Pick<Dynamo, 'get' | 'put' | 'remove' | 'tryTransact'>;
  /** What the process does if servers go on in another table. `look`: looks now. Absent: it ends. */
  readonly participate?: (look: () => void) => Participant;
  /** What the process does, for people. Default: nothing is said of it. */
  readonly role?: string;
  /** The port that it listens at. Absent: none, or it is not known yet. */
  readonly port?: number;
  /** The process works only when it is called. Default: no. */
  readonly rests?: boolean;
  readonly log: OutageLog;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly clock?: Clock;
  /** From one look to the next, in milliseconds. */
  readonly everyMs?: number;
  /** How old the last look may be before `confirm` looks again, in milliseconds. Default: 30 s. */
  readonly believedMs?: number;
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
   * Says that this process is there, looks, and looks again once a second from then on. Rejects with `StartError` if
   * the shape is one that it does not know, if another table is in use, and if the table cannot be read: nothing may be
   * written then. Waits for a switch that is under way, at most as long as that may take (10 s).
   */
  start(): Promise<void>;
  /**
   * One look, for a host that works from time to time, unless the last one was less than a second ago. Rejects as
   * `start`.
   */
  look(): Promise<void>;
  /**
   * Whether what the table said may be used. Undefined: yes, because the last look is young enough that no other table
   * can be in use. Otherwise it is as old as after a suspension: resolves after another look that finds the table in
   * use. Rejects with `UNAVAILABLE` if it is not, or cannot be read.
   */
  confirm(): Promise<void> | undefined;
  /** Also says that this process is gone. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/**
 * Another table is put in use only if no process has a heartbeat, and a heartbeat is valid for at least 50 s after each
 * look. The rest is for clocks that differ.
 */
const BELIEVED_MS = 30_000;
const NOTHING_SAID = { at: NEVER, what: '' };

/**
 * Polls the table, as the list of revoked tokens is polled, and for the same reason: one read unit a second, however
 * many requests there are. The process first says that it is there and looks then. So a command that changes the shape
 * either sees it, or it sees the change.
 */
export function createShapeWatch(options: ShapeWatchOptions): ShapeWatch {
  const { dynamo, log, now = Date.now, clock = systemClock, everyMs = LOOK_EVERY_MS } = options;
  const { known = KNOWN_SHAPES, believedMs = BELIEVED_MS, onUnknown } = options;
  const server = newId();
  const port = options.port === undefined || options.port === 0 ? undefined : `port ${options.port}`;
  const about = {
    host: hostname(),
    process: [options.role, `pid ${process.pid}`, port].filter((part) => part !== undefined).join(', '),
  };
  const health = createHealth({
    log,
    down: 'The shape of the table cannot be read. The last one that was read is written',
    up: 'The shape of the table can be read again',
  });
  let shape: TableShape | undefined;
  const moments = createMoments(now, clock);
  let lookedAt = NEVER;
  /** When the last look that found the table in use began. */
  let beganAt = NEVER;
  /** When this process last said that it is there, and which version it followed then. */
  let said = NOTHING_SAID;
  let stopLooking = async () => {};
  let stopLookingOften: (() => Promise<void>) | undefined;
  let stopped = false;
  const participant = options.participate?.(() => void lookAgain().catch(health.failed));

  async function say(follows: number): Promise<void> {
    const state = { follows, ...(options.rests === true ? { rests: true } : {}), ...participant?.state() };
    const what = JSON.stringify(state);
    if (what === said.what && moments.age(said.at) < HEARTBEAT_EVERY_MS) return;
    const at = moments.now();
    await dynamo.put(heartbeatItem({ server, ...about, knows: known, ...state }, at.wall));
    said = { at, what };
  }

  function lookOften(often: boolean): void {
    if (often && !stopped) stopLookingOften ??= every(MOVING_LOOK_MS, lookAgain, { clock, health });
    if (often) return;
    // Not awaited: this is one of its looks.
    void stopLookingOften?.();
    stopLookingOften = undefined;
  }

  /**
   * Resolves to false, having done nothing, if servers have no table at this moment, and this process has not begun
   * yet.
   */
  async function lookNow({ starts = false } = {}): Promise<boolean> {
    const began = moments.now();
    await say(shape?.version ?? 0);
    const found = await readTableShape(dynamo);
    if (starts && found.moving?.phase === 'frozen') return false;
    assertKnown(found, { known });
    const mayStay = participant?.follow(found) === true;
    lookOften(participant !== undefined && (mayStay || found.moving !== undefined));
    if (!mayStay) assertInUse(found);
    shape = found;
    lookedAt = moments.now();
    if (found.notInUse === undefined) beganAt = began;
    await say(found.version);
    if (participant?.isOverdue(found) === true) await changeUse(dynamo, {}, found.version);
    return true;
  }

  /** Says that this process is gone. It expires by itself if the table cannot be reached. */
  async function leave(): Promise<void> {
    // Another start says so again.
    said = NOTHING_SAID;
    await dynamo.remove(keys.heartbeat(server)).catch(() => {});
  }

  const lookAgain = coalesced(async () => {
    // Its heartbeat would stay.
    if (stopped) return;
    try {
      await lookNow();
    } catch (error) {
      if (error instanceof StartError) onUnknown?.(error);
      throw error;
    }
  });

  const isBelieved = () => !stopped && moments.age(beganAt) < believedMs;

  /** A request only says to try again: this process ends, or the outage is in the log. */
  async function lookFirst(): Promise<void> {
    await lookAgain().catch((error: unknown) => {
      throw unavailable(error);
    });
    // It may stay, but only because it is to go on in another table: what it did in this one may not be there.
    if (!isBelieved()) throw unavailable();
  }

  return {
    inForce() {
      if (shape === undefined) throw new Error('The shape of the table was not read yet.');
      return shape.inForce;
    },
    async start() {
      stopped = false;
      // It has written nothing yet, so no command needs to wait for it.
      for (let begun = false; !begun; ) {
        await waitForSwitch({ dynamo, clock });
        begun = await lookNow({ starts: true });
        if (!begun) await leave();
      }
      log.info({ server, ...about }, 'Commands that change the table call this process by this name');
      stopLooking = every(everyMs, lookAgain, { clock, health });
    },
    async look() {
      if (moments.age(lookedAt) >= LOOK_EVERY_MS) await lookNow();
    },
    confirm() {
      return isBelieved() ? undefined : lookFirst();
    },
    async stop() {
      stopped = true;
      await participant?.stop();
      await Promise.all([stopLooking(), stopLookingOften?.()]);
      // One that a request or a step has begun may be about to say something.
      await lookAgain().catch(() => {});
      await leave();
    },
  };
}
