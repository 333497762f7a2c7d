import { type Clock, systemClock } from '../../core/clock.ts';
import { coalesced } from '../../core/coalesced.ts';
import { defined } from '../../core/defined.ts';
import { StartError } from '../../core/errors.ts';
import { createHealth } from '../../core/health.ts';
import type { OutageLog } from '../../core/log.ts';
import type { Heartbeat } from '../heartbeats.ts';
import type { Moving, TableInUse, TableShape } from '../tableShape.ts';

/** How a process goes on in another table. Each may be called again after it has failed. */
export interface MoveSteps<Opened> {
  /** Opens the other table, without using it. Rejects if this process cannot use it. */
  open(to: Moving): Promise<Opened>;
  close(opened: Opened): Promise<void>;
  /**
   * Resolves when this process has no request to the former table on its way, and sends none; or earlier if that is not
   * wanted any more.
   */
  freeze(isWanted: () => boolean): Promise<void>;
  /** The former table stays in use, while `freeze` may still run: requests go on at once. `resume` follows. */
  letGo(): void;
  /** Goes on in the former table. */
  resume(): Promise<void>;
  /** Goes on in the other table. Rejects with `StartError` if this process has to end. */
  move(opened: Opened): Promise<void>;
}

export interface ParticipantOptions<Opened> {
  readonly steps: MoveSteps<Opened>;
  readonly log: OutageLog;
  readonly clock?: Clock;
  /** Called when the heartbeat says something else. */
  readonly onChange: () => void;
  readonly onFailed: (error: Error) => void;
}

/** What a process does in a switch, by what its looks at `SHAPE` find. */
export interface Participant {
  /**
   * To be called with what each look has found. Returns whether this process may stay although the table is not in use.
   */
  follow(found: TableShape): boolean;
  /** Whether the phase has taken longer than it may: this process has to take the switch back. */
  isOverdue(found: TableShape): boolean;
  /** What the heartbeat says of it. */
  state(): Pick<Heartbeat, 'canMove' | 'takesArns' | 'readyFor' | 'stoppedFor'>;
  /** Resolves when no step runs, and none begins any more. */
  stop(): Promise<void>;
}

/**
 * One process in a switch:
 *
 *   announced ─▶ open ─▶ says that it is ready
 *   frozen    ─▶ freeze ─▶ says that it has stopped ─┬─▶ not in use any more: move
 *                                                    └─▶ taken back: resume
 *
 * It never goes on by its own clock: only by what the table says. Steps run beside the looks, one at a time.
 */
export function createParticipant<Opened>(options: ParticipantOptions<Opened>): Participant {
  const { steps, log, clock = systemClock, onChange, onFailed } = options;
  const health = createHealth({
    log,
    down: 'A step of the switch to another table failed; it is tried again',
    up: 'The switch to another table goes on',
  });
  /** What the last look has found. */
  let found: TableShape | undefined;
  /** When the present version was first seen. */
  let since = clock.now();
  /** The stream of the table that was announced. */
  let announced: string | undefined;
  let opened: { readonly stream: string; readonly it: Opened } | undefined;
  /** A freeze has begun, and the last one is complete. */
  let freezing = false;
  let frozen = false;
  let moved = false;
  let stopped = false;
  let readyFor: number | undefined;
  let stoppedFor: number | undefined;

  const targetOf = (shape: TableShape | undefined): TableInUse | undefined =>
    shape?.moving ?? (shape?.notInUse?.place === undefined ? undefined : shape.notInUse);

  function say(ready: number | undefined, still: number | undefined): void {
    if (ready === readyFor && still === stoppedFor) return;
    [readyFor, stoppedFor] = [ready, still];
    onChange();
  }

  async function step(): Promise<void> {
    const now = found;
    if (stopped || moved || now === undefined) return;
    const to = targetOf(now);
    if (opened !== undefined && opened.stream !== to?.stream) {
      const { it } = opened;
      opened = undefined;
      await steps.close(it);
    }
    if (now.moving !== undefined) {
      opened ??= { stream: now.moving.stream, it: await steps.open(now.moving) };
      if (now.moving.phase === 'frozen') {
        const isWanted = () => found?.version === now.version;
        freezing = true;
        if (!frozen) await steps.freeze(isWanted);
        if (!isWanted()) return step();
        frozen = true;
        return say(undefined, now.version);
      }
    } else if (to !== undefined && frozen && opened !== undefined) {
      await steps.move(opened.it);
      moved = true;
      return;
    }
    // Nothing is sent to a table that is not in use.
    if (now.notInUse !== undefined) return;
    // Announced, taken back, or announced once more.
    frozen = false;
    if (freezing) await steps.resume();
    freezing = false;
    say(now.moving === undefined ? undefined : now.version, undefined);
  }

  const run = coalesced(async () => {
    try {
      await step();
      health.worked();
    } catch (error) {
      if (error instanceof StartError && frozen) return onFailed(error);
      // The next look tries again. A process that does not get ready in time is named by the command.
      health.failed(error);
    }
  });

  return {
    follow(next) {
      if (found?.version !== next.version) since = clock.now();
      found = next;
      if (freezing && !moved && next.notInUse === undefined) steps.letGo();
      const to = targetOf(next);
      if (next.moving?.phase === 'announced') announced = next.moving.stream;
      else if (to === undefined) announced = undefined;
      if (to !== undefined || frozen || opened !== undefined || readyFor !== undefined) void run();
      if (to === undefined || to.stream !== announced) return false;
      // What was decided while this process still used the table has been decided without it.
      return next.moving !== undefined || frozen;
    },
    isOverdue: ({ moving, version }) =>
      moving !== undefined && version === found?.version && clock.now() - since >= moving.withinMs,
    state: () => ({
      canMove: true,
      takesArns: true,
      ...defined({ readyFor, stoppedFor }),
    }),
    async stop() {
      stopped = true;
      await run();
      if (opened !== undefined && !moved) await steps.close(opened.it);
      opened = undefined;
    },
  };
}
