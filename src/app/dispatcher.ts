import type { Publisher } from '../bus/publisher.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createDeadLetters } from '../stream/deadLetters.ts';
import { createDispatcher, type Dispatcher } from '../stream/dispatcher.ts';
import { createStreamHandlers } from './services.ts';

export interface DispatchingOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'notificationRetention'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The dispatcher with everything that the features derive: the same wherever the stream is read. */
export function createDispatching(options: DispatchingOptions): Dispatcher {
  const { dynamo, publisher, log, metrics, config, now } = options;
  const { notificationRetention: retention } = config;
  const setAside = createDeadLetters({ dynamo, now });
  return createDispatcher({
    handlers: createStreamHandlers({
      ...{ dynamo, publisher, retention, now },
      onNotification: (kind) => metrics.notifications.inc({ kind }),
    }),
    log,
    setAside: async (change, handler, error) => {
      await setAside(change, handler, error);
      metrics.streamRecords.inc({ outcome: 'set_aside' });
    },
    onHandled: (_handler, changes) => metrics.streamRecords.inc({ outcome: 'handled' }, changes),
  });
}
