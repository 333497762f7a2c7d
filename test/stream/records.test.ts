import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IMPORTED } from '../../src/dynamo/item.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { StreamRecord } from '../../src/dynamo/transport/streams.ts';
import {
  changeOfLambdaRecord,
  changeOfRecord,
  compareSequences,
  streamLabel,
} from '../../src/stream/records.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { readRecords } from '../support/stream/stream.ts';

const ARN = 'arn:aws:dynamodb:eu-central-1:123456789012:table/tsudoi/stream/2026-11-20T10:11:12.345';

describe('changeOfRecord: records of a real stream', () => {
  let db: TestDynamo;
  beforeAll(async () => {
    db = await openTestDynamo();
  });
  afterAll(() => db.stop());

  it('changeOfRecord: returns insertions, modifications and removals with both images, and skips no-ops, what processes write for each other, and imported items', async () => {
    const key = keys.room('r1');
    await db.dynamo.put({ ...key, v: 1, name: 'One', tags: new Set(['a', 'b']), seats: 12.5 });
    await db.dynamo.put({ ...key, v: 1, name: 'One', tags: new Set(['a', 'b']), seats: 12.5 });
    await db.dynamo.update(key, {
      update: 'SET #name = :name',
      names: { '#name': 'name' },
      values: { ':name': 'Two' },
    });
    await db.dynamo.put({ ...keys.shard('s', 'shard-1'), v: 1, counter: 1 });
    await db.dynamo.put({ ...keys.deadLetter('s', '17'), v: 1 });
    await db.dynamo.put({ ...keys.heartbeat('a'), v: 1 });
    await db.dynamo.put({ ...keys.root('r1', '0000000000000001'), v: 1, ...IMPORTED });
    await db.dynamo.remove(key);

    const stream = streamLabel(db.streamArn);
    const changes = (await readRecords(db)).flatMap((record) => changeOfRecord(record, stream) ?? []);
    const one = { ...key, v: 1, name: 'One', tags: new Set(['a', 'b']), seats: 12.5 };
    const common = { stream, key: { type: 'room', room: 'r1' }, expired: false };
    expect(changes).toEqual([
      { ...common, kind: 'INSERT', new: one, sequence: expect.stringMatching(/^\d+$/) },
      {
        ...common,
        kind: 'MODIFY',
        old: one,
        new: { ...one, name: 'Two' },
        sequence: expect.stringMatching(/^\d+$/),
      },
      { ...common, kind: 'REMOVE', old: { ...one, name: 'Two' }, sequence: expect.stringMatching(/^\d+$/) },
    ]);
    const sequences = changes.map(({ sequence }) => sequence);
    expect([...sequences].sort(compareSequences)).toEqual(sequences);
  });
});

