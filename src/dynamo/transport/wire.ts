import { ServiceError } from '../errors.ts';
import type { Item } from '../item.ts';
import { readResponse } from './responseReader.ts';
import type { Operation, Output } from './transport.ts';

/**
 * Requests and responses as DynamoDB's JSON. Values are written and read as `@aws-sdk/lib-dynamodb` does with
 * `removeUndefinedValues`. Requests are written directly as text. Responses are read directly from bytes
 * (`responseReader.ts`), or with `JSON.parse` if they have another form.
 */

/** A request's fields, as text. */
export function encodeRequest(fields: object): string {
  let text = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) text += `${text === '' ? '' : ','}"${name}":${encodeField(name, value)}`;
  }
  return `{${text}}`;
}

function encodeField(name: string, value: unknown): string {
  switch (name) {
    case 'Key':
    case 'Item':
    case 'ExclusiveStartKey':
    case 'ExpressionAttributeValues':
      return encodeMap(objectOf(value));
    case 'Keys':
      return `[${arrayOf(value).map(encodeMap)}]`;
    case 'TransactItems':
      return `[${arrayOf(value).map(encodeRequest)}]`;
    case 'Put':
    case 'Update':
    case 'Delete':
    case 'ConditionCheck':
    case 'PutRequest':
      return encodeRequest(objectOf(value));
    case 'RequestItems':
      return `{${Object.entries(objectOf(value)).map(
        ([table, asked]) =>
          `${JSON.stringify(table)}:${Array.isArray(asked) ? `[${asked.map(encodeRequest)}]` : encodeRequest(asked)}`,
      )}}`;
    default:
      return JSON.stringify(value);
  }
}

function encodeMap(map: object): string {
  let text = '';
  for (const [name, value] of Object.entries(map)) {
    const encoded = encodeValue(value);
    if (encoded !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${encoded}`;
  }
  return `{${text}}`;
}

/** Undefined for values that are omitted. Throws for values that DynamoDB cannot store unchanged. */
function encodeValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return `{"S":${JSON.stringify(value)}}`;
    case 'number':
    case 'bigint':
      return `{"N":"${encodeNumber(value)}"}`;
    case 'boolean':
      return value ? '{"BOOL":true}' : '{"BOOL":false}';
    case 'object':
      return value === null ? '{"NULL":true}' : encodeObject(value);
    case 'undefined':
    case 'function':
      return undefined;
    default:
      throw unsupported(value);
  }
}

function encodeObject(value: object): string {
  if (Array.isArray(value)) {
    return `{"L":[${value.map(encodeValue).filter((encoded) => encoded !== undefined)}]}`;
  }
  if (value instanceof Uint8Array) return `{"B":"${encodeBinary(value)}"}`;
  if (value instanceof Set) return encodeSet([...value]);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw unsupported(value);
  return `{"M":${encodeMap(value)}}`;
}

function encodeSet(members: readonly unknown[]): string {
  if (members.length === 0) throw new Error('DynamoDB has no empty sets.');
  if (members.every((member) => typeof member === 'string')) return `{"SS":${JSON.stringify(members)}}`;
  if (members.every((member) => typeof member === 'number' || typeof member === 'bigint')) {
    return `{"NS":${JSON.stringify(members.map(encodeNumber))}}`;
  }
  if (members.every((member) => member instanceof Uint8Array)) {
    return `{"BS":${JSON.stringify(members.map(encodeBinary))}}`;
  }
  throw unsupported(members);
}

function encodeNumber(value: number | bigint): string {
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw new Error(`The number ${value} cannot be stored exactly.`);
  }
  return `${value}`;
}

const encodeBinary = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw unsupported(value);
  return value;
}

function arrayOf(value: unknown): readonly object[] {
  if (!Array.isArray(value)) throw unsupported(value);
  return value;
}

const unsupported = (value: unknown): Error =>
  new Error(`DynamoDB cannot store this value: ${Object.prototype.toString.call(value)}.`);

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
export const decodeImage = (image: WireItem): Item =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, decodeImageValue(value)]));

function decodeImageValue(value: WireValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.M !== undefined) return decodeImage(value.M);
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
