/**
 * Requests, responses and stream records of a table that names its keys in another way than the program does
 * (`../keyLayout.ts`). Everything above the transport has the program's names: features, cursors, the stream's
 * handlers, and what is compared or copied between two tables.
 */
import { ServiceError } from '../errors.ts';
import type { Item } from '../item.ts';
import { DEFAULT_LAYOUT, isSameLayout, KEY_ATTRIBUTES, type KeyLayout } from '../keyLayout.ts';
import { alsoKeyedBy } from './knownItems.ts';
import type { Streams } from './streams.ts';
import type { Input, Operation, Output, SendOptions, Transport } from './transport.ts';

interface Access {
  readonly transport: Transport;
  readonly streams: Streams;
}

/** The way to a table of this layout. If that is the program's own, it is the same way: nothing is translated. */
export function accessIn<A extends Access>(layout: KeyLayout, access: A): A {
  if (isSameLayout(layout, DEFAULT_LAYOUT)) return access;
  const { transport, streams } = access;
  return { ...access, transport: transportIn(layout, transport), streams: streamsIn(layout, streams) };
}

function transportIn(layout: KeyLayout, transport: Transport): Transport {
  alsoKeyedBy([layout.pk, layout.sk]);
  const { toStored, fromStored } = translation(layout);
  const toPlaceholders = expressionsIn(layout);
  return {
    async send<O extends Operation>(operation: O, input: Input<O>, options: SendOptions): Promise<Output<O>> {
      const request = translated(toPlaceholders(input), toStored, toPlaceholders);
      try {
        return translated(await transport.send(operation, request, options), fromStored);
      } catch (error) {
        throw error instanceof ServiceError ? translatedError(error, fromStored) : error;
      }
    },
  };
}

function streamsIn(layout: KeyLayout, streams: Streams): Streams {
  const recordIn = recordsIn(layout);
  return {
    async send(operation, input, options) {
      const output = await streams.send(operation, input, options);
      if (!('Records' in output) || output.Records === undefined) return output;
      return { ...output, Records: output.Records.map(recordIn) };
    },
  };
}

/** What is translated of a record, from the port of streams or as AWS Lambda passes it to a function. */
interface WithImages {
  readonly dynamodb?: object | undefined;
}

/** Translates records of the table's stream. */
export function recordsIn(layout: KeyLayout) {
  if (isSameLayout(layout, DEFAULT_LAYOUT)) return <R extends WithImages>(record: R): R => record;
  const { fromStored } = translation(layout);
  return <R extends WithImages>(record: R): R =>
    record.dynamodb === undefined ? record : { ...record, dynamodb: translated(record.dynamodb, fromStored) };
}

type Rename = (item: Item) => Item;

/** The names of an item's own attributes, in both directions. Maps inside of an item keep theirs. */
function translation(layout: KeyLayout): { readonly toStored: Rename; readonly fromStored: Rename } {
  const stored = new Map<string, string>();
  const read = new Map<string, string>();
  for (const name of KEY_ATTRIBUTES) {
    stored.set(name, layout[name]);
    read.set(layout[name], name);
  }
  /** Those of items that the transport keeps, so that these are the same object each time, too. See `isKept`. */
  const kept = new WeakMap<Item, Item>();
  const toStored = renaming(stored, read);
  const fromStored = renaming(read, stored);
  return {
    toStored,
    fromStored(item) {
      if (!Object.isFrozen(item)) return fromStored(item);
      const known = kept.get(item) ?? Object.freeze(fromStored(item));
      kept.set(item, known);
      return known;
    },
  };
}

/**
 * `foreign`: an attribute with one of these names is not part of a key here, and would be taken for it. No item of ours
 * has it.
 */
const renaming =
  (names: ReadonlyMap<string, string>, foreign: ReadonlyMap<string, string>): Rename =>
  (item) => {
    const renamed: Item = {};
    for (const name of Object.keys(item)) {
      const other = names.get(name);
      if (other !== undefined) renamed[other] = item[name];
      else if (name === '__proto__') define(renamed, name, item[name]);
      else if (!foreign.has(name)) renamed[name] = item[name];
    }
    return renamed;
  };

/** Assigning to `__proto__` would set the object's prototype. */
function define(item: Item, name: string, value: unknown): void {
  Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true });
}

type Fields = Readonly<Record<string, unknown>>;
type Translate = (value: unknown, rename: Rename, expressions: Expressions) => unknown;
type Expressions = <F extends object>(fields: F) => F;

