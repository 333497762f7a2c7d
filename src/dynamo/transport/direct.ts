import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import type { ClientOptions } from '../client.ts';
import { mapError } from '../errors.ts';
import { decodeResponse } from './decode.ts';
import { encodeRequest } from './encode.ts';
import { createRequests, type Endpoint, endpointOf } from './requests.ts';
import type { Transport } from './transport.ts';

export interface DirectOptions extends Pick<ClientOptions, 'gate' | 'timeouts' | 'serverClock'> {
  /** Its region, endpoint, credentials and retry strategy are used, but none of its requests. */
  readonly client: DynamoDBClient;
  /**
   * The table of all requests, if it is known: AWS has an endpoint for each account, and an ARN says which one that is.
   */
  readonly table?: string | undefined;
}

export interface DirectTransport extends Transport {
  /** Closes the connections. Requests in flight fail. */
  destroy(): void;
}

/** The port without the SDK between it and the connection: signed JSON over a pool of connections. */
export function createDirectTransport({ client, table, ...options }: DirectOptions): DirectTransport {
  const requests = createRequests({
    ...options,
    config: client.config,
    endpoint: () => resolveEndpoint(client, table),
    api: 'DynamoDB_20120810',
  });
  return {
    async send(operation, input, sending) {
      const response = await requests.send(operation, encodeRequest(input), sending);
      try {
        return decodeResponse(response);
      } catch (error) {
        throw mapError(error);
      }
    },
    destroy: requests.destroy,
  };
}

export async function resolveEndpoint({ config }: DynamoDBClient, table?: string): Promise<Endpoint> {
  const input = table === undefined ? {} : { TableName: table };
  return endpointOf(await getEndpointFromInstructions(input, GetItemCommand, config), config.region);
}
