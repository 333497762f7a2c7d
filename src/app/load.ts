import type { Log } from '../core/log.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
import type { Metrics } from '../core/metrics.ts';

type LoadMetrics = Pick<Metrics, 'openSockets' | 'openSubscriptions' | 'messageLagSeconds'>;

/** A message that took longer to its first reader is late. Seconds: a bound of the metric's buckets. */
const LATE_S = 2.5;

/**
 * Logs what a server does now, and how many messages reached their first reader on it since the last line: what alarms
 * are made of where nothing reads `/metrics`.
 */
export function createLoadLog(log: Pick<Log, 'info'>, metrics: LoadMetrics): () => Promise<void> {
  let before = { all: 0, above: 0 };
  return async () => {
    const [sockets, subscriptions] = await Promise.all(
      [metrics.openSockets, metrics.openSubscriptions].map(
        async (gauge) => (await gauge.get()).values[0]?.value ?? 0,
      ),
    );
    const now = await metrics.messageLagSeconds.countAbove(LATE_S);
    const messages = { messages: now.all - before.all, lateMessages: now.above - before.above };
    before = now;
    log.info({ event: LOG_EVENTS.load, sockets, subscriptions, ...messages }, 'Load');
  };
}
