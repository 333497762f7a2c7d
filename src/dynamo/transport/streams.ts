import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as SdkRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { type ClientOptions, TIMEOUTS, type Timeouts } from '../client.ts';
import { mapError } from '../errors.ts';
import type { WireItem } from './decode.ts';
import { createRequests, endpointOf } from './requests.ts';
import { abortSignalOf, type SendOptions } from './transport.ts';

/**
 * The requests that the table's stream is read with, in the fields of DynamoDB's API. As for items (`transport.ts`),
 * the SDK and our own requests implement it. It matters, because an idle consumer polls four times a second.
 */
export interface Streams {
  /**
   * Rejects with `OutageError` if there is no response in time; otherwise with an error of DynamoDB's name. The default
   * deadline is the `callMs` of the connection's timeouts.
   */
  send<O extends StreamOperation>(
    operation: O,
    input: StreamCalls[O]['input'],
    options?: SendOptions,
  ): Promise<StreamCalls[O]['output']>;
}

export type StreamOperation = keyof StreamCalls;

interface StreamCalls {
  DescribeStream: {
    readonly input: { readonly StreamArn: string; readonly ExclusiveStartShardId?: string };
    readonly output: {
      readonly StreamDescription?:
        | {
            readonly Shards?: readonly StoredShard[] | undefined;
            readonly LastEvaluatedShardId?: string | undefined;
          }
        | undefined;
    };
  };
  GetShardIterator: {
    readonly input: {
      readonly StreamArn: string;
      readonly ShardId: string;
      readonly ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AFTER_SEQUENCE_NUMBER';
      readonly SequenceNumber?: string;
    };
    readonly output: { readonly ShardIterator?: string | undefined };
  };
  GetRecords: {
    readonly input: { readonly ShardIterator: string; readonly Limit?: number };
    readonly output: {
      readonly Records?: readonly StreamRecord[] | undefined;
      /** Absent: the shard has ended. */
      readonly NextShardIterator?: string | undefined;
    };
  };
}

interface StoredShard {
  readonly ShardId?: string | undefined;
  readonly ParentShardId?: string | undefined;
}

/** How one item changed. */
export interface StreamRecord {
  readonly eventName?: string | undefined;
  readonly userIdentity?:
    | { readonly PrincipalId?: string | undefined; readonly Type?: string | undefined }
    | undefined;
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        /** Seconds since 1970. */
        readonly ApproximateCreationDateTime?: number | undefined;
        readonly Keys?: WireItem | undefined;
        readonly OldImage?: WireItem | undefined;
        readonly NewImage?: WireItem | undefined;
      }
    | undefined;
}

export interface ClosableStreams extends Streams {
  /** Closes the connections. Requests in flight fail. */
  destroy(): void;
}

type Senders = {
  readonly [O in StreamOperation]: (
    input: StreamCalls[O]['input'],
    options: { abortSignal: AbortSignal },
  ) => Promise<StreamCalls[O]['output']>;
};

/** The stream through the AWS SDK. */
export function createSdkStreams(
  client: DynamoDBStreamsClient,
  { callMs }: Pick<Timeouts, 'callMs'> = TIMEOUTS,
): ClosableStreams {
  const senders: Senders = {
    DescribeStream: (input, options) => client.send(new DescribeStreamCommand(input), options),
    GetShardIterator: (input, options) => client.send(new GetShardIteratorCommand(input), options),
    async GetRecords(input, options) {
      const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand(input), options);
      return { Records: Records.map(streamRecord), NextShardIterator };
    },
  };
  return {
    async send(operation, input, options = { timeoutMs: callMs }) {
      try {
        return await senders[operation](input, { abortSignal: abortSignalOf(options) });
      } catch (error) {
        throw mapError(error);
      }
    },
    destroy: () => client.destroy(),
  };
}

const streamRecord = ({ eventName, userIdentity, dynamodb }: SdkRecord): StreamRecord => ({
  eventName,
  userIdentity,
  dynamodb: dynamodb && {
    ...dynamodb,
    ApproximateCreationDateTime:
      dynamodb.ApproximateCreationDateTime && dynamodb.ApproximateCreationDateTime.getTime() / 1_000,
  },
});

export interface DirectStreamsOptions extends Pick<ClientOptions, 'gate' | 'timeouts' | 'serverClock'> {
  /** Its region, endpoint, credentials and retry strategy are used, but none of its requests. */
  readonly client: DynamoDBStreamsClient;
}

/** The stream without the SDK between it and the connection. */
export function createDirectStreams({ client, ...options }: DirectStreamsOptions): ClosableStreams {
  const { config } = client;
  const { callMs } = options.timeouts ?? TIMEOUTS;
  const requests = createRequests({
    ...options,
    config,
    api: 'DynamoDBStreams_20120810',
    endpoint: async () =>
      endpointOf(await getEndpointFromInstructions({}, GetRecordsCommand, config), config.region),
  });
  return {
    async send(operation, input, sending = { timeoutMs: callMs }) {
      const response = await requests.send(operation, JSON.stringify(input), sending);
      try {
        return JSON.parse(response.toString());
      } catch (error) {
        throw mapError(error);
      }
    },
    destroy() {
      requests.destroy();
      client.destroy();
    },
  };
}
