import type { Publisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { type Findings, rebuild } from '../rebuild/rebuild.ts';
import type { Derivations } from './features.ts';

export interface CreateRebuildOptions {
  readonly dynamo: Dynamo;
  /** Those of the process, if it has handlers. */
  readonly derivations: Pick<Derivations, 'createVisitors'>;
  readonly publisher: Publisher;
  readonly log: Log;
  /** Called with every item that was read. */
  readonly onItem?: () => void;
}

/**
 * Rebuilds from the items what trimmed stream records had not delivered. Then all clients reload what they show. Reads
 * the table once. Idempotent.
 */
export function createRebuild({ derivations, publisher, log, ...options }: CreateRebuildOptions) {
  async function run(signal: AbortSignal): Promise<Findings> {
    const found = await rebuild({ ...options, signal, visitors: derivations.createVisitors() });
    log.warn(found, 'Rebuilt from the table what trimmed stream records had not delivered');
    publisher.resync('The stream has trimmed records that no consumer read');
    return found;
  }

  // Several shards may turn out to be trimmed at the same time. One rebuild serves all of them: lost records are at
  // least a day old. If it fails or is aborted, each caller tries again.
  let running: Promise<Findings> | undefined;
  return (signal: AbortSignal): Promise<Findings> => {
    running ??= run(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
}
