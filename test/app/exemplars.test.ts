/** The metrics of what is traced name traces, in the format that has room for them. */
import { expect, onTestFinished, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { CreateRoom, SendMessage } from '../support/clients/operations.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Collector, startCollector } from './support/collector.ts';
import { exemplarsIn, OPEN_METRICS } from './support/metrics.ts';
import { prometheusAvailable, startPrometheus } from './support/prometheus.ts';

const ExemplarEvents = graphql(`
  subscription ExemplarEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }
  }
`);

/** What traces explain. */
const TRACED = ['tsudoi_dynamodb_call_seconds', 'tsudoi_message_lag_seconds', 'tsudoi_operation_seconds'];

/** A server in which a message was sent and has reached a reader. */
async function serverWithMessage(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(options);
  let stopping: Promise<void> | undefined;
  /** Tests stop it before they look at the spans, which are sent then. */
  const stop = () => (stopping ??= app.stop());
  onTestFinished(stop);
  const aki = await app.as('aki');
  const { room } = (await aki.do(CreateRoom, { input: { name: 'Tea', visibility: 'PUBLIC' } })).createRoom;
  const events = aki.subscribe(ExemplarEvents, { roomId: room.id });
  await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
  await aki.do(SendMessage, { input: { roomId: room.id, body: 'Hello' } });
  await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
  return { ...app, stop };
}

async function tracing(ratio = 1): Promise<{ collector: Collector; options: TestAppOptions }> {
  const collector = await startCollector();
  onTestFinished(() => collector.stop());
  return { collector, options: { config: { traces: { endpoint: collector.url, ratio, service: 'chat' } } } };
}

async function scrape(app: TestApp, accept?: string): Promise<{ type: string | null; text: string }> {
  const response = await fetch(`${app.url}/metrics`, accept === undefined ? {} : { headers: { accept } });
  return { type: response.headers.get('content-type'), text: await response.text() };
}

/** The names of the values. Those of a process change from scrape to scrape. */
const namesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/^(tsudoi_\w+)/gm)].map(([, name = '']) => name))].sort();

test('exemplars: each names a trace that the collector receives, and the part of it that took this time', async () => {
  const { collector, options } = await tracing();
  const app = await serverWithMessage(options);
  const { text } = await scrape(app, OPEN_METRICS);
  await app.stop();
  const exemplars = exemplarsIn(text);
  expect([...new Set(exemplars.map(({ name }) => name.replace(/_bucket$/, '')))].sort()).toEqual(TRACED);
  for (const { name, traceId, spanId, value, le } of exemplars) {
    const span = collector.spans.find((one) => one.spanId === spanId);
    expect(span?.traceId).toBe(traceId);
    expect(value).toBeLessThanOrEqual(le);
    if (name.includes('dynamodb')) expect(span?.name).toMatch(/^DynamoDB /);
    if (name.includes('lag')) expect(span?.name).toBe('sendMessage');
  }
});

test('exemplars: one for each bucket, the newest', async () => {
  const { collector, options } = await tracing();
  const app = await serverWithMessage(options);
  const aki = await app.as('aki');
  const { room } = (await aki.do(CreateRoom, { input: { name: 'Tea', visibility: 'PUBLIC' } })).createRoom;
  for (let n = 0; n < 50; n++) await aki.do(SendMessage, { input: { roomId: room.id, body: `${n}` } });
  const { text } = await scrape(app, OPEN_METRICS);
  await app.stop();
  const ofMutations = exemplarsIn(text).filter(
    ({ name, labels }) => name.startsWith('tsudoi_operation') && labels.includes('type="mutation"'),
  );
  const buckets = ofMutations.map(({ le }) => le);
  expect(new Set(buckets).size).toBe(buckets.length);
  const last = collector.spans.filter(({ name }) => name === 'sendMessage').at(-1);
  expect(ofMutations.map(({ spanId }) => spanId)).toContain(last?.spanId);
});

/** What scrapers and people send that get the plain text. */
const PLAIN = [
  undefined,
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  '*/*',
  'text/plain;version=0.0.4',
  'application/openmetrics-text;q=0.5,text/plain',
];

test('formats: plain text without exemplars, unless OpenMetrics is preferred', async () => {
  const { options } = await tracing();
  const app = await serverWithMessage(options);
  await scrape(app, OPEN_METRICS);
  for (const accept of PLAIN) {
    const { type, text } = await scrape(app, accept);
    expect(type, accept).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).not.toContain(' # {');
    expect(text).not.toContain('# EOF');
    expect(text).toContain('# TYPE tsudoi_operations_total counter');
  }
});

test('formats: the values have the same names in both, also after both were read', async () => {
  const app = await serverWithMessage();
  const plain = await scrape(app);
  const open = await scrape(app, OPEN_METRICS);
  expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(open.text).toMatch(/^# TYPE tsudoi_operations counter$/m);
  expect(open.text.endsWith('\n# EOF\n')).toBe(true);
  expect(namesIn(plain.text)).toContain('tsudoi_operations_total');
  expect(namesIn(open.text)).toEqual(namesIn(plain.text));
  expect(namesIn((await scrape(app)).text)).toEqual(namesIn(plain.text));
  const sent = 'tsudoi_operations_total{transport="http",type="mutation",code="OK"} 2';
  for (const { text } of [plain, open]) expect(text.split('\n')).toContain(sent);
});

test('exemplars: none for what is not traced', async () => {
  for (const options of [{}, (await tracing(0)).options]) {
    const { text } = await scrape(await serverWithMessage(options), OPEN_METRICS);
    expect(text).toContain('tsudoi_message_lag_seconds_count 1');
    expect(exemplarsIn(text)).toEqual([]);
  }
});

test.skipIf(!prometheusAvailable)('Prometheus asks for them, and keeps them', async () => {
  const { collector, options } = await tracing();
  const app = await serverWithMessage(options);
  const prometheus = await startPrometheus(new URL(app.url).host);
  onTestFinished(() => prometheus.stop());
  const found = await eventually(async () => {
    const names = await Promise.all(TRACED.map((name) => prometheus.traceIds(`${name}_bucket`)));
    for (const ids of names) expect(ids.length).toBeGreaterThan(0);
    return names.flat();
  }, 200);
  expect(await prometheus.value('up')).toBe(1);
  expect(await prometheus.value('sum(tsudoi_operations_total{type="mutation",code="OK"})')).toBe(2);
  await app.stop();
  const received = new Set(collector.spans.map(({ traceId }) => traceId));
  expect(found.filter((id) => !received.has(id))).toEqual([]);
});
