import type { Bus } from '../bus/bus.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import type { DependencyHealth, HealthCheck } from '../server/http/health.ts';
import type { Consumer } from '../stream/consumer.ts';
import type { TimerHost } from '../timers/host.ts';

export interface HealthOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  /** Present if this process reads the stream. The consumer may be another one later. */
  readonly reading?:
    | { readonly consumer: Pick<Consumer, 'state'>; readonly timers: Pick<TimerHost, 'state'> }
    | undefined;
}

/** The current state of everything that the process needs. */
export function createHealthChecks({ dynamo, bus, reading }: HealthOptions): HealthCheck {
  return async () => ({
    dynamodb: await check(() => dynamo.get(keys.user('health'))),
    // Sending and reading work without these two. Badges and events catch up when they are back.
    bus: {
      required: false,
      ok: bus.up,
      detail: bus.up ? 'carrying' : 'down; badges catch up when it is back',
    },
    ...(reading === undefined
      ? {}
      : { consumer: consumerState(reading.consumer), timers: timersState(reading.timers) }),
  });
}

function consumerState(consumer: Pick<Consumer, 'state'>): DependencyHealth {
  const { running, reachable, shards, lagMs, deadLetters } = consumer.state();
  const detail = [
    count(shards.length, 'shard'),
    `${lagMs} ms behind`,
    count(deadLetters, 'dead letter'),
  ].join(', ');
  return { required: false, ok: running && reachable, detail };
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function timersState(timers: Pick<TimerHost, 'state'>): DependencyHealth {
  const { active, reachable, clockIsRight, overdueMs } = timers.state();
  const detail = !clockIsRight
    ? 'the clock of this machine is wrong'
    : active
      ? `${overdueMs} ms behind`
      : 'handled by another process';
  return { required: false, ok: reachable && clockIsRight, detail };
}

async function check(ask: () => Promise<unknown>): Promise<DependencyHealth> {
  try {
    await ask();
    return { ok: true };
  } catch {
    return { ok: false, detail: 'does not respond' };
  }
}
