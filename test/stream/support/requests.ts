import type { StreamOperation, Streams } from '../../../src/dynamo/transport/streams.ts';
import type { Operation, Transport } from '../../../src/dynamo/transport/transport.ts';

/**
 * Counts a client's calls by operation. A request that the client repeats by itself counts once.
 */
export function counting(transport: Transport) {
  const counts = new Map<Operation, number>();
  const counted: Transport = {
    send(operation, input, options) {
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      return transport.send(operation, input, options);
    },
  };
  return { transport: counted, count: (operation: Operation) => counts.get(operation) ?? 0 };
}

/** The same for what reads the stream. */
export function countingStreams(streams: Streams) {
  const counts = new Map<StreamOperation, number>();
  const counted: Streams = {
    send(operation, input, options) {
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      return streams.send(operation, input, options);
    },
  };
  return { streams: counted, count: (operation: StreamOperation) => counts.get(operation) ?? 0 };
}
