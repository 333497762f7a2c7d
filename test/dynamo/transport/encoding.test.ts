import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeAnyResponse,
  decodeError,
  decodeImage,
  decodeResponse,
} from '../../../src/dynamo/transport/decode.ts';
import { encodeRequest } from '../../../src/dynamo/transport/encode.ts';
import type { Operation, Output } from '../../../src/dynamo/transport/transport.ts';

const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -9e15, max: 9e15 }));

import { scaled } from '../../support/run/budget.ts';

/** Without `__proto__`, which the document client loses, and `constructor`, which it refuses. */
const name = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Item', 'Keys', 'toString', 'S', 'M', '"'))
  .filter((one) => one !== '__proto__' && one !== 'constructor');
/** Every value that is stored, and `undefined`, which is left out. */
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    number,
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  ),
}));
const sets = fc.oneof(
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((members) => new Set(members)),
  fc.uniqueArray(fc.maxSafeInteger(), { minLength: 1 }).map((members) => new Set(members)),
  fc.array(fc.uint8Array(), { minLength: 1 }).map((members) => new Set(members)),
);
const item = fc.dictionary(name, fc.oneof(anyValue, fc.bigInt(), fc.uint8Array(), sets));

/** Binary values as base64 text, as they are on the wire. */
const onWire = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const binary = (one: unknown) => (one instanceof Uint8Array ? Buffer.from(one).toString('base64') : one);
  if ('B' in value && value.B instanceof Uint8Array) return { B: binary(value.B) };
  if ('BS' in value && Array.isArray(value.BS)) return { BS: value.BS.map(binary) };
  return value;
};
const marshalled = (value: Record<string, unknown>): string =>
  JSON.stringify(marshall(value, { removeUndefinedValues: true }), onWire);

/** Both ways to read an answer must agree. */
function decode<O extends Operation>(text: string): Output<O> {
  const answer = decodeResponse<O>(Buffer.from(text));
  expect(answer).toEqual(decodeAnyResponse<O>(text));
  return answer;
}

describe('encodeRequest: a request', () => {
  test("has items as the SDK's document client writes them", () => {
    fc.assert(
      fc.property(item, (stored) => {
        expect(JSON.parse(encodeRequest({ TableName: 't', Item: stored }))).toEqual({
          TableName: 't',
          Item: JSON.parse(marshalled(stored)),
        });
      }),
    );
  });

  test('has values in each field that takes them, and text in the others', () => {
    const key = { pk: 'a', sk: 'b' };
    const wire = { pk: { S: 'a' }, sk: { S: 'b' } };
    const encoded = encodeRequest({
      // A table may have the name of a field.
      RequestItems: { Keys: { Keys: [key], ConsistentRead: true }, Item: [{ PutRequest: { Item: key } }] },
      TransactItems: [
        { Put: { TableName: 'Item', Item: key, ExpressionAttributeValues: { ':n': 1 } } },
        { Update: { Key: key, UpdateExpression: 'SET n = :n', ExpressionAttributeNames: { '#a': 'a' } } },
        { Delete: { Key: key } },
        { ConditionCheck: { Key: key, ConditionExpression: 'a = "b"' } },
      ],
      ExclusiveStartKey: key,
      IndexName: undefined,
      Limit: 5,
      ScanIndexForward: false,
    });
    expect(JSON.parse(encoded)).toEqual({
      RequestItems: { Keys: { Keys: [wire], ConsistentRead: true }, Item: [{ PutRequest: { Item: wire } }] },
      TransactItems: [
        { Put: { TableName: 'Item', Item: wire, ExpressionAttributeValues: { ':n': { N: '1' } } } },
        { Update: { Key: wire, UpdateExpression: 'SET n = :n', ExpressionAttributeNames: { '#a': 'a' } } },
        { Delete: { Key: wire } },
        { ConditionCheck: { Key: wire, ConditionExpression: 'a = "b"' } },
      ],
      ExclusiveStartKey: wire,
      Limit: 5,
      ScanIndexForward: false,
    });
  });

  test.each([
    ['NaN', Number.NaN],
    ['infinity', Number.NEGATIVE_INFINITY],
    ['an integer that is not exact', 2 ** 53],
    ['an empty set', new Set()],
    ['a date', new Date(0)],
    ['a symbol', Symbol('a')],
  ])("is refused with %s, as by the SDK's document client", (_, value) => {
    expect(() => encodeRequest({ Item: { list: [value] } })).toThrow();
    expect(() => marshall({ list: [value] })).toThrow();
  });
});

test('wire: a set of strings and numbers is refused', () => {
  expect(() => encodeRequest({ Item: { set: new Set(['a', 1]) } })).toThrow();
});

test('wire: an attribute named __proto__ is data, and no prototype', () => {
  const text = '{"Item":{"__proto__":{"M":{"admin":{"BOOL":true}}}}}';
  const { Item } = decode<'GetItem'>(text);
  expect(Object.keys(Item ?? {})).toEqual(['__proto__']);
  expect(Item?.admin).toBeUndefined();
  expect(encodeRequest({ Item })).toBe(text);
});

