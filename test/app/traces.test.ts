/** Traces as a collector receives them. */
import { AsyncResource } from 'node:async_hooks';
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { DELIVERY_WINDOWS } from '../../src/core/deliveryKinds.ts';
import { createLog } from '../../src/core/log.ts';
import type { Span, Tracer } from '../../src/core/trace.ts';
import { currentSpan } from '../../src/core/work.ts';
import { SEND_KIND } from '../../src/delivery/channels/send.ts';
import { timerItem } from '../../src/timers/timer.ts';
import { startReceiver } from '../delivery/support/receiver.ts';
import { graphql } from '../generated/gql.ts';
import { startServer } from '../server/support/server.ts';
import { CreateRoom, SendMessage } from '../support/clients/operations.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { startTestApp, type TestAppOptions } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Collector, type ReceivedSpan, startCollector } from './support/collector.ts';
import { readMetrics } from './support/metrics.ts';

const TracedEvents = graphql(`
  subscription TracedEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }
  }
`);

const BODY = 'Do not trace this text';

/** Sends a message with a reader in the room, and stops the server. */
async function sendOne(options: TestAppOptions): Promise<void> {
  const app = await startTestApp(options);
  try {
    const aki = await app.as('aki');
    const { room } = (await aki.do(CreateRoom, { input: { name: 'Tea', visibility: 'PUBLIC' } })).createRoom;
    const events = aki.subscribe(TracedEvents, { roomId: room.id });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    await aki.do(SendMessage, { input: { roomId: room.id, body: BODY } });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
    await app.quiet();
  } finally {
    await app.stop();
  }
}

async function collector(options?: { readonly status?: number }): Promise<Collector> {
  const started = await startCollector(options);
  onTestFinished(() => started.stop());
  return started;
}

const to = ({ url }: Collector, ratio = 1) => ({
  config: { traces: { endpoint: url, ratio, service: 'chat' } },
});

test('a message is one trace from the operation to the socket; the consumer refers to it', async () => {
  const received = await collector();
  await sendOne(to(received));
  const { spans } = received;
  const named = (name: string): ReceivedSpan => {
    const found = spans.filter((span) => span.name === name);
    expect(found, name).toHaveLength(1);
    return found[0] as ReceivedSpan;
  };
  const below = ({ spanId }: ReceivedSpan) =>
    spans.filter(({ parentId }) => parentId === spanId).map(({ name }) => name);

  const sending = named('sendMessage');
  expect(sending).toMatchObject({
    parentId: '',
    service: 'chat',
    failed: false,
    attributes: { transport: 'http', type: 'mutation', code: 'OK', requestId: expect.any(String) },
  });
  expect(below(sending)).toContain('DynamoDB TransactWriteItems');
  const writing = spans.find(
    ({ parentId, name }) => parentId === sending.spanId && name.endsWith('TransactWriteItems'),
  );
  expect(writing?.attributes).toEqual({
    readUnits: 0,
    // DynamoDB Local charges only one of a transaction's writes.
    writeUnits: onDynamoDbLocal ? 2 : 4,
  });

  const reached = named('commit to socket');
  expect(reached).toMatchObject({ traceId: sending.traceId, parentId: sending.spanId });
  expect(reached.startedAt).toBeGreaterThanOrEqual(Math.floor(sending.startedAt));
  expect(reached.endedAt).toBeGreaterThanOrEqual(writing?.endedAt ?? Number.POSITIVE_INFINITY);

  const deriving = named('consumer: events');
  expect(deriving).toMatchObject({ parentId: '', links: [sending.spanId] });
  expect(deriving.traceId).not.toBe(sending.traceId);
  expect(below(deriving)).toEqual(expect.arrayContaining(['DynamoDB TransactWriteItems', 'publish room']));

  expect(named('roomEvents').attributes.type).toBe('subscription');
  expect(JSON.stringify(spans)).not.toContain(BODY);
});

