/** Each query of the dashboard, by Prometheus' own engine, on the metrics of a real server. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DELIVERY_WINDOWS } from '../../src/core/deliveryKinds.ts';
import { idFrom } from '../../src/core/ids.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { startReceiver } from '../delivery/support/receiver.ts';
import { graphql } from '../generated/gql.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { isHere } from '../support/machine/needs.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { evaluate, type Scrape, scrape, scrapeOf, together } from './support/promtool.ts';

const DASHBOARD = join(import.meta.dirname, '../../ops/grafana/tsudoi.json');

const DashboardEvents = graphql(`
  subscription DashboardEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }
  }
`);

interface Panel {
  readonly title: string;
  readonly targets?: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>;
  readonly panels?: readonly Panel[];
}

interface Query {
  readonly title: string;
  readonly expr: string;
  /** The labels that its legend shows. */
  readonly labels: readonly string[];
}

/** As Grafana sends them: with a value for its own variable. Others throw. */
function queriesIn(panels: readonly Panel[]): Query[] {
  return panels.flatMap(({ title, targets = [], panels: inside = [] }) => [
    ...targets.map(({ expr: text, legendFormat }) => {
      const expr = text.replaceAll('$__rate_interval', '5m');
      if (expr.includes('$')) throw new Error(`${title} has an unknown variable: ${text}`);
      return {
        title,
        expr,
        labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name),
      };
    }),
    ...queriesIn(inside),
  ]);
}

const readQueries = async (): Promise<readonly Query[]> =>
  queriesIn(JSON.parse(await readFile(DASHBOARD, 'utf8')).panels);

/** What a server says before and after it did a little of most things. */
async function scrapeServer(): Promise<{ readonly before: Scrape; readonly after: Scrape }> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const app = await startTestApp({
    timersMs: 200,
    upkeepMs: 100,
    config: {
      webhooks: [{ ...receiver.config, kinds: ['MENTION'] }],
      webhookPrivateHosts: ['127.0.0.1'],
      deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
    },
  });
  try {
    const before = await scrape(app.url);
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const events = ben.subscribe(DashboardEvents, { roomId });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    await say(ben, roomId, `Hello @${aki.handle}`);
    await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
    await receiver.arrived(1);
    const { dynamo } = app;
    const about = { room: 'r', t: toTimestamp(1), c: toTimestamp(1) };
    const [done, paused] = [idFrom('a job that ends'), idFrom('a job that waits')];
    await createJobs({ dynamo }).add({ id: done, kind: 'clearStamps', about, cursor: 'more' });
    const runAt = Date.now() + 3_600_000;
    await createJobs({ dynamo }).add({ id: paused, kind: 'clearStamps', about, cursor: '', runAt });
    await createJobControl({ dynamo, now: Date.now }).pause({ id: paused });
    const after = await eventually(async () => {
      const now = await scrape(app.url);
      const names = [...now.series].filter(([, value]) => value > 0).map(([key]) => key);
      for (const one of [
        'jobs{state="PAUSED"',
        'jobs_ended_total{',
        'delivery_acts_count',
        'delivery_sends_total{',
      ])
        expect(names).toContainEqual(expect.stringContaining(`tsudoi_${one}`));
      return now;
    });
    return { before, after };
  } finally {
    await app.stop();
  }
}

/**
 * What needs faults, or a command, counted by the code that counts it. Other tests cause these in real servers:
 * test/ops/alerts.redis.test.ts, test/reshape.
 */
async function scrapeRare(): Promise<Scrape> {
  const metrics = createMetrics();
  metrics.watched.carryLag = () => 3;
  metrics.droppedReaders.inc({ reason: 'silent' });
  metrics.rateLimited.inc({ act: 'sendMessage' });
  metrics.dynamoFailures.inc({ pattern: 'node', reason: 'outage' });
  return scrapeOf(await metrics.registry.metrics(), 'b:1');
}

const promtool = isHere('promtool', spawnSync('promtool', ['--version']).status === 0);

test.skipIf(!promtool)(
  'each query of the dashboard has data from a server, with the labels that it shows',
  async () => {
    const [queries, { before, after }, rare] = await Promise.all([
      readQueries(),
      scrapeServer(),
      scrapeRare(),
    ]);
    expect(queries.length).toBeGreaterThan(40);
    const found = await evaluate(
      queries.map(({ expr }) => expr),
      { before, after: together([after, rare]) },
    );
    const wrong = queries.flatMap(({ title, expr, labels }) => {
      const samples = found.get(expr) ?? [];
      if (samples.length === 0) return [`${title}: no data for ${expr}`];
      return labels
        .filter((label) => samples.some((one) => !one[label]))
        .map((label) => `${title}: no ${label}`);
    });
    expect(wrong).toEqual([]);
  },
);

test.skipIf(!promtool)('a query that is wrong is found', async () => {
  const series = scrapeOf('# TYPE tsudoi_jobs gauge\ntsudoi_jobs{state="PAUSED"} 1\n');
  const scrapes = { before: series, after: series };
  const [right, unknown, misspelt] = [
    'sum by (state) (tsudoi_jobs)',
    'max(tsudoi_job)',
    'tsudoi_jobs{stat="PAUSED"}',
  ];
  const found = await evaluate([right, unknown, misspelt], scrapes);
  expect([...found.values()]).toEqual([[{ state: 'PAUSED' }], [], []]);
  await expect(evaluate([right, 'sum(tsudoi_jobs'], scrapes)).rejects.toThrow(/parse error/);
});
