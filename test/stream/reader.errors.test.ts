import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/dynamo/connect.ts';
import type { Change } from '../../src/stream/change.ts';
import { dynamodbClient } from '../support/database/dynamo.ts';
import { hastyClock } from '../support/time/clock.ts';
import { until, upTo } from './support/consumerFixture.ts';
import { useReaderFixture } from './support/readerFixture.ts';
import { createTestLog, numbers } from './support/stream.ts';

const fixture = useReaderFixture();

describe('createReader: errors', () => {
  it('errors: an expired iterator is replaced, and no record is lost or repeated', async () => {
    for (const n of upTo(3)) await fixture.put(n);
    const { handled } = fixture.start();
    await until(() => expect(handled).toHaveLength(3));
    fixture.proxy.fail('GetRecords', 'ExpiredIteratorException');
    for (const n of [4, 5]) await fixture.put(n);
    await until(() => expect(numbers(handled)).toEqual(upTo(5)));
  });

  it('errors: throttling, faults and lost connections are retried, and logged once', async () => {
    const { log, lines } = createTestLog();
    const handled: Change[] = [];
    let failing = 0;
    fixture.proxy.onRequest('GetRecords', () => {
      if (failing > 0 && --failing === 0) fixture.proxy.mode = 'refuse';
    });
    /** The errors begin and end after a poll that worked, because on a busy machine other polls may fail as well. */
    async function handle(changes: readonly Change[]): Promise<void> {
      handled.push(...changes);
      if (handled.length > 1) return fixture.stop();
      await fixture.put(2);
      lines.length = 0;
      fixture.proxy.fail('GetRecords', 'LimitExceededException', 4);
      fixture.proxy.fail('GetRecords', 'InternalServerError', 4);
      failing = 8;
    }
    const { reader, end } = fixture.start({ log, handle });
    await fixture.put(1);
    await until(() => expect(fixture.proxy.mode).toBe('refuse'));
    const before = fixture.proxy.count('GetShardIterator');
    await until(() => expect(fixture.proxy.count('GetShardIterator')).toBeGreaterThan(before + 5));
    fixture.proxy.mode = 'pass';
    expect(await end).toBe('stopped');
    expect(numbers(handled)).toEqual([1, 2]);
    expect(reader.reachable).toBe(true);
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('errors: a request without an answer is given up and repeated', async () => {
    // Less than tests usually have, because it passes in full.
    const timeouts = { attemptMs: 500, callMs: 1_000 };
    const impatient = connect({ endpoint: fixture.proxy.endpoint, via: dynamodbClient, timeouts });
    onTestFinished(() => impatient.destroy());
    const { handled, reader } = fixture.start({ streams: impatient.streams });
    await until(() => expect(reader.polledAt).toBeDefined());
    fixture.proxy.mode = 'silent';
    await until(() => expect(reader.reachable).toBe(false));
    await fixture.put(1);
    fixture.proxy.mode = 'pass';
    await until(() => expect(handled).toHaveLength(1));
  });

  it('errors: a first read that is refused as trimmed (DynamoDB Local may do so) needs no rebuild', async () => {
    fixture.proxy.fail('GetRecords', 'TrimmedDataAccessException');
    await fixture.put(1);
    const { handled } = fixture.start();
    await until(() => expect(handled).toHaveLength(1));
  });

  it.each(['GetRecords', 'GetShardIterator'] as const)(
    'errors: a trimmed checkpoint (reported by %s) starts the rebuild, then reading from the oldest record',
    async (operation) => {
      for (const n of upTo(3)) await fixture.put(n);
      const before = fixture.start();
      await until(() => expect(before.handled).toHaveLength(3));
      fixture.stop();
      await before.end;
      fixture.proxy.fail(operation, 'TrimmedDataAccessException', 3);
      const order: string[] = [];
      const { handled, reader } = fixture.start({
        checkpoint: before.handled[1]?.sequence,
        clock: hastyClock,
        handle: async (changes) => {
          order.push(...numbers(changes).map(String));
        },
        onTrimmed: async () => {
          expect(reader.position).toBe(before.handled[1]?.sequence);
          order.push('rebuild');
        },
      });
      await until(() => expect(order).toEqual(['rebuild', '1', '2', '3']));
      expect(handled).toEqual([]);
    },
  );
});
