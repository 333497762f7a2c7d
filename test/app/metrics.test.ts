/** What a running server says of itself at `/metrics`. */
import { expect, onTestFinished, test } from 'vitest';
import { createMetering } from '../../src/app/metering.ts';
import { createLog } from '../../src/core/log.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { ServiceError } from '../../src/dynamo/errors.ts';
import { graphql } from '../generated/gql.ts';
import { CreateRoom, SendMessage, Timeline } from '../support/clients/operations.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { readMetrics } from './support/metrics.ts';

/** DynamoDB Local charges only one of a transaction's writes. */
const TRANSACTION_UNITS = onDynamoDbLocal ? 2 : 4;

const Events = graphql(`
  subscription MetricsEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }
  }
`);

test('DynamoDB: calls, units and times are counted by what they are for', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const aki = await app.as('aki');
  const { room } = (await aki.do(CreateRoom, { input: { name: 'Tea', visibility: 'PUBLIC' } })).createRoom;
  const before = await readMetrics(app.url);
  await aki.do(SendMessage, { input: { roomId: room.id, body: 'Hello' } });
  await aki.do(Timeline, { roomId: room.id, last: 10 });
  await app.quiet();
  const after = await readMetrics(app.url);
  const rise = (name: string, labels: Record<string, string>) =>
    after.value(name, labels) - before.value(name, labels);

  // The transaction, and the author's profile for the answer.
  expect(rise('tsudoi_dynamodb_call_seconds_count', { pattern: 'sendMessage' })).toBe(2);
  expect(
    rise('tsudoi_dynamodb_write_units_total', { pattern: 'sendMessage', operation: 'TransactWriteItems' }),
  ).toBe(TRANSACTION_UNITS);
  expect(rise('tsudoi_dynamodb_read_units_total', { pattern: 'Room.messages', operation: 'Query' })).toBe(1);
  expect(
    rise('tsudoi_dynamodb_write_units_total', {
      pattern: 'consumer: events',
      operation: 'TransactWriteItems',
    }),
  ).toBeGreaterThan(0);
  expect(after.value('tsudoi_dynamodb_call_seconds_count', { pattern: 'timers' })).toBeGreaterThan(0);
});

test('DynamoDB: a condition that did not hold is counted as refused', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const aki = await app.as('aki');
  const { room } = (await aki.do(CreateRoom, { input: { name: 'Tea', visibility: 'PUBLIC' } })).createRoom;
  const ben = await app.as('ben');
  expect(await ben.refused(SendMessage, { input: { roomId: room.id, body: 'Hello' } })).toBeDefined();
  const { value } = await readMetrics(app.url);
  expect(value('tsudoi_dynamodb_failures_total', { pattern: 'sendMessage', reason: 'refused' })).toBe(1);
});

test('messages: their age is measured once, when the first reader has got them', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const [aki, again] = [await app.as('aki'), await app.as('aki')];
  const { room } = (await aki.do(CreateRoom, { input: { name: 'Tea', visibility: 'PUBLIC' } })).createRoom;
  const readers = [aki, again].map((client) => client.subscribe(Events, { roomId: room.id }));
  for (const reader of readers) await reader.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
  await aki.do(SendMessage, { input: { roomId: room.id, body: 'Hello' } });
  for (const reader of readers)
    await reader.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
  const { value } = await readMetrics(app.url);
  expect(value('tsudoi_message_lag_seconds_count')).toBe(1);
  expect(value('tsudoi_message_lag_seconds_sum')).toBeGreaterThan(0);
  expect(value('tsudoi_cache_entries', { cache: 'rooms' })).toBe(1);
  expect(value('tsudoi_cache_bytes', { cache: 'documents' })).toBeGreaterThan(100);
});

test('gauges: the bus, the consumer and the timers', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  await eventually(async () => {
    const { value } = await readMetrics(app.url);
    expect(value('tsudoi_bus_up')).toBe(1);
    expect(value('tsudoi_stream_lag_seconds')).toBeLessThan(60);
    expect(value('tsudoi_timers_overdue')).toBe(0);
    expect(value('tsudoi_oldest_timer_seconds')).toBe(0);
  });
});

test('slow calls: one line a second for each pattern, with what was left out', () => {
  const lines: Array<Record<string, unknown>> = [];
  const log = createLog({ level: 'info', to: { write: (text) => lines.push(JSON.parse(text)) } });
  let now = 0;
  const { onCost, onFailure } = createMetering({ metrics: createMetrics(), log, now: () => now });
  const call = { operation: 'Query', readUnits: 7, writeUnits: 0 } as const;
  onCost({ ...call, pattern: 'Room.messages', ms: 99 });
  onCost({ ...call, pattern: 'Room.messages', ms: 120.4 });
  onCost({ ...call, pattern: 'Room.messages', ms: 150 });
  onFailure({ operation: 'PutItem', pattern: 'sendMessage', ms: 2_500, reason: 'outage' });
  now = 1_000;
  onCost({ ...call, pattern: 'Room.messages', ms: 110 });
  const slow = { event: 'slow_call', operation: 'Query', pattern: 'Room.messages', readUnits: 7 };
  expect(lines).toMatchObject([
    { ...slow, ms: 120, leftOut: 0 },
    { pattern: 'sendMessage', ms: 2_500, reason: 'outage' },
    { ...slow, ms: 110, leftOut: 1 },
  ]);
});

test('a process that DynamoDB refuses: one line a minute for each operation and error', () => {
  const lines: Array<Record<string, unknown>> = [];
  const log = createLog({ level: 'info', to: { write: (text) => lines.push(JSON.parse(text)) } });
  let now = 0;
  const { onFailure } = createMetering({ metrics: createMetrics(), log, now: () => now });
  const refusal = new ServiceError('AccessDeniedException', 'You may not.', { status: 400 });
  const call = { pattern: 'sendMessage', ms: 5, reason: 'outage', refusal } as const;
  onFailure({ ...call, operation: 'PutItem' });
  onFailure({ ...call, operation: 'Query' });
  now = 59_999;
  onFailure({ ...call, operation: 'PutItem' });
  expect(lines).toMatchObject([
    { operation: 'PutItem', pattern: 'sendMessage', err: { error: 'AccessDeniedException' } },
    { operation: 'Query' },
  ]);
  now = 60_000;
  onFailure({ ...call, operation: 'PutItem' });
  expect(lines).toHaveLength(3);
});

test('slow calls: those of the embedded database are for debugging', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', to: { write: (text) => lines.push(text) } });
  const { onCost } = createMetering({ metrics: createMetrics(), log, slowCalls: 'debug' });
  onCost({ operation: 'Query', pattern: 'Room.messages', ms: 500, readUnits: 7, writeUnits: 0 });
  expect(lines).toEqual([]);
});

test('gauges: what a process does not know is absent, and not 0: alerts ring when no process has it', async () => {
  const metrics = createMetrics();
  const known = async () => [...(await metrics.registry.metrics()).matchAll(/^(tsudoi_\w+) (\S+)$/gm)];
  const names = async () => (await known()).map(([, name]) => name);
  expect(await names()).not.toContain('tsudoi_stream_lag_seconds');
  expect(await names()).not.toContain('tsudoi_oldest_timer_seconds');
  metrics.watched.streamLag = () => 7;
  expect((await known()).map(([line]) => line)).toContain('tsudoi_stream_lag_seconds 7');
  delete metrics.watched.streamLag;
  expect(await names()).not.toContain('tsudoi_stream_lag_seconds');
});
