import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ClientOptions, createClient, createStreamsClient } from './client.ts';
import { createServerClock, type ServerClock } from './serverClock.ts';
import { createDirectTransport } from './transport/direct.ts';
import { createSdkTransport } from './transport/sdk.ts';
import { createDirectStreams, createSdkStreams, type Streams } from './transport/streams.ts';
import type { Transport } from './transport/transport.ts';

export interface ConnectOptions extends ClientOptions {
  /** What items and the stream are read and written with; the table itself is always managed with the SDK. */
  readonly via: 'direct' | 'sdk';
  /** See `DirectOptions`. */
  readonly table?: string;
}

/** One way to one DynamoDB: a client of the SDK for tables, and transports for their items and streams. */
export interface Connection {
  readonly client: DynamoDBClient;
  readonly transport: Transport;
  readonly streams: Streams;
  /** Observes the responses of items and of the stream. */
  readonly serverClock: ServerClock;
  /** Closes the connections of all three. */
  destroy(): void;
}

export function connect({ via, ...rest }: ConnectOptions): Connection {
  const serverClock = createServerClock();
  const options = { ...rest, serverClock };
  const client = createClient(options);
  const streamsClient = createStreamsClient(options);
  if (via === 'sdk') {
    const streams = createSdkStreams(streamsClient, options.timeouts);
    return {
      client,
      streams,
      serverClock,
      transport: createSdkTransport(client),
      destroy() {
        streams.destroy();
        client.destroy();
      },
    };
  }
  const transport = createDirectTransport({ client, ...options });
  const streams = createDirectStreams({ client: streamsClient, ...options });
  return {
    client,
    streams,
    serverClock,
    transport,
    destroy() {
      transport.destroy();
      streams.destroy();
      client.destroy();
    },
  };
}
