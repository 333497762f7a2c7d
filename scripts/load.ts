/**
 * `npm run load -- URL`: puts an installation under load, as people do who are online, write and read. The tokens are
 * signed with AUTH_SECRET (and AUTH_ISSUER, AUTH_AUDIENCE).
 */
import { parseArgs } from 'node:util';
import { DEFAULTS, type Load, MOST } from './load/plan.ts';
import { runLoad } from './load/run.ts';

const NAMES = Object.keys(DEFAULTS) as Array<keyof Load>;
const USAGE = `Usage: AUTH_SECRET=… npm run load -- URL [OPTIONS] [--metrics URL]…
${NAMES.map((name) => `${`  --${name} ${DEFAULTS[name]}`.padEnd(20)}at most ${MOST[name]}`).join('\n')}
  --metrics URL     /metrics of each process, for the units of DynamoDB (METRICS_TOKEN). Default: that of URL
Only for an installation of your own: it makes public rooms and users, and deletes the rooms at the end.
`;

function loadOf(values: Readonly<Record<string, unknown>>): Load | undefined {
  const load = Object.fromEntries(NAMES.map((name) => [name, Number(values[name] ?? DEFAULTS[name])]));
  const isValid = NAMES.every((name) => {
    const least = name === 'rate' || name === 'reads' ? 0 : 1;
    const value = load[name] ?? Number.NaN;
    const isWhole = least === 0 || Number.isInteger(value);
    return isWhole && value >= least && value <= MOST[name];
  });
  return isValid ? ({ ...DEFAULTS, ...load } satisfies Load) : undefined;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }])),
    metrics: { type: 'string', multiple: true },
  },
});
const [url = ''] = positionals;
const load = loadOf(values);
const { AUTH_SECRET: secret = '', AUTH_ISSUER, AUTH_AUDIENCE, METRICS_TOKEN } = process.env;
if (!/^https?:/.test(url) || !URL.canParse(url) || load === undefined || secret === '') {
  process.stderr.write(USAGE);
  process.exitCode = 1;
} else {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const metrics = Array.isArray(values.metrics)
    ? values.metrics.map(String)
    : [`${new URL(url).origin}/metrics`];
  process.exitCode = await runLoad({
    url,
    load,
    secret,
    issuer: AUTH_ISSUER,
    audience: AUTH_AUDIENCE,
    metrics,
    metricsToken: METRICS_TOKEN,
    print,
  }).catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error));
    return 1;
  });
}
