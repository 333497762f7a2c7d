import { createDynamo } from '../../../src/dynamo/dynamo.ts';
import { ensureTable } from '../../../src/dynamo/ensureTable.ts';
import type { KeyLayout } from '../../../src/dynamo/keyLayout.ts';
import { accessIn } from '../../../src/dynamo/transport/keyLayout.ts';
import { programFile } from '../../support/builds/build.ts';
import type { TestDynamo } from '../../support/database/dynamo.ts';
import { testTimeouts } from '../../support/database/dynamo.ts';
import { commandResult, type Program, runProgram } from '../../support/servers/program.ts';

/** The command of the product, as a process, for two tables of one database. */
export interface CopyCommand {
  /** It is running. */
  begin(command: string, ...options: string[]): Promise<Program>;
  /** Its result, when it has ended. */
  run(command: string, ...options: string[]): ReturnType<typeof commandResult>;
}

/** `more`: of its environment. */
export async function copyCommand(
  source: Pick<TestDynamo, 'endpoint' | 'table'>,
  target: string,
  more: Readonly<Record<string, string>> = {},
): Promise<CopyCommand> {
  const file = await programFile('cli/reshape');
  const env = { DYNAMODB_ENDPOINT: source.endpoint, TABLE_NAME: source.table, LOG_LEVEL: 'silent', ...more };
  const begin = (command: string, ...options: string[]) =>
    runProgram({ command: [process.execPath, file, command, '--to-table', target, ...options], env });
  return {
    begin,
    run: async (command, ...options) => commandResult(await begin(command, ...options)),
  };
}

/** A second table of the same database. It is made if it does not exist. `layout`: how it names its keys then. */
export async function tableBeside(
  database: TestDynamo,
  table: string,
  layout?: KeyLayout,
): Promise<TestDynamo> {
  const found = await ensureTable(database.client, table, { layout });
  const { transport, streams } = accessIn(found.layout, database.raw);
  return {
    ...database,
    transport,
    streams,
    table,
    streamArn: found.streamArn,
    layout: found.layout,
    dynamo: createDynamo({ transport, table, timeouts: testTimeouts }),
  };
}