describe('changeOfRecord', () => {
  const keysOf = { pk: { S: 'ROOM#r1' }, sk: { S: 'ROOM' } };
  const record = (
    rest: Partial<StreamRecord>,
    images: NonNullable<StreamRecord['dynamodb']> = {},
  ): StreamRecord => ({
    eventName: 'REMOVE',
    ...rest,
    dynamodb: { Keys: keysOf, SequenceNumber: '1', OldImage: keysOf, ...images },
  });

  it('changeOfRecord: only a removal by TTL is `expired`', () => {
    const expired = (PrincipalId: string, Type: string) =>
      changeOfRecord(record({ userIdentity: { PrincipalId, Type } }), 's')?.expired;
    expect(expired('dynamodb.amazonaws.com', 'Service')).toBe(true);
    expect(expired('dynamodb.amazonaws.com', 'User')).toBe(false);
    expect(expired('replication.dynamodb.amazonaws.com', 'Service')).toBe(false);
    expect(changeOfRecord(record({}), 's')?.expired).toBe(false);
  });

  it('changeOfRecord: accepts a number that JavaScript cannot represent exactly', () => {
    const odd = { ...keysOf, n: { N: '12345678901234567890' } };
    expect(changeOfRecord(record({}, { OldImage: odd }), 's')?.old?.n).toBeCloseTo(1.2345678901234567e19);
  });

  it('changeOfRecord: reads empty maps without a type, as DynamoDB Local sends them', () => {
    // The SDK's type does not allow it, but the server sends it.
    const nothing = {} as { M: Record<string, never> };
    const odd = { ...keysOf, m: nothing, inside: { M: { m: nothing, l: { L: [nothing] } } } };
    expect(changeOfRecord(record({}, { OldImage: odd }), 's')?.old).toMatchObject({
      m: {},
      inside: { m: {}, l: [{}] },
    });
  });

  it('changeOfRecord: a difference beyond the precision of a number is a change', () => {
    const [one, two] = ['12345678901234567890', '12345678901234567891'];
    const change = changeOfRecord(
      record(
        { eventName: 'MODIFY' },
        { OldImage: { ...keysOf, n: { N: one } }, NewImage: { ...keysOf, n: { N: two } } },
      ),
      's',
    );
    expect(change?.kind).toBe('MODIFY');
  });

  it('changeOfRecord: a key of another program has the type `unknown`', () => {
    const foreign = { pk: { S: 'SOMETHING#else' }, sk: { S: 'x' } };
    const change = changeOfRecord(record({}, { Keys: foreign, OldImage: foreign }), 's');
    expect(change?.key).toEqual({ type: 'unknown' });
  });

  it('changeOfRecord: an unreadable record has the key of its item and the error', () => {
    // This is how the SDK returns a type of value that it does not know.
    const odd = { ...keysOf, n: { $unknown: ['X', 'from later'] } } as unknown as typeof keysOf;
    const unreadable = { item: { pk: keysOf.pk.S, sk: keysOf.sk.S }, error: expect.any(Error) };
    const change = changeOfRecord(record({ eventName: 'INSERT' }, { NewImage: odd }), 's', 'x');
    expect(change).toMatchObject({ stream: 's', shard: 'x', kind: 'INSERT', unreadable });
    expect(change?.key).toEqual(changeOfRecord(record({}, {}), 's')?.key);
    expect(change).not.toHaveProperty('new');
    const lambda = changeOfLambdaRecord({
      eventName: 'MODIFY',
      eventSourceARN: ARN,
      dynamodb: { SequenceNumber: '1', Keys: keysOf, OldImage: JSON.parse('{ "n": null }') },
    });
    expect(lambda).toMatchObject({ kind: 'MODIFY', unreadable });
  });

  it('changeOfRecord: an item that an emulator is about to delete for its age has expired', () => {
    const marked = { ...keysOf, expiring: { BOOL: true } };
    const removal = record({ eventName: 'REMOVE' }, { OldImage: marked });
    expect(changeOfRecord(removal, 's')).toMatchObject({ kind: 'REMOVE', expired: true });
    const mark = record({ eventName: 'MODIFY' }, { OldImage: keysOf, NewImage: marked });
    expect(changeOfRecord(mark, 's')).toBeUndefined();
  });

  it('changeOfRecord: skips records without a key or a sequence number', () => {
    expect(changeOfRecord({ eventName: 'INSERT' }, 's')).toBeUndefined();
    expect(changeOfRecord({ eventName: 'INSERT', dynamodb: { SequenceNumber: '1' } }, 's')).toBeUndefined();
  });

  it('changeOfLambdaRecord: returns the same change as changeOfRecord, also with binary values', () => {
    const lambda = changeOfLambdaRecord({
      eventName: 'REMOVE',
      eventSourceARN: ARN,
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
      dynamodb: {
        SequenceNumber: '4421584500000000017450439091',
        Keys: keysOf,
        OldImage: {
          ...keysOf,
          blob: { B: 'AQID' },
          deep: { M: { list: { L: [{ B: 'BA==' }, { NULL: true }, { BOOL: false }] } } },
          set: { NS: ['1', '2'] },
        },
      },
    });
    const sdk = changeOfRecord(
      record(
        { userIdentity: { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' } },
        {
          SequenceNumber: '4421584500000000017450439091',
          OldImage: {
            ...keysOf,
            blob: { B: new Uint8Array([1, 2, 3]) },
            deep: { M: { list: { L: [{ B: new Uint8Array([4]) }, { NULL: true }, { BOOL: false }] } } },
            set: { NS: ['1', '2'] },
          },
        },
      ),
      '2026-11-20T10:11:12.345',
    );
    expect(lambda).toEqual(sdk);
    expect(lambda?.expired).toBe(true);
  });
});

describe('compareSequences', () => {
  it('compareSequences: compares numbers of any length', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 40n - 1n });
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        expect(Math.sign(compareSequences(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

describe('streamLabel', () => {
  it('streamLabel: returns the text after /stream/', () => {
    expect(streamLabel(ARN)).toBe('2026-11-20T10:11:12.345');
    expect(() => streamLabel('arn:aws:dynamodb:eu-central-1:123456789012:table/tsudoi')).toThrow(/ARN/);
  });
});
