import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord as LambdaRecord } from 'aws-lambda';
import { parseKey } from '../dynamo/keys.ts';
import { decodeImage, type WireItem } from '../dynamo/transport/decode.ts';
import type { StreamRecord } from '../dynamo/transport/streams.ts';
import type { Change } from './change.ts';

/** What the stream's API and Lambda both deliver. */
interface AnyRecord {
  readonly stream: string;
  readonly shard: string | undefined;
  readonly eventName: string | undefined;
  readonly byTimeToLive: boolean;
  readonly sequence: string | undefined;
  readonly keys: Readonly<Record<string, { readonly S?: string | undefined }>> | undefined;
  readonly old: WireItem | undefined;
  readonly new: WireItem | undefined;
}

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
export function changeOfRecord(record: StreamRecord, stream: string, shard?: string): Change | undefined {
  const { eventName, userIdentity, dynamodb } = record;
  return changeOf({
    stream,
    shard,
    eventName,
    byTimeToLive: isTimeToLive(userIdentity?.PrincipalId, userIdentity?.Type),
    sequence: dynamodb?.SequenceNumber,
    keys: dynamodb?.Keys,
    old: dynamodb?.OldImage,
    new: dynamodb?.NewImage,
  });
}

/**
 * The same for a reader that only has to know which items have changed, and of every record. `new` has nothing but the
 * key, also if the item was removed.
 */
export function keyOfRecord({ dynamodb }: StreamRecord, stream: string, shard: string): Change | undefined {
  const { SequenceNumber: sequence, Keys } = dynamodb ?? {};
  const pk = Keys?.pk?.S;
  const sk = Keys?.sk?.S;
  if (sequence === undefined || pk === undefined || sk === undefined) return undefined;
  const key = parseKey({ pk, sk });
  return { stream, shard, sequence, kind: 'MODIFY', key, new: { pk, sk }, expired: false };
}

/** The same for a record of a Lambda event. Throws if the event does not come from a table's stream. */
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
    old: dynamodb?.OldImage,
    new: dynamodb?.NewImage,
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

function changeOf(record: AnyRecord): Change | undefined {
  const { stream, shard, sequence, eventName: kind, keys, byTimeToLive, old, new: now } = record;
  const pk = keys?.pk?.S;
  const sk = keys?.sk?.S;
  // Without these it is not a record of our table, and no handler could process it.
  if (sequence === undefined || pk === undefined || sk === undefined || !isKind(kind)) return undefined;
  const key = parseKey({ pk, sk });
  // Handlers need nothing of what processes write for each other, and it would keep the reader awake.
  if (OF_PROCESSES.has(key.type)) return undefined;
  // In Node 20, each object that begins with `...other` and gets more properties has a hidden class of its own.
  const change: { -readonly [Name in keyof Change]: Change[Name] } = {
    stream,
    sequence,
    kind,
    key,
    expired: kind === 'REMOVE' && (byTimeToLive || isExpiring(old)),
  };
  if (shard !== undefined) change.shard = shard;
  try {
    if (kind === 'MODIFY' && isDeepStrictEqual(old, now)) return undefined;
    if (kind === 'MODIFY' && isExpiring(now)) return undefined;
    if (kind === 'INSERT' && now?.imported?.BOOL === true) return undefined;
    const [before, after] = [old && decodeImage(old), now && decodeImage(now)];
    if (before !== undefined) change.old = before;
    if (after !== undefined) change.new = after;
  } catch (error) {
    // One record that this program cannot read must not stop the shard.
    change.unreadable = { item: { pk, sk }, error };
  }
  return change;
}

const OF_PROCESSES: ReadonlySet<string> = new Set([
  'shard',
  'deadLetter',
  'shape',
  'heartbeat',
  'carry',
  'fence',
  'sentinel',
]);

/** Marks an item that is about to be deleted because it expired, where the database does not do that by itself. */
export const EXPIRING = 'expiring';
const isExpiring = (item: WireItem | undefined): boolean => item?.[EXPIRING]?.BOOL === true;

const isKind = (name: string | undefined): name is Change['kind'] =>
  name === 'INSERT' || name === 'MODIFY' || name === 'REMOVE';

const isTimeToLive = (principalId: string | undefined, type: string | undefined): boolean =>
  type === 'Service' && principalId === 'dynamodb.amazonaws.com';
