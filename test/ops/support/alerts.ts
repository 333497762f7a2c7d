/**
 * Evaluates the alerts of `ops/prometheus/rules.yml` by Prometheus' own engine, on what servers said at `/metrics`: as
 * if what was caused between two scrapes happened again every minute, for an hour.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, type Scrape } from './promtool.ts';

const RULES = join(import.meta.dirname, '../../../ops/prometheus/rules.yml');

/** The names of the alerts of the rules. */
export const alertsIn = async (): Promise<readonly string[]> =>
  [...(await readFile(RULES, 'utf8')).matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** The alerts that fire after an hour in which what happened between the scrapes goes on, or has happened `once`. */
export async function firing(scrapes: {
  before: Scrape;
  after: Scrape;
  once?: boolean;
}): Promise<readonly string[]> {
  const alerts = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const found = await evaluate([alerts], { ...scrapes, rules: RULES });
  return (found.get(alerts) ?? []).map(({ alertname = '' }) => alertname).sort();
}
