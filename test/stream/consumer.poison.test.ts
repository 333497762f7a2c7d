import { describe, expect, it } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { createDeadLetters } from '../../src/stream/deadLetters.ts';
import { until, upTo, useConsumerFixture } from './support/consumerFixture.ts';
import { listDeadLetters } from './support/deadLetters.ts';
import type { Json } from './support/faultProxy.ts';
import { createRecorder, createTestLog, numbers, rootKey } from './support/stream.ts';

const fixture = useConsumerFixture();

describe('createConsumer: a change that a handler cannot process', () => {
  it('createConsumer: a change that cannot be processed becomes a dead letter with its error, and others are handled', async () => {
    const poisoned = createRecorder({
      name: 'picky',
      fail: (changes) => {
        if (changes.some((change) => change.new?.n === 3)) throw new RangeError('three '.repeat(1_000));
      },
    });
    const other = createRecorder({ name: 'other' });
    for (const n of upTo(6)) await fixture.put(n);
    const consumer = await fixture.started({ handlers: [poisoned, other] });
    await until(() => expect(numbers(poisoned.handled)).toEqual([1, 2, 4, 5, 6]));
    expect(numbers(other.handled)).toEqual(upTo(6));
    expect(consumer.state().deadLetters).toBe(1);
    const page = await listDeadLetters({ dynamo: fixture.db.dynamo, stream: fixture.label });
    expect(page).toEqual({
      more: false,
      deadLetters: [
        {
          sequence: other.handled[2]?.sequence,
          kind: 'INSERT',
          item: rootKey('r', 3),
          failures: [
            { handler: 'picky', error: 'RangeError', message: expect.any(String), at: expect.any(Number) },
          ],
        },
      ],
    });
    expect(page.deadLetters[0]?.failures[0]?.message).toHaveLength(1_000);
    const [item] = (await fixture.db.dynamo.query(ranges.deadLetters(fixture.label), { limit: 1 })).items;
    expect(Number(item?.expiresAt) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 3600);
  });

  it('createConsumer: one dead letter has the errors of both handlers, also after a replay', async () => {
    const refuse = (name: string) =>
      createRecorder({
        name,
        fail: () => {
          throw new Error(`${name} refuses`);
        },
      });
    await fixture.put(1);
    for (const _ of upTo(2)) {
      const consumer = await fixture.started({ handlers: [refuse('a'), refuse('b')] });
      await until(() => expect(consumer.state().deadLetters).toBe(2));
      await consumer.stop();
      await fixture.db.dynamo.remove(keys.shard(fixture.label, fixture.shard));
    }
    const page = await listDeadLetters({ dynamo: fixture.db.dynamo, stream: fixture.label });
    expect(page.deadLetters.map(({ failures }) => failures.map(({ message }) => message).sort())).toEqual([
      ['a refuses', 'b refuses'],
    ]);
  });

  it('createDeadLetters: stores them in the order of the stream', async () => {
    const deadLetter = createDeadLetters({ dynamo: fixture.db.dynamo });
    for (const n of [9, 100, 10]) {
      const change = { stream: fixture.label, sequence: String(n), kind: 'REMOVE' as const, expired: false };
      await deadLetter(
        { ...change, key: { type: 'unknown' }, old: { ...rootKey('r', n) } },
        'h',
        'not even an error',
      );
    }
    const first = await listDeadLetters({ dynamo: fixture.db.dynamo, stream: fixture.label, limit: 2 });
    expect(first.more).toBe(true);
    expect(first.deadLetters.map(({ sequence }) => sequence)).toEqual(['9', '10']);
    const second = await listDeadLetters({
      dynamo: fixture.db.dynamo,
      stream: fixture.label,
      limit: 2,
      after: '10',
    });
    expect(second).toMatchObject({
      more: false,
      deadLetters: [{ sequence: '100', item: rootKey('r', 100) }],
    });
  });
});

describe('createConsumer: a record that cannot be read', () => {
  /** Gives the item an unknown type of value. */
  const garble = (image: Json | undefined, n: number) => {
    if (image?.n?.N === String(n)) image.odd = { X: 'from later' };
  };

  it('createConsumer: an unreadable record becomes a dead letter for each handler of its type, and others are handled', async () => {
    fixture.proxy.rewrite('GetRecords', (page) => {
      for (const { dynamodb } of page.Records) garble(dynamodb.NewImage, 3);
      return page;
    });
    const recorders = ['one', 'another'].map((name) => createRecorder({ name }));
    const stranger = createRecorder({ name: 'stranger', itemTypes: ['user'] });
    const { log, lines } = createTestLog();
    const consumer = await fixture.started({ handlers: [...recorders, stranger], log });
    for (const n of upTo(5)) await fixture.put(n);
    for (const { handled } of recorders) await until(() => expect(numbers(handled)).toEqual([1, 2, 4, 5]));
    await until(() => expect(consumer.checkpoint()).toBeDefined());
    expect(consumer.state()).toMatchObject({ deadLetters: 2 });
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2);
    expect(
      (await listDeadLetters({ dynamo: fixture.db.dynamo, stream: fixture.label })).deadLetters,
    ).toMatchObject([
      { kind: 'INSERT', item: rootKey('r', 3), failures: [{ handler: 'another' }, { handler: 'one' }] },
    ]);
  });
});