test('what an open subscription does later is not part of its start, and does not keep its span', async () => {
  const ended: string[] = [];
  const tracer: Tracer = {
    begin: (id): Span => ({ id, child: expect.unreachable, set() {}, end: () => void ended.push(id) }),
  };
  let goOn = () => {};
  const later = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const name = () => currentSpan()?.id ?? 'none';
  const spans = {
    type: GraphQLString,
    subscribe() {
      const first = name();
      // As a timer or a listener that is created now.
      const second = AsyncResource.bind(name);
      return (async function* () {
        yield { spans: first };
        await later;
        yield { spans: second() };
      })();
    },
  };
  const query = new GraphQLObjectType({ name: 'Query', fields: { none: { type: GraphQLString } } });
  const subscription = new GraphQLObjectType({ name: 'Subscription', fields: { spans } });
  const { session } = await startServer({ schema: new GraphQLSchema({ query, subscription }), tracer });
  const socket = await session();
  socket.subscribe('1', 'subscription { spans }');
  expect(await socket.next()).toMatchObject({ payload: { data: { spans: 'spans' } } });
  expect(ended).toEqual(['spans']);
  goOn();
  expect(await socket.next()).toMatchObject({ payload: { data: { spans: 'none' } } });
});

test('a delivery is part of the trace of its timer; a timer whose handler fails has an error', async () => {
  const received = await collector();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const { traces } = to(received).config;
  const app = await startTestApp({
    timersMs: 200,
    config: {
      traces,
      webhooks: [{ ...receiver.config, kinds: ['MENTION'] }],
      webhookPrivateHosts: ['127.0.0.1'],
      deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
    },
  });
  try {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    await say(ben, roomId, `${BODY}, @${aki.handle}`);
    await receiver.arrived(1);
    // Without what the kind needs.
    await app.dynamo.put(
      timerItem({ id: 'broken', kind: SEND_KIND, due: Date.now(), about: {}, owner: 'o' }),
    );
    const failed = { kind: SEND_KIND, outcome: 'retried' };
    await eventually(async () =>
      expect((await readMetrics(app.url)).value('tsudoi_timers_total', failed)).toBe(1),
    );
  } finally {
    await app.stop();
  }
  const { spans } = received;
  const [delivery, ...more] = spans.filter(({ name }) => name === 'delivery: WEBHOOK');
  expect(more).toEqual([]);
  expect(delivery).toMatchObject({ failed: false, attributes: { messages: 1, outcome: 'sent' } });
  const timers = spans.filter(({ name }) => name === `timer: ${SEND_KIND}`);
  expect(timers.map(({ parentId }) => parentId)).toEqual(timers.map(() => ''));
  const sending = timers.find(({ spanId }) => spanId === delivery?.parentId);
  expect(sending).toMatchObject({ traceId: delivery?.traceId, failed: false });
  // It ends after what it has caused: the delivery, and the deletion of the timer. OpenTelemetry begins each span at a
  // whole millisecond and adds what has passed, so times of two spans differ by up to one.
  const below = spans.filter(({ parentId }) => parentId === sending?.spanId);
  expect(below.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['DynamoDB GetItem', 'DynamoDB DeleteItem']),
  );
  expect(Math.max(...below.map(({ endedAt }) => endedAt))).toBeLessThanOrEqual((sending?.endedAt ?? 0) + 1);
  expect(timers.filter((span) => span.failed)).toHaveLength(1);
  expect(JSON.stringify(spans)).not.toContain(BODY);
});

test('an operation that is refused has its code', async () => {
  const received = await collector();
  const app = await startTestApp(to(received));
  const aki = await app.as('aki');
  expect(await aki.refused(SendMessage, { input: { roomId: 'bm9uZQ==', body: BODY } })).toBeDefined();
  await app.stop();
  expect(received.spans.find(({ name }) => name === 'sendMessage')?.attributes.code).toMatch(/^[A-Z_]+$/);
});

test('a ratio of 0 records nothing, and marks no message', async () => {
  const received = await collector();
  await sendOne(to(received, 0));
  expect(received.spans).toEqual([]);
});

test('a collector that fails is one line of the log, and nothing else notices', async () => {
  const lines: Array<Record<string, unknown>> = [];
  const log = createLog({ level: 'warn', to: { write: (text) => lines.push(JSON.parse(text)) } });
  await sendOne({ ...to(await collector({ status: 400 })), log });
  const ofTraces = lines.filter(({ msg }) => String(msg).startsWith('Traces'));
  expect(ofTraces).toMatchObject([{ msg: 'Traces cannot be sent; they are dropped until it works again' }]);
});
