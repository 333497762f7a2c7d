import { parseArgs } from 'node:util';
import { connectForCommand } from '../app/commandDatabase.ts';
import { type ConnectedDatabase, closeOnFailure, NoTable } from '../app/database.ts';
import { loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { createLog } from '../core/log.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { addLacks, compareTable, readLayout } from '../dynamo/ensureTable.ts';
import { accessIn } from '../dynamo/transport/keyLayout.ts';
import { assertKnown, notInUseText, readTableShape, type TableShape } from '../reshape/tableShape.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s table [-- --add]
  --add     add the index and the deletion of expired items if they are missing, and wait for the index
Compares the table with what this release needs: its key, its index, its stream, and the deletion of expired
items. Says what is missing, one line each, and whether another table is in use. Servers keep serving meanwhile.`;

/** Exit code 1 if the table lacks something at the end. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      add: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  const config = loadConfig(process.env);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const database = await connectForCommand(config, log);
  const { client, table } = database;
  await closeOnFailure(database, config, async () => {
    const found = await compareTable(client, table);
    if (found === undefined) throw new NoTable(table);
    // Of another program's table nothing can be read.
    const isForeign = found.some(({ part }) => part === 'keys');
    const shape = isForeign ? undefined : await shapeOf(database);
    const notInUse = shape === undefined ? undefined : whyNotInUse(shape);
    if (notInUse !== undefined) process.stderr.write(`${notInUse}\n`);
    if (values.add && found.length > 0) process.stderr.write(`adding what the table ${table} lacks…\n`);
    const lacks = values.add ? await addLacks(client, table, { clock: systemClock }) : found;
    if (lacks.length > 0) throw new Refusal(lacks.map(({ text }) => text).join('\n'));
    if (shape !== undefined) assertKnown(shape);
    process.stdout.write(`The table ${table} has what this release needs.\n`);
  });
  await database.close();
}

/** The shape is also that of a copy, or of a table that servers have left: such a table may lack nothing. */
async function shapeOf(database: ConnectedDatabase): Promise<TableShape> {
  const { client, table } = database;
  const { transport } = accessIn(await readLayout(client, table), database);
  return readTableShape(createDynamo({ transport, table, pattern: 'shape' }));
}

/** While servers have no table, the switch may still be taken back. */
function whyNotInUse(shape: TableShape): string | undefined {
  if (shape.moving?.phase !== 'frozen') return notInUseText(shape);
  return `A switch to ${shape.moving.table} is under way, or was interrupted: it is decided, or a server takes it back.`;
}

await run(main);
