import type { Config } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { TIMEOUTS, type Timeouts } from '../dynamo/client.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import type { Metering } from '../dynamo/metering.ts';
import { createMovableTable, type TableAccess } from '../dynamo/transport/movableTable.ts';
import { putInUse } from '../reshape/carry/handOver.ts';
import { createParticipant, type MoveSteps } from '../reshape/switch/participant.ts';
import { type Moving, readTableShape } from '../reshape/tableShape.ts';
import { createShapeWatch, type ShapeWatch } from '../reshape/watch.ts';
import { configBeside, type Database, openDatabase } from './database.ts';
import { endDecidedSwitch } from './decidedSwitch.ts';

export interface TablesOptions {
  readonly config: Config;
  readonly log: Log;
  /** The table of the configuration. */
  readonly database: Database;
  readonly timeouts?: Timeouts;
  /** Meters looks at the shape. */
  readonly metering: Metering;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** See `ShapeWatchOptions`. */
  readonly everyMs?: number | undefined;
  readonly believedMs?: number | undefined;
  /** Called if the process has to end. */
  readonly onFailed: (error: Error) => void;
}

/** What goes along if the process goes on in another table. */
export interface Follower {
  /** The process is about to use the table of this configuration. */
  prepare(config: Config): Promise<void>;
  /** It will not use it. */
  forget(config: Config): Promise<void>;
  /** Resolves when it does not use the table any more. */
  pause(): Promise<void>;
  /** It goes on: in this table, which may be another one. */
  resume(database: Database, config: Config): Promise<void>;
}

/** The table of a server: the one of its configuration, or the one that it has moved to since. */
export interface Tables {
  /** For requests of clients, and everything else that may be held at any time. */
  readonly requests: TableAccess;
  /** For the stream's consumer, its handlers and timers: held after the consumer has stopped. */
  readonly derived: TableAccess;
  /** The present one. */
  readonly database: Database;
  /** See `ShapeWatch`. */
  readonly inForce: ShapeWatch['inForce'];
  readonly confirm: ShapeWatch['confirm'];
  /** As that of the watch. Nothing may be written before. */
  start(): Promise<void>;
  /** From now on this process can move. */
  follow(follower: Follower): void;
  /** Says that this process is gone. */
  stop(): Promise<void>;
  /** Closes the present one. To be called last. */
  close(): Promise<void>;
}

/** What this process uses: all of it changes at the same moment. */
interface Place {
  readonly config: Config;
  readonly database: Database;
  readonly watch: ShapeWatch;
}

export function createTables(options: TablesOptions): Tables {
  const { log, timeouts = TIMEOUTS, metering, now, everyMs, believedMs, onFailed } = options;
  const requests = createMovableTable(options.database);
  const derived = createMovableTable(options.database);
  let follower: Follower | undefined;
  let heldAt = 0;
  /** The end of the use of the former table. */
  let left: Promise<void> = Promise.resolve();

  /** Outside of what is held. */
  const ownDynamo = ({ transport, table }: TableAccess) =>
    createDynamo({ transport, table, timeouts, pattern: 'shape', ...metering });
  const reachable = (one: Database) => ({ dynamo: ownDynamo(one), streamArn: one.streamArn });

  function letGo(): void {
    requests.release();
    derived.release();
  }

  function placeAt(config: Config, database: Database): Place {
    const steps: MoveSteps<Place> = {
      async open(to: Moving) {
        // A server that is starting says later that it is ready.
        if (follower === undefined) throw new Error('This process is still starting.');
        const otherConfig = configBeside(config, to.place);
        const other = await openDatabase(otherConfig, log, { create: false, timeouts });
        try {
          const { notInUse } = await readTableShape(ownDynamo(other));
          if (other.streamArn !== to.stream || notInUse?.stream !== database.streamArn)
            throw new StartError(`The table ${to.table} is not the copy of this one.`);
          await follower.prepare(otherConfig);
        } catch (error) {
          await follower.forget(otherConfig);
          await other.close();
          throw error;
        }
        return placeAt(otherConfig, other);
      },
      async close(opened) {
        await follower?.forget(opened.config);
        await opened.database.close();
      },
      async freeze(isWanted) {
        // First, so that no request of a client waits for a slow handler.
        await follower?.pause();
        heldAt = systemClock.now();
        for (const table of [requests, derived]) if (isWanted()) await table.hold();
      },
      letGo,
      async resume() {
        letGo();
        await follower?.resume(database, config);
        log.info('The switch to another table was taken back');
      },
      async move(opened) {
        await putInUse(reachable(database), reachable(opened.database));
        // Rejects if that table is not in use.
        await opened.watch.start();
        const former = place;
        place = opened;
        requests.release(opened.database);
        derived.release(opened.database);
        log.info(
          { heldMs: Math.round(systemClock.now() - heldAt), table: opened.config.tableName },
          'This server uses another table now',
        );
        // Its stop waits for this step.
        left = former.watch.stop().then(former.database.close);
        await follower?.resume(opened.database, opened.config);
      },
    };
    const watch = createShapeWatch(
      defined({
        dynamo: ownDynamo(database),
        log,
        now,
        role: config.role === 'all' ? 'server' : config.role,
        port: config.role === 'worker' ? undefined : config.port,
        everyMs,
        believedMs,
        onUnknown: onFailed,
        // Other processes cannot use an embedded database.
        participate:
          database.embedded === undefined
            ? (look: () => void) => createParticipant<Place>({ steps, log, onChange: look, onFailed })
            : undefined,
      }),
    );
    return { config, database, watch };
  }

  let place = placeAt(options.config, options.database);

  return {
    requests,
    derived,
    get database() {
      return place.database;
    },
    inForce: () => place.watch.inForce(),
    confirm: () => place.watch.confirm(),
    async start() {
      await endDecidedSwitch({ config: options.config, database: options.database, log, timeouts });
      await place.watch.start();
    },
    follow(it) {
      follower = it;
    },
    async stop() {
      // It may move meanwhile.
      for (let former: Place | undefined; former !== place; ) {
        former = place;
        await former.watch.stop();
      }
      await left;
    },
    close: () => place.database.close(),
  };
}
