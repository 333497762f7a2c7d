import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ClientOptions, createClient } from './client.ts';
import { createDirectTransport } from './transport/direct.ts';
import { createSdkTransport } from './transport/sdk.ts';
import type { Transport } from './transport/transport.ts';

export interface ConnectOptions extends ClientOptions {
  /** What the items are read and written with; the table itself is always managed with the SDK. */
  readonly via: 'direct' | 'sdk';
}

/** One way to one DynamoDB: a client of the SDK for tables, and a transport for their items. */
export interface Connection {
  readonly client: DynamoDBClient;
  readonly transport: Transport;
  /** Closes the connections of both. */
  destroy(): void;
}

export function connect({ via, ...options }: ConnectOptions): Connection {
  const client = createClient(options);
  if (via === 'sdk') {
    return { client, transport: createSdkTransport(client), destroy: () => client.destroy() };
  }
  const transport = createDirectTransport({ client, ...options });
  return {
    client,
    transport,
    destroy() {
      transport.destroy();
      client.destroy();
    },
  };
}
