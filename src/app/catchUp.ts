import type { Bus } from '../bus/bus.ts';
import { createMemoryBus } from '../bus/memory.ts';
import { createPublisher } from '../bus/publisher.ts';
import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import type { Log } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';
import { createChannels } from '../delivery/channels/channels.ts';
import type { Timeouts } from '../dynamo/client.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import type { StreamRecord } from '../dynamo/transport/streams.ts';
import { createSentinelWatch } from '../reshape/carry/sentinels.ts';
import { readTableShape } from '../reshape/tableShape.ts';
import type { Change } from '../stream/change.ts';
import { createConsumer } from '../stream/consumer.ts';
import type { Dispatcher } from '../stream/dispatcher.ts';
import { createLeases, leaseOwner } from '../stream/leases.ts';
import { awsPacing, emulatorPacing } from '../stream/reader.ts';
import { changeOfRecord, keyOfRecord, streamLabel } from '../stream/records.ts';
import type { Database } from './database.ts';
import { createRebuild } from './rebuild.ts';
import { createCoreGroup } from './stream.ts';

export interface CatchUpOptions {
  readonly config: Config;
  readonly database: Pick<Database, 'transport' | 'table' | 'streams' | 'streamArn'>;
  /** Default: those of a server. */
  readonly timeouts?: Timeouts;
  readonly log: Log;
  /** What is derived is published on it. Default: no server listens any more. */
  readonly bus?: Bus | undefined;
  /** See `SentinelWatchOptions`. */
  readonly lookMs?: number | undefined;
}

/**
 * Handles what the consumers of a table's servers have left in its stream, and what that causes: as a worker that runs
 * no timers. For a table that no process uses any more. Resolves when nothing is left, or after the signal is aborted.
 */
export async function catchUp(
  { config, database, log, timeouts, bus: given, lookMs }: CatchUpOptions,
  signal: AbortSignal,
): Promise<void> {
  const { streams, streamArn, transport, table } = database;
  const stored = { transport, table, ...defined({ timeouts }) };
  const { inForce } = await readTableShape(createDynamo(stored));
  let writes = 0;
  const onWrite = () => {
    writes++;
  };
  const dynamo = createDynamo({ ...stored, shape: () => inForce, onWrite });
  const bus = given ?? createMemoryBus({ log });
  const publisher = createPublisher({ bus, log });
  const now = Date.now;
  const { dispatcher, ...derivations } = createCoreGroup({
    config,
    dynamo,
    publisher,
    log,
    now,
    metrics: createMetrics(),
    channels: createChannels({ ...config, log, now }),
  });
  const sentinels = createSentinelWatch({
    // Its writes do not count.
    side: { dynamo: createDynamo(stored), streams, streamArn },
    leases: createLeases({ dynamo, stream: streamLabel(streamArn), owner: leaseOwner() }),
    onWrite: () => consumer.wake(),
    lookMs,
  });
  const counted: Dispatcher = {
    async dispatch(changes, stop) {
      await dispatcher.dispatch(
        changes.filter((change) => !isSentinel(change)),
        stop,
      );
      sentinels.handled(changes);
    },
    get deadLetterCount() {
      return dispatcher.deadLetterCount;
    },
  };
  const consumer = createConsumer({
    streams,
    streamArn,
    dynamo,
    log,
    dispatcher: counted,
    pacing: config.dynamodb.kind === 'aws' ? awsPacing : emulatorPacing,
    // So it need not wait for the leases of a server that was killed.
    alone: true,
    reading: { changeOf: changeOrSentinel },
    onTrimmed: createRebuild({ dynamo, derivations, publisher, log }),
  });
  await consumer.start();
  try {
    // What handlers write is to be handled, too, and may be behind a sentinel that was shown already. Changes that lead
    // to no write may go on forever: DynamoDB deletes what has expired.
    do {
      writes = 0;
      await sentinels.passed(signal);
    } while (writes > 0 && !signal.aborted);
  } finally {
    await consumer.stop();
    await publisher.stop();
    if (given === undefined) await bus.close();
  }
}

const isSentinel = ({ key }: Change) => key.type === 'sentinel';

/** What handlers need, and the sentinels, which they do not. */
function changeOrSentinel(record: StreamRecord, stream: string, shard: string): Change | undefined {
  const change = changeOfRecord(record, stream, shard);
  if (change !== undefined) return change;
  const other = keyOfRecord(record, stream, shard);
  return other !== undefined && isSentinel(other) ? other : undefined;
}
