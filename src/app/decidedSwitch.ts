import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import { StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Timeouts } from '../dynamo/client.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import type { TableAccess } from '../dynamo/transport/movableTable.ts';
import { endHandOver, putInUse } from '../reshape/carry/handOver.ts';
import { readState } from '../reshape/carry/state.ts';
import { readTableShape, unendedHandOver } from '../reshape/tableShape.ts';
import { configBeside, type Database, NoTable, openDatabase } from './database.ts';

export interface DecidedSwitchOptions {
  readonly config: Config;
  /** The one that is about to be used: either of the two. */
  readonly database: Database;
  readonly log: Log;
  readonly timeouts?: Timeouts;
}

/**
 * If all processes ended just after a switch was decided, no table is in use: the former one names the other one, which
 * is not in use yet. The next process that starts with either of them ends that. Without effect otherwise. It costs one
 * read, and opens the other table only if this one is not in use.
 *
 * A `hand-over` that is not decided is not ended and not taken back here, because its command may still run. Throws
 * `StartError` with what to run if this table is the copy; of the other one, `assertInUse` says it.
 */
export async function endDecidedSwitch({
  config,
  database,
  log,
  timeouts,
}: DecidedSwitchOptions): Promise<void> {
  const dynamoOf = ({ transport, table }: TableAccess) =>
    createDynamo({ transport, table, pattern: 'shape', ...defined({ timeouts }) });
  const own = { dynamo: dynamoOf(database), streamArn: database.streamArn };
  const { moving, notInUse } = await readTableShape(own.dynamo);
  if (notInUse === undefined || moving !== undefined) return;
  // A copy names what it is copied from. What it named when it was in use before says nothing about that.
  const copy = await readState(own.dynamo);
  const place = copy === undefined ? (notInUse.place ?? notInUse.handOver?.to) : copy.place;
  if (place === undefined) return;
  let opened: Database | undefined;
  let unended: StartError | undefined;
  try {
    opened = await openDatabase(configBeside(config, place), log, {
      create: false,
      ...defined({ timeouts }),
    });
    const other = { dynamo: dynamoOf(opened), streamArn: opened.streamArn };
    if (copy !== undefined) {
      const { notInUse: named } = await readTableShape(other.dynamo);
      if (named?.handOver !== undefined && named.stream === own.streamArn)
        unended = new StartError(unendedHandOver(named.handOver.from, named.table, named.handOver.command));
      else await putInUse(other, own);
    } else if (notInUse.handOver === undefined) await putInUse(own, other);
    else await endHandOver(own, other);
  } catch (error) {
    // Nothing was decided, or the other table does not exist any more. The caller says which table is in use.
    if (error instanceof NoTable || (opened !== undefined && error instanceof StartError)) return;
    log.warn(
      { err: error },
      `The table ${place.table} could not be reached, so it is not known whether a switch between it and this one was decided`,
    );
  } finally {
    await opened?.close();
  }
  if (unended !== undefined) throw unended;
}
