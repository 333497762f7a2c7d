import { describe, expect, it } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { createDeadLetters, listDeadLetters } from '../../src/stream/deadLetters.ts';
import { until, upTo, useConsumerStage } from './consumerStage.ts';
import type { Json } from './faultProxy.ts';
import { createRecorder, createTestLog, numbers, rootKey } from './support.ts';

const stage = useConsumerStage();

describe('a poison change', () => {
  it('becomes a dead letter with its error; the others flow, and it can be listed', async () => {
    const poisoned = createRecorder({
      name: 'picky',
      fail: (changes) => {
        if (changes.some((change) => change.new?.n === 3)) throw new RangeError('three '.repeat(1_000));
      },
    });
    const other = createRecorder({ name: 'other' });
    for (const n of upTo(6)) await stage.put(n);
    const consumer = await stage.started({ handlers: [poisoned, other] });
    await until(() => expect(numbers(poisoned.handled)).toEqual([1, 2, 4, 5, 6]));
    expect(numbers(other.handled)).toEqual(upTo(6));
    expect(consumer.state().deadLetters).toBe(1);
    const page = await listDeadLetters({ dynamo: stage.db.dynamo, stream: stage.label });
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
    const [item] = (await stage.db.dynamo.query(ranges.aside(stage.label), { limit: 1 })).items;
    expect(Number(item?.expiresAt) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 3600);
  });

  it('that two handlers refuse is kept with both errors, once, after a replay too', async () => {
    const refuse = (name: string) =>
      createRecorder({
        name,
        fail: () => {
          throw new Error(`${name} refuses`);
        },
      });
    await stage.put(1);
    for (const _ of upTo(2)) {
      const consumer = await stage.started({ handlers: [refuse('a'), refuse('b')] });
      await until(() => expect(consumer.state().deadLetters).toBe(2));
      await consumer.stop();
      await stage.db.dynamo.remove(keys.shard(stage.label, stage.shard));
    }
    const page = await listDeadLetters({ dynamo: stage.db.dynamo, stream: stage.label });
    expect(page.deadLetters.map(({ failures }) => failures.map(({ message }) => message).sort())).toEqual([
      ['a refuses', 'b refuses'],
    ]);
  });

  it('is listed page by page', async () => {
    const deadLetter = createDeadLetters({ dynamo: stage.db.dynamo });
    for (const n of [9, 100, 10]) {
      const change = { stream: stage.label, sequence: String(n), kind: 'REMOVE' as const, expired: false };
      await deadLetter(
        { ...change, key: { type: 'unknown' }, old: { ...rootKey('r', n) } },
        'h',
        'not even an error',
      );
    }
    const first = await listDeadLetters({ dynamo: stage.db.dynamo, stream: stage.label, limit: 2 });
    expect(first.more).toBe(true);
    expect(first.deadLetters.map(({ sequence }) => sequence)).toEqual(['9', '10']);
    const second = await listDeadLetters({
      dynamo: stage.db.dynamo,
      stream: stage.label,
      limit: 2,
      after: '10',
    });
    expect(second).toMatchObject({
      more: false,
      deadLetters: [{ sequence: '100', item: rootKey('r', 100) }],
    });
  });
});

describe('a record that cannot be read', () => {
  /** Gives the item an unknown type of value. */
  const garble = (image: Json | undefined, n: number) => {
    if (image?.n?.N === String(n)) image.odd = { X: 'from later' };
  };

  it('becomes a dead letter for each handler of its type; the others flow', async () => {
    stage.proxy.rewrite('GetRecords', (page) => {
      for (const { dynamodb } of page.Records) garble(dynamodb.NewImage, 3);
      return page;
    });
    const recorders = ['one', 'another'].map((name) => createRecorder({ name }));
    const stranger = createRecorder({ name: 'stranger', itemTypes: ['user'] });
    const { log, lines } = createTestLog();
    const consumer = await stage.started({ handlers: [...recorders, stranger], log });
    for (const n of upTo(5)) await stage.put(n);
    for (const { handled } of recorders) await until(() => expect(numbers(handled)).toEqual([1, 2, 4, 5]));
    await until(() => expect(consumer.checkpoint()).toBeDefined());
    expect(consumer.state()).toMatchObject({ deadLetters: 2 });
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2);
    expect(
      (await listDeadLetters({ dynamo: stage.db.dynamo, stream: stage.label })).deadLetters,
    ).toMatchObject([
      { kind: 'INSERT', item: rootKey('r', 3), failures: [{ handler: 'another' }, { handler: 'one' }] },
    ]);
  });
});
