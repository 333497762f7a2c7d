import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { _Record as SdkRecord } from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord as LambdaRecord, AttributeValue as LambdaValue } from 'aws-lambda';
import { defined } from '../core/defined.ts';
import type { Item } from '../dynamo/item.ts';
import { parseKey } from '../dynamo/keys.ts';
import type { Change } from './change.ts';

export type { SdkRecord };

/** What the SDK and Lambda both deliver, in the SDK's types. */
interface StreamRecord {
  readonly stream: string;
  readonly shard: string | undefined;
  readonly eventName: string | undefined;
  readonly byTimeToLive: boolean;
  readonly sequence: string | undefined;
  readonly keys: Readonly<Record<string, { readonly S?: string | undefined }>> | undefined;
  /** May throw. */
  readonly images: () => { readonly old: Image | undefined; readonly new: Image | undefined };
}

type Image = Record<string, AttributeValue>;

/** Its two names are documented with small letters for Lambda and with capitals for the stream's own API. */
interface LambdaIdentity {
  readonly principalId?: string;
  readonly PrincipalId?: string;
  readonly type?: string;
  readonly Type?: string;
}

/**
 * A record as `GetRecords` returns it → the change. Undefined if there is nothing to derive: an update that changed
 * nothing (the emulator reports those, AWS does not), imported history, and the consumer's own bookkeeping, which
 * would otherwise keep it awake. Never throws: a record that cannot be read becomes a change that says so
 * (`unreadable`).
 */
export function changeOfRecord(record: SdkRecord, stream: string, shard?: string): Change | undefined {
  const { eventName, userIdentity, dynamodb } = record;
  return changeOf({
    stream,
    shard,
    eventName,
    byTimeToLive: isTimeToLive(userIdentity?.PrincipalId, userIdentity?.Type),
    sequence: dynamodb?.SequenceNumber,
    keys: dynamodb?.Keys,
    images: () => ({ old: dynamodb?.OldImage, new: dynamodb?.NewImage }),
  });
}

/**
 * The same for a record of a Lambda event, in which binary values are base64 text. Throws if the event does not come
 * from a table's stream.
 */
export function changeOfLambdaRecord(record: LambdaRecord): Change | undefined {
  const { eventName, eventSourceARN, dynamodb } = record;
  const identity: LambdaIdentity | undefined = record.userIdentity;
  return changeOf({
    stream: streamLabel(eventSourceARN ?? ''),
    shard: undefined,
    eventName,
    byTimeToLive: isTimeToLive(
      identity?.principalId ?? identity?.PrincipalId,
      identity?.type ?? identity?.Type,
    ),
    sequence: dynamodb?.SequenceNumber,
    keys: dynamodb?.Keys,
    images: () => ({ old: imageOfLambda(dynamodb?.OldImage), new: imageOfLambda(dynamodb?.NewImage) }),
  });
}

/** `arn:…:table/name/stream/label` → label: differs from those of the table's earlier and later streams. */
export function streamLabel(arn: string): string {
  const [, label] = arn.split('/stream/');
  if (label === undefined || label === '') throw new Error(`This is not the ARN of a stream: ${arn}`);
  return label;
}

/** Sequence numbers are decimal and of any length up to 40 digits. Negative: a is before b. */
export function compareSequences(a: string, b: string): number {
  const [x, y] = [BigInt(a), BigInt(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function changeOf(record: StreamRecord): Change | undefined {
  const { stream, shard, sequence, eventName: kind, keys, byTimeToLive } = record;
  const pk = keys?.pk?.S;
  const sk = keys?.sk?.S;
  // Without these it is not a record of our table, and no handler could process it.
  if (sequence === undefined || pk === undefined || sk === undefined || !isKind(kind)) return undefined;
  const key = parseKey({ pk, sk });
  if (key.type === 'shard' || key.type === 'aside') return undefined;
  const change: Change = {
    ...{ stream, sequence, kind, key, expired: kind === 'REMOVE' && byTimeToLive },
    ...defined({ shard }),
  };
  try {
    const { old, new: now } = record.images();
    if (kind === 'MODIFY' && isDeepStrictEqual(old, now)) return undefined;
    if (kind === 'INSERT' && now?.imported?.BOOL === true) return undefined;
    return {
      ...change,
      ...defined({ old: old && itemOf(old), new: now && itemOf(now) }),
    };
  } catch (error) {
    // One record that this program cannot read must not stop the shard.
    return { ...change, unreadable: { item: { pk, sk }, error } };
  }
}

const isKind = (name: string | undefined): name is Change['kind'] =>
  name === 'INSERT' || name === 'MODIFY' || name === 'REMOVE';

const isTimeToLive = (principalId: string | undefined, type: string | undefined): boolean =>
  type === 'Service' && principalId === 'dynamodb.amazonaws.com';

/** Numbers never throw here: one that JavaScript cannot hold exactly must not stop a shard. */
const NUMBERS = { wrapNumbers: Number };

/** An image is copied only if it cannot be read as it is: for each record a copy would take more time than reading. */
function itemOf(image: Image): Item {
  try {
    return unmarshall(image, NUMBERS);
  } catch {
    return unmarshall(withEmptyMaps(image), NUMBERS);
  }
}

/** The streams of DynamoDB Local (3.3.0) write an empty map as a value without a type, which cannot be read. */
const withEmptyMaps = (image: Image): Image =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, withEmptyMap(value)]));

function withEmptyMap(value: AttributeValue): AttributeValue {
  if (value.M !== undefined) return { M: withEmptyMaps(value.M) };
  if (value.L !== undefined) return { L: value.L.map(withEmptyMap) };
  return Object.keys(value).length === 0 ? { M: {} } : value;
}

const imageOfLambda = (image: Record<string, LambdaValue> | undefined): Image | undefined =>
  image === undefined
    ? undefined
    : Object.fromEntries(Object.entries(image).map(([name, value]) => [name, valueOfLambda(value)]));

function valueOfLambda(value: LambdaValue): AttributeValue {
  if (value.B !== undefined) return { B: Buffer.from(value.B, 'base64') };
  if (value.BS !== undefined) return { BS: value.BS.map((one) => Buffer.from(one, 'base64')) };
  if (value.L !== undefined) return { L: value.L.map(valueOfLambda) };
  if (value.M !== undefined) return { M: imageOfLambda(value.M) ?? {} };
  // What is left is the same in both: S, N, BOOL, NULL, SS, NS.
  return value as AttributeValue;
}