describe('the attributes of an item', () => {
  test('are in one order, in every order that they come in', () => {
    const names = ['pk', 'sk', 'v', 'role', 'joinedAt', 'muted', 'readPosition'];
    const wire = (order: readonly string[]) => order.map((one) => [one, { S: `a ${one}` }] as const);
    const orders = new Set<string>();
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (order) => {
        const text = JSON.stringify(Object.fromEntries(wire(order)));
        const { Item = {} } = decode<'GetItem'>(`{"Item":${text}}`);
        const { Items = [] } = decode<'Query'>(`{"Items":[${text}]}`);
        const { Responses = {} } = decode<'BatchGetItem'>(`{"Responses":{"t":[${text}]}}`);
        const all = [Item, ...Items, ...(Responses.t ?? []), decodeImage(Object.fromEntries(wire(order)))];
        expect(all).toHaveLength(4);
        for (const one of all) orders.add(Object.keys(one).join());
      }),
    );
    expect([...orders]).toHaveLength(1);
  });

  test('in a record, one named __proto__ is data, and no prototype', () => {
    const image = decodeImage(JSON.parse('{"v":{"N":"1"},"__proto__":{"M":{"admin":{"BOOL":true}}}}'));
    expect(Object.keys(image).sort()).toEqual(['__proto__', 'v']);
    expect(image.admin).toBeUndefined();
  });
});

describe('decodeResponse: a response', () => {
  test("has items as the SDK's document client reads them, wherever they are", () => {
    fc.assert(
      fc.property(item, (stored) => {
        const text = marshalled(stored);
        const expected = unmarshall(marshall(stored, { removeUndefinedValues: true }));
        expect(decode<'GetItem'>(`{"Item":${text}}`)).toEqual({ Item: expected });
        expect(decode<'UpdateItem'>(`{"Attributes":${text}}`)).toEqual({ Attributes: expected });
        expect(decode<'Query'>(`{"Items":[${text}],"LastEvaluatedKey":${text},"Count":1}`)).toEqual({
          Items: [expected],
          LastEvaluatedKey: expected,
          Count: 1,
        });
        expect(
          decode<'BatchGetItem'>(
            `{"Responses":{"Item":[${text}]},"UnprocessedKeys":{"Item":{"Keys":[${text}],"ConsistentRead":true}}}`,
          ),
        ).toEqual({
          Responses: { Item: [expected] },
          UnprocessedKeys: { Item: { Keys: [expected], ConsistentRead: true } },
        });
        const unprocessed = `{"UnprocessedItems":{"Item":[{"PutRequest":{"Item":${text}}}]}}`;
        expect(decode<'BatchWriteItem'>(unprocessed)).toEqual({
          UnprocessedItems: { Item: [{ PutRequest: { Item: expected } }] },
        });
      }),
    );
  });

  test('without items stays as it is', () => {
    const answer = { ConsumedCapacity: [{ TableName: 't', CapacityUnits: 6 }] };
    expect(decode<'TransactWriteItems'>(JSON.stringify(answer))).toEqual(answer);
  });

  test('that is nearly right is read as JSON.parse reads it, or refused as it refuses it', () => {
    const result = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return error instanceof Error ? error.name : error;
      }
    };
    const plain = {
      pk: 'aé\n"',
      n: -1.5,
      m: 12,
      flag: true,
      no: false,
      none: null,
      list: [1, 'b', {}],
      map: { x: [] },
    };
    const valid = Buffer.from(
      `{"Items":[${marshalled(plain)},${marshalled(plain)}],"Count":2,"x":{"y":["}"]}}`,
    );
    const byte = fc.oneof(
      fc.constantFrom(...'{}[]":,\\NSLMBt0 \n').map((one) => one.charCodeAt(0)),
      fc.nat(255),
    );
    const place = fc.nat(valid.length);
    fc.assert(
      fc.property(place, place, fc.array(byte, { maxLength: 3 }), (from, length, inserted) => {
        // A few bytes are replaced, or a part is missing.
        const rest = valid.subarray(Math.min(valid.length, from + (length % 4)));
        const bytes = Buffer.concat([valid.subarray(0, from), Buffer.from(inserted), rest]);
        expect(result(() => decodeResponse(bytes))).toEqual(
          result(() => decodeAnyResponse(bytes.toString())),
        );
      }),
      { numRuns: scaled(2_000) },
    );
  });

  test('with a value of an unknown type is refused', () => {
    expect(() => decode('{"Item":{"a":{"X":"1"}}}')).toThrow('X');
  });
});

test.each([
  ['{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException","message":"m"}', 'ValidationException'],
  ['{"__type":"ThrottlingException:http://example.com/","Message":"m"}', 'ThrottlingException'],
  ['{"code":"InternalFailure","message":"m"}', 'InternalFailure'],
  ['{"message":"m"}', 'Unknown'],
])('wire: an error has its name without a namespace: %s', (text, expected) => {
  const error = decodeError({ text, status: 400, clockSkewCorrected: false });
  expect(error).toMatchObject({ name: expected, message: 'm', $metadata: { httpStatusCode: 400 } });
});
