import type { OtherTable } from '../../app/commandDatabase.ts';
import { defined } from '../../core/defined.ts';
import { isTable, parseTableArn, TABLE_RULE } from '../../core/tableArn.ts';
import { type KeyLayout, LAYOUT_RULE, parseLayout } from '../../dynamo/keyLayout.ts';
import type { CopyCommand } from './reshapeFlags.ts';
import { Refusal } from './run.ts';

/** The flags of the commands for another table, as they were given. */
export interface CarryArguments {
  readonly table: string | undefined;
  readonly region: string | undefined;
  readonly endpoint: string | undefined;
  readonly create: boolean;
  /** How the new table names its keys. */
  readonly keys: string | undefined;
  readonly rate: number | undefined;
  readonly metricsPort: number | undefined;
  /** Whether everything in the stream is handled. */
  readonly handled: boolean;
  /** How long servers may be without a table, in milliseconds. */
  readonly within: number | undefined;
  /** Whether no function uses the table any more. */
  readonly functionsRemoved: boolean;
  /** Whether nothing is carried back after a switch or hand-over. */
  readonly noWayBack: boolean;
}

/** The other table of a command, as its flags name it. Throws `Refusal` if they cannot name one. */
export function otherTableOf(
  command: CopyCommand,
  { table, region, endpoint, create, keys }: CarryArguments,
): OtherTable {
  if (table === undefined || !isTable(table)) throw new Refusal(`--to-table ${TABLE_RULE}.`);
  const arn = parseTableArn(table);
  if (arn !== undefined && create)
    throw new Refusal(
      '--create is not for an ARN: create that table in its own account first, and give it a policy (docs/aws.md).',
    );
  if (arn !== undefined && region !== undefined && region !== arn.region)
    throw new Refusal(`--to-table is an ARN in ${arn.region}, and --to-region is ${region}: leave it out.`);
  if (region !== undefined && endpoint !== undefined)
    throw new Refusal('--to-region and --to-endpoint exclude each other.');
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint))
    throw new Refusal('--to-endpoint must be a URL starting with http:// or https://.');
  const layout = keys === undefined ? undefined : layoutNamed(keys, create);
  return {
    table,
    create: command === 'carry' ? create : undefined,
    ...defined({ region, endpoint, layout }),
  };
}

function layoutNamed(names: string, create: boolean): KeyLayout {
  if (!create) throw new Refusal('--to-keys needs --create: a table that exists has its names.');
  const layout = parseLayout(names);
  if (layout !== undefined) return layout;
  throw new Refusal(
    `--to-keys must be four names such as PK,SK,GSI1PK,GSI1SK, of letters, digits, "_", "-" and ".", where ${LAYOUT_RULE}.`,
  );
}