const unchanged: Expressions = (fields) => fields;
const item: Translate = (value, rename) => rename(value as Item);
const list: Translate = (value, rename) => (value as readonly Item[]).map(rename);
const each = (record: unknown, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(record as Fields).map(([name, value]) => [name, change(value)]));
/** The keys or puts of a batch, by table. */
const requests: Translate = (value, rename, expressions) =>
  each(value, (ofTable) =>
    Array.isArray(ofTable)
      ? ofTable.map((one: Fields) => each(one, (put) => translated(put as Fields, rename, expressions)))
      : translated(ofTable as Fields, rename, expressions),
  );

/** The fields of requests, responses and records that items or keys are in. */
const FIELDS: Readonly<Record<string, Translate>> = {
  Key: item,
  Keys: (value, rename, expressions) =>
    Array.isArray(value) ? list(value, rename, expressions) : item(value, rename, expressions),
  Item: item,
  Items: list,
  Attributes: item,
  ExclusiveStartKey: item,
  LastEvaluatedKey: item,
  Responses: (value, rename, expressions) => each(value, (items) => list(items, rename, expressions)),
  RequestItems: requests,
  UnprocessedKeys: requests,
  UnprocessedItems: requests,
  TransactItems: (value, rename, expressions) =>
    (value as readonly Fields[]).map((one) =>
      each(one, (write) => translated(expressions(write as Fields), rename, expressions)),
    ),
  NewImage: item,
  OldImage: item,
};

function translated<F extends object>(fields: F, rename: Rename, expressions: Expressions = unchanged): F {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const translate = FIELDS[name];
    if (translate !== undefined && value !== undefined && value !== null)
      changed[name] = translate(value, rename, expressions);
  }
  return { ...fields, ...changed };
}

function translatedError(error: ServiceError, rename: Rename): ServiceError {
  const { name, message, $metadata, item, reasons, cause } = error;
  if (item === undefined && reasons.length === 0) return error;
  return new ServiceError(name, message, {
    status: $metadata.httpStatusCode,
    item: item && rename(item),
    reasons: reasons.map(({ code, item }) => ({ code, item: item && rename(item) })),
    clockSkewCorrected: $metadata.clockSkewCorrected === true,
    cause,
  });
}

const EXPRESSIONS = [
  'KeyConditionExpression',
  'ConditionExpression',
  'FilterExpression',
  'UpdateExpression',
  'ProjectionExpression',
] as const;

/**
 * Names in an expression at the beginning of a path, as they are or by a placeholder. Not values, and not what is in a
 * map.
 */
const NAME = /(?<![\w:#]|\.\s*)#?[A-Za-z_]\w*/g;

/**
 * Replaces the names of keys in expressions by placeholders, because a table's own names may be words that DynamoDB
 * reserves (`Key`, `Range`) or contain a dot.
 */
function expressionsIn(layout: KeyLayout): Expressions {
  const placeholders = new Map(
    KEY_ATTRIBUTES.filter((name) => layout[name] !== DEFAULT_LAYOUT[name]).map((name): [string, string] => [
      name,
      `#key_${name}`,
    ]),
  );
  const stored = new Map<string, string>(KEY_ATTRIBUTES.map((name) => [`#key_${name}`, layout[name]]));
  return (fields) => {
    const given = fields as Fields & { readonly ExpressionAttributeNames?: Readonly<Record<string, string>> };
    const names = given.ExpressionAttributeNames ?? {};
    const changed: Record<string, unknown> = {};
    const used = new Set<string>();
    for (const field of EXPRESSIONS) {
      const text = given[field];
      if (typeof text !== 'string') continue;
      changed[field] = text.replace(NAME, (found) => {
        const name = found.startsWith('#') ? names[found] : found;
        const placeholder = name === undefined ? undefined : placeholders.get(name);
        return placeholder ?? found;
      });
      for (const placeholder of String(changed[field]).match(/#\w+/g) ?? []) used.add(placeholder);
    }
    if (![...used].some((placeholder) => stored.has(placeholder))) return fields;
    const ExpressionAttributeNames: Record<string, string> = {};
    for (const placeholder of used) {
      const name = names[placeholder] ?? stored.get(placeholder);
      // DynamoDB refuses placeholders that have no name, and says so.
      if (name !== undefined) ExpressionAttributeNames[placeholder] = name;
    }
    return { ...fields, ...changed, ExpressionAttributeNames };
  };
}
