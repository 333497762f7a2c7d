import { createDerivations } from '../../../src/app/features.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { createPublisher } from '../../../src/bus/publisher.ts';
import type { RateLimits } from '../../../src/core/rateLimits.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { SCHEDULED_TIMER } from '../../../src/scheduled/scheduledMessage.ts';
import { createTimerRunner } from '../../../src/timers/runner.ts';
import type { Timer, TimerKind } from '../../../src/timers/timer.ts';
import { silent } from '../../stream/support/stream.ts';
import type { Person } from '../../support/clients/people.ts';
import { openTestDynamo } from '../../support/database/dynamo.ts';
import { startTestApp } from '../../support/servers/app.ts';
import { createTestClock } from '../../support/time/clock.ts';
import { openTimers } from '../../timers/support/timers.ts';
import { Schedule, ScheduledMessages, SentTo } from './operations.ts';

export interface SchedulingOptions {
  /** Default: scheduled messages. */
  readonly timerKind?: string;
  /** Default: nothing is limited. */
  readonly rates?: RateLimits;
}

/** A server whose clock the test moves. Timers of one kind are handled, only when the test asks for it. */
export async function openScheduling({ timerKind = SCHEDULED_TIMER, rates = {} }: SchedulingOptions = {}) {
  const database = await openTestDynamo({ file: true });
  const clock = createTestClock();
  const start = Date.now();
  const now = () => start + clock.now();
  const app = await startTestApp({ database, role: 'api', now, config: { rateLimits: rates } });
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  async function stop(): Promise<void> {
    await publisher.stop();
    await bus.close();
    await app.stop();
    await database.stop();
  }

  /** The kind of another process, which reads and writes through `dynamo`. */
  function kindOn(dynamo: Dynamo): TimerKind {
    const { timerKinds } = createDerivations({ dynamo, publisher, retention: 3_600, now, rateLimits: rates });
    const kind = timerKinds.find(({ name }) => name === timerKind);
    if (kind === undefined) throw new Error('There is no such kind of timers.');
    return kind;
  }

  const timers = async (): Promise<Timer[]> =>
    (await openTimers(app.dynamo)).filter(({ kind }) => kind === timerKind);

  /** Handles a timer as a process would that reads and writes through `dynamo`, and deletes it. */
  async function handle(timer: Timer, dynamo: Dynamo = app.dynamo): Promise<void> {
    await kindOn(dynamo).handle(timer);
    await dynamo.remove(keys.timer(timer.due, timer.id));
  }

  /** Moves the clock, then handles what is due by the product's own runner, once. */
  async function pass(seconds: number, dynamo: Dynamo = app.dynamo): Promise<void> {
    clock.advance(seconds * 1_000);
    const due = (await timers()).filter((timer) => timer.due <= now());
    let ended = 0;
    let resolve = () => {};
    const all = new Promise<void>((done) => {
      resolve = done;
    });
    const runner = createTimerRunner({
      dynamo: app.dynamo,
      log: silent,
      now,
      clock,
      kinds: [kindOn(dynamo)],
      onOutcome: () => ++ended === due.length && resolve(),
    });
    await runner.look();
    if (due.length > 0) await all;
    await runner.pause();
  }

  return { app, database, clock, now, kindOn, timers, handle, pass, stop };
}

export type Scheduling = Awaited<ReturnType<typeof openScheduling>>;

export interface NewSchedule {
  readonly roomId: string;
  readonly body?: string;
  readonly replyTo?: string;
  readonly idempotencyKey?: string;
  /** How far ahead it is. Default: 60. */
  readonly seconds?: number;
}

/** What people do with scheduled messages, in a room that the test creates. */
export const scheduling = ({ now }: Pick<Scheduling, 'now'>) => {
  /** This many seconds ahead. */
  const at = (seconds: number): string => new Date(now() + seconds * 1_000).toISOString();

  const inputOf = ({ seconds = 60, body = 'Later', ...rest }: NewSchedule) => ({
    input: { ...rest, body, sendAt: at(seconds) },
  });

  return {
    at,
    inputOf,
    schedule: async (person: Person, input: NewSchedule) =>
      (await person.do(Schedule, inputOf(input))).scheduleMessage.scheduledMessage,
    listOf: async (person: Person) =>
      (await person.do(ScheduledMessages, {})).viewer.scheduledMessages.edges.map(({ node }) => node),
    sentTo: async (person: Person, roomId: string) =>
      ((await person.do(SentTo, { roomId })).room?.messages.edges ?? []).map(({ node }) => node),
  };
};
