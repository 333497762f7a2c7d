import { type TablePlace, withoutPassword } from '../../reshape/tableShape.ts';
import type { CarryArguments } from './otherTable.ts';

/**
 * The `hand-over` as it was called, for an operator to paste if it does not end, also on a machine that is set up for the
 * other table. Without a user and a password that the URL of an endpoint may have: starts print it.
 */
export function handOverCommand(
  source: TablePlace,
  { table, region, endpoint, handled, rate, metricsPort, noWayBack }: CarryArguments,
): string {
  // The operator's shell may have the endpoint of the other table, which would win over the region of this one.
  const unset = endpoint === undefined ? undefined : '';
  const environment = {
    DYNAMODB_ENDPOINT: source.endpoint === undefined ? unset : withoutPassword(source.endpoint),
    AWS_REGION: source.region,
    TABLE_NAME: source.table,
  };
  const flags = {
    'to-table': table,
    'to-region': region,
    'to-endpoint': endpoint && withoutPassword(endpoint),
    handled,
    rate,
    'metrics-port': metricsPort,
    'no-way-back': noWayBack,
  };
  return [
    ...Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${quoted(value)}`],
    ),
    'npm run -s reshape -- hand-over',
    ...Object.entries(flags).flatMap(([name, value]) => {
      if (value === undefined || value === false) return [];
      return value === true ? [`--${name}`] : [`--${name} ${quoted(String(value))}`];
    }),
  ].join(' ');
}

/** For a shell, if it needs that. */
const quoted = (value: string): string =>
  /^[\w.:/@-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
