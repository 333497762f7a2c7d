import { defined } from '../core/defined.ts';
import { StartError } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { JobControl } from '../jobs/control.ts';
import type { Job } from '../jobs/job.ts';
import { newJob } from '../jobs/jobs.ts';
import {
  BEGINNING,
  CONVERSION_JOB,
  conversionJobId,
  figuresOf,
  isAtBeginning,
  progressOf,
} from './conversionJob.ts';
import { type Heartbeat, nameOf, readHeartbeats } from './heartbeats.ts';
import { SHAPE } from './newestShape.ts';
import {
  assertInUse,
  type ChangeFigures,
  readTableShape,
  type ShapeChange,
  type TableShape,
} from './tableShape.ts';
import { type Waiting, waitingOf } from './waiting.ts';

export interface ReshapingOptions {
  readonly dynamo: Dynamo;
  readonly control: Pick<JobControl, 'find' | 'pause' | 'resume'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How far a change is. */
export interface ReshapeStatus extends TableShape {
  readonly servers: readonly Heartbeat[];
  /**
   * The job of the change that is under way. `DONE`: everything is converted. Absent although there is a change: it
   * failed or was cancelled a week ago, and was deleted.
   */
  readonly job?: { readonly state: Job['state'] } & ChangeFigures & {
      /** Set between two passes of a job that is queued or runs: the next one does not begin before. */
      readonly waiting?: Waiting;
    };
}

/** A command that cannot be done, in one sentence. Nothing was changed. */
const refuse = (why: string): never => {
  throw new StartError(why);
};

const BEFORE = SHAPE.version - 1;

/** Puts a shape in force and takes it back. Two commands at once: one of them is refused. */
export function createReshaping({ dynamo, control, now }: ReshapingOptions) {
  async function status(): Promise<ReshapeStatus> {
    const [table, servers] = await Promise.all([readTableShape(dynamo), readHeartbeats(dynamo, now())]);
    if (table.change === undefined) return { ...table, servers };
    if (table.change.converted) {
      // A release that did not keep the figures may have converted it.
      const { figures = figuresOf(BEGINNING) } = table.change;
      return { ...table, servers, job: { state: 'DONE', ...figures } };
    }
    const job = await control.find({ id: conversionJobId(table) });
    if (job === undefined) {
      // A job is deleted when it is done, and by a command that turns the change round.
      const { version, change } = await readTableShape(dynamo);
      const isSame = version === table.version && change?.converted === false;
      return isSame ? { ...table, servers } : status();
    }
    const { state, cursor } = job;
    const progress = progressOf(cursor);
    const { version, change } = table;
    const { pass, followedAt } = progress;
    const goesOn = state === 'QUEUED' || state === 'RUNNING';
    const waiting =
      goesOn && pass > 1 && isAtBeginning(progress)
        ? waitingOf({ version, change, servers, followedAt, now: now() })
        : undefined;
    return { ...table, servers, job: { state, ...figuresOf(progress), ...defined({ waiting }) } };
  }

  /**
   * Throws if the table is not in use, or may not be in a moment. What is written then has the condition that the
   * version is the same.
   */
  async function readInUse(): Promise<TableShape> {
    const table = await readTableShape(dynamo);
    if (table.moving !== undefined) refuse('Servers are about to use another table. See `status`.');
    assertInUse(table);
    return table;
  }

  /** Puts the other shape in force, and adds the job that converts the items. */
  async function turn(
    { inForce, version, change }: TableShape,
    to: number,
    rate: number,
  ): Promise<TableShape> {
    const next: TableShape = { inForce: to, version: version + 1 };
    const item = { v: FIRST_SHAPE, inForce: to, other: inForce, rev: version + 1, since: now(), rate };
    const failed = await dynamo.tryTransact({
      shape: { put: { ...keys.shape(), ...item }, ...ifStill(version) },
      // Also if it is paused.
      before: change === undefined ? undefined : { delete: keys.job(conversionJobId({ version })) },
      job: newJob({
        id: conversionJobId(next),
        kind: CONVERSION_JOB,
        about: { version: next.version },
        cursor: JSON.stringify(BEGINNING),
      }),
    });
    if (failed !== undefined)
      refuse('Another command has changed the shape at the same moment. See `status`.');
    return readTableShape(dynamo);
  }

  /** Every process must be able to read what is written from now on. */
  async function assertAllKnow(shape: number): Promise<void> {
    const old = (await readHeartbeats(dynamo, now())).filter(({ knows }) => !knows.includes(shape));
    const [first] = old;
    if (first === undefined) return;
    const which =
      old.length === 1
        ? `The server ${nameOf(first)} does`
        : `${old.length} servers, such as ${nameOf(first)}, do`;
    refuse(`${which} not know shape ${shape}. Replace it by this release first.`);
  }

  /** Puts the newest shape in force. Also turns a change round that is on its way back. */
  async function start({
    to = SHAPE.version,
    rate,
  }: {
    readonly to?: number;
    readonly rate: number;
  }): Promise<TableShape> {
    if (to !== SHAPE.version)
      refuse(`This release does not change tables to shape ${to}, only to shape ${SHAPE.version}.`);
    const table = await readInUse();
    if (table.inForce === to) {
      refuse(
        table.change === undefined
          ? `The table has shape ${to} already.`
          : `The change to shape ${to} is already under way. See \`status\`.`,
      );
    }
    await assertAllKnow(to);
    return turn(table, to, rate);
  }

  /** Puts the shape before in force again, as long as the change is not finished. */
  async function back(rate?: number): Promise<TableShape> {
    const table = await readInUse();
    const { change } = table;
    if (change?.direction === 'down')
      refuse(`The table is on its way back to shape ${BEFORE}. See \`status\`.`);
    if (change === undefined) {
      refuse(
        table.inForce === BEFORE
          ? `The table has shape ${BEFORE}. There is nothing to take back.`
          : `The table has shape ${table.inForce}, and no change is under way: a change that is finished, or the shape of a new table, cannot be taken back.`,
      );
    }
    await assertAllKnow(BEFORE);
    return turn(table, BEFORE, rate ?? change?.rate ?? 0);
  }

  /** Throws if no change is under way. */
  async function underWay(): Promise<TableShape & { readonly change: ShapeChange }> {
    const { change, ...table } = await readInUse();
    return change === undefined
      ? refuse(`No change is under way: the table has shape ${table.inForce}.`)
      : { ...table, change };
  }

  async function finish(): Promise<TableShape> {
    const table = await underWay();
    const { change, inForce, version } = table;
    if (!change.converted) refuse(`Not all items have shape ${inForce} yet. See \`status\`.`);
    const late = (await readHeartbeats(dynamo, now())).find(({ follows }) => follows < version);
    if (late !== undefined) refuse(`The server ${nameOf(late)} does not follow the change yet.`);
    const failed = await dynamo.tryTransact({
      shape: { put: { ...keys.shape(), v: FIRST_SHAPE, inForce, rev: version + 1 }, ...ifStill(version) },
    });
    if (failed !== undefined)
      refuse('Another command has changed the shape at the same moment. See `status`.');
    return readTableShape(dynamo);
  }

  async function jobOf(
    table: TableShape & { readonly change: ShapeChange },
  ): Promise<{ readonly id: string }> {
    if (table.change.converted)
      refuse(`All items have shape ${table.inForce}. Run \`finish\`, or \`back\` to undo it.`);
    return { id: conversionJobId(table) };
  }

  const pause = async (): Promise<unknown> => control.pause(await jobOf(await underWay()));

  /** Also changes the rate, of a job that runs as well. */
  const resume = (rate: number | undefined): Promise<unknown> =>
    dynamo.optimistic(async () => {
      const table = await underWay();
      const job = await jobOf(table);
      if (rate !== undefined) {
        const failed = await dynamo.tryTransact({
          shape: {
            key: keys.shape(),
            update: 'SET rate = :rate',
            condition: 'rev = :rev',
            values: { ':rate': rate, ':rev': table.version },
          },
        });
        if (failed !== undefined) return AGAIN;
      }
      return control.resume(job);
    });

  return { status, start, back, finish, pause, resume };
}

const ifStill = (version: number) =>
  version === 0
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'rev = :rev', values: { ':rev': version } };
