/**
 * Responses in DynamoDB's JSON. They are read directly from bytes (`responseReader.ts`), or with `JSON.parse` if they
 * have another form. Values are read as `@aws-sdk/lib-dynamodb` does.
 */
import { ServiceError } from '../errors.ts';
import type { Item } from '../item.ts';
import { OrderedValues } from './orderedValues.ts';
import { readResponse } from './responseReader.ts';
import type { Operation, Output } from './transport.ts';

/** An item in DynamoDB's JSON. */
export type WireItem = Record<string, WireValue>;

export interface WireValue {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly M?: WireItem | undefined;
  readonly L?: readonly WireValue[] | undefined;
  readonly BOOL?: boolean | undefined;
  readonly NULL?: boolean | undefined;
  /** In base64; bytes, if the SDK has read it. */
  readonly B?: string | Uint8Array | undefined;
  readonly SS?: readonly string[] | undefined;
  readonly NS?: readonly string[] | undefined;
  readonly BS?: ReadonlyArray<string | Uint8Array> | undefined;
}

/** The fields of responses that contain items. */
interface WireResponse {
  readonly Item?: WireItem;
  readonly Items?: readonly WireItem[];
  readonly Attributes?: WireItem;
  readonly LastEvaluatedKey?: WireItem;
  readonly Responses?: Readonly<Record<string, readonly WireItem[]>>;
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys?: readonly WireItem[] }>>;
  readonly UnprocessedItems?: Readonly<
    Record<string, ReadonlyArray<{ readonly PutRequest?: { readonly Item: WireItem } }>>
  >;
}

/** Decodes the response to a request that succeeded. Throws `SyntaxError` if it is not JSON. */
export function decodeResponse<O extends Operation>(body: Buffer): Output<O> {
  try {
    // DynamoDB's responses have this type. It is not checked, like that of `JSON.parse` below.
    return readResponse(body) as Output<O>;
  } catch {
    return decodeAnyResponse(body.toString());
  }
}

/** Decodes any valid JSON response. */
export function decodeAnyResponse<O extends Operation>(text: string): Output<O> {
  const response = JSON.parse(text);
  decodeItems(response);
  return response;
}

function decodeItems(response: WireResponse): void {
  const { Item, Items, Attributes, LastEvaluatedKey, Responses, UnprocessedKeys, UnprocessedItems } =
    response;
  if (Item !== undefined) decodeMap(Item);
  if (Items !== undefined) for (const item of Items) decodeMap(item);
  if (Attributes !== undefined) decodeMap(Attributes);
  if (LastEvaluatedKey !== undefined) decodeMap(LastEvaluatedKey);
  for (const items of valuesOf(Responses)) for (const item of items) decodeMap(item);
  for (const { Keys = [] } of valuesOf(UnprocessedKeys)) for (const key of Keys) decodeMap(key);
  for (const { PutRequest } of valuesOf(UnprocessedItems).flat()) {
    if (PutRequest !== undefined) decodeMap(PutRequest.Item);
  }
}

const valuesOf = <T>(record: Readonly<Record<string, T>> | undefined): readonly T[] =>
  record === undefined ? [] : Object.values(record);

/** Replaces the map's values, in the map itself. */
function decodeMap(map: WireItem): Item {
  const item: Item = map;
  for (const name in map) {
    const value = map[name];
    if (value !== undefined) item[name] = decodeValue(value);
  }
  return item;
}

function decodeValue(value: WireValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return decodeNumber(value.N);
  if (value.M !== undefined) return decodeMap(value.M);
  if (value.L !== undefined) return value.L.map(decodeValue);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.B !== undefined) return decodeBinary(value.B);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(decodeNumber));
  if (value.BS !== undefined) return new Set(value.BS.map(decodeBinary));
  throw new Error(`DynamoDB sent a value without a known type: ${Object.keys(value)}.`);
}

/** As a `bigint` if it is too large for a number. Throws if it is neither. */
function decodeNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER ? BigInt(text) : value;
}

function decodeBinary(text: string | Uint8Array): Uint8Array {
  if (typeof text !== 'string') return text;
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * An item out of a stream's record, as a copy. Numbers never throw here: one that JavaScript cannot hold exactly must
 * not stop a shard. DynamoDB Local's streams (3.3.0) write an empty map as a value without a type.
 */
export function decodeImage(image: WireItem): Item {
  imageValues.clear();
  for (const [name, value] of Object.entries(image)) imageValues.add(name, decodeImageValue(value));
  return imageValues.item();
}

const imageValues = new OrderedValues();

const decodeImageMap = (map: WireItem): Item =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, decodeImageValue(value)]));

function decodeImageValue(value: WireValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.M !== undefined) return decodeImageMap(value.M);
  if (value.L !== undefined) return value.L.map(decodeImageValue);
  if (value.NS !== undefined) return new Set(value.NS.map(Number));
  return Object.keys(value).length === 0 ? {} : decodeValue(value);
}

interface WireError {
  readonly __type?: string;
  readonly code?: string;
  readonly message?: string;
  readonly Message?: string;
  readonly Item?: WireItem | null;
  readonly CancellationReasons?: ReadonlyArray<{ readonly Code?: string; readonly Item?: WireItem | null }>;
}

export interface ErrorResponse {
  readonly text: string;
  readonly status: number;
  readonly clockSkewCorrected: boolean;
}

/** Decodes the response to a request that was refused. Throws `SyntaxError` if it is not JSON. */
export function decodeError({ text, ...details }: ErrorResponse): ServiceError {
  const response: WireError = text === '' ? {} : JSON.parse(text);
  const { __type = response.code ?? 'Unknown', CancellationReasons = [] } = response;
  // `com.amazonaws.dynamodb.v20120810#ValidationException`, perhaps with a `:` and an address after it.
  const [qualified = ''] = __type.split(':');
  const message = response.message ?? response.Message ?? 'UnknownError';
  return new ServiceError(qualified.slice(qualified.indexOf('#') + 1), message, {
    ...details,
    item: itemOf(response.Item),
    reasons: CancellationReasons.map(({ Code, Item }) => ({ code: Code, item: itemOf(Item) })),
  });
}

const itemOf = (item: WireItem | null | undefined): Item | undefined =>
  item === undefined || item === null ? undefined : decodeMap(item);
