/** A real Prometheus that scrapes one server once a second. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/dev/embeddedDynamodb/database.ts';
import { isHere } from '../../support/machine/needs.ts';

export const prometheusAvailable = isHere('prometheus', spawnSync('prometheus', ['--version']).status === 0);

export interface Prometheus {
  /** The `trace_id` of each exemplar that it has stored of these series. */
  traceIds(selector: string): Promise<readonly string[]>;
  /** The one value of an expression. NaN if it has none. */
  value(expression: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startPrometheus(target: string): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-prometheus-'));
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'tsudoi', static_configs: [{ targets: [target] }] }],
  };
  // JSON is YAML.
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
      '--enable-feature=exemplar-storage',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'exit');

  async function read(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    const response = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(query)}`);
    if (!response.ok) throw new Error(`Prometheus responds with ${response.status}.`);
    return ((await response.json()) as { data: unknown }).data;
  }

  return {
    async traceIds(selector) {
      const now = Date.now() / 1_000;
      const query = { query: selector, start: `${now - 600}`, end: `${now + 1}` };
      const series = (await read('query_exemplars', query)) as ReadonlyArray<{
        exemplars: ReadonlyArray<{ labels: { trace_id: string } }>;
      }>;
      return series.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id));
    },
    async value(expression) {
      const { result } = (await read('query', { query: expression })) as {
        result: ReadonlyArray<{ value: readonly [number, string] }>;
      };
      return Number(result[0]?.value[1] ?? Number.NaN);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
