import { type AttributeValue, type DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { mapError, ServiceError } from '../errors.ts';
import type { Item } from '../item.ts';
import { abortSignalOf, type Input, type Operation, type Output, type Transport } from './transport.ts';

type Senders = {
  readonly [O in Operation]: (input: Input<O>, options: { abortSignal: AbortSignal }) => Promise<Output<O>>;
};

/** The port through the AWS SDK: the reference for `direct.ts`, which takes a fifth to a tenth of its CPU. */
export function createSdkTransport(client: DynamoDBClient): Transport {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const senders: Senders = {
    GetItem: (input, options) => documents.send(new GetCommand(input), options),
    BatchGetItem: (input, options) => documents.send(new BatchGetCommand(input), options),
    Query: (input, options) => documents.send(new QueryCommand(input), options),
    Scan: (input, options) => documents.send(new ScanCommand(input), options),
    PutItem: (input, options) => documents.send(new PutCommand(input), options),
    UpdateItem: (input, options) => documents.send(new UpdateCommand(input), options),
    DeleteItem: (input, options) => documents.send(new DeleteCommand(input), options),
    TransactWriteItems: (input, options) => documents.send(new TransactWriteCommand(input), options),
    BatchWriteItem: (input, options) => documents.send(new BatchWriteCommand(input), options),
  };

  return {
    async send(operation, input, options) {
      try {
        return await senders[operation](input, { abortSignal: abortSignalOf(options) });
      } catch (error) {
        throw mapError(error instanceof DynamoDBServiceException ? serviceError(error) : error);
      }
    },
  };
}

/** The document client leaves the items inside of exceptions as DynamoDB wrote them. */
function serviceError(error: DynamoDBServiceException): ServiceError {
  const { name, message, $metadata } = error;
  return new ServiceError(name, message, {
    status: $metadata.httpStatusCode,
    item: 'Item' in error ? itemOf(error.Item) : undefined,
    reasons: 'CancellationReasons' in error ? reasonsOf(error.CancellationReasons) : [],
    cause: error,
  });
}

const reasonsOf = (reasons: unknown) =>
  Array.isArray(reasons) ? reasons.map(({ Code, Item }) => ({ code: Code, item: itemOf(Item) })) : [];

const itemOf = (item: unknown): Item | undefined =>
  item === undefined || item === null ? undefined : unmarshall(item as Record<string, AttributeValue>);
