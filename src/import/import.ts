import { randomUUID } from 'node:crypto';
import { errorCatalogue, TsudoiError } from '../core/errors.ts';
import type { BulkWriteOptions } from '../dynamo/bulkWrite.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { encodeId } from '../graphql/ids.ts';
import { deletionJobId } from '../roomDeletion/deletionJob.ts';
import { seatsOf } from '../rooms/room.ts';
import { MAX_ROOMS } from '../users/user.ts';
import { hasFailed } from './discard.ts';
import { formerAmong } from './former.ts';
import { type Missing, missingIn, writeMissing } from './livingRoom.ts';
import { lockImports } from './lock.ts';
import { membersOf, type RoomState, roomStateOf, writeNewRoom } from './newRoom.ts';
import { createPace } from './pace.ts';
import { writePeople } from './people.ts';
import { createProblems, ImportStopped, type Problems } from './problems.ts';
import { openSpool, type Spool, type SpooledRoom } from './spool.ts';

/** Reads an input completely: people first or in between, each room before its messages. */
export type Reader = (spool: Spool, problems: Problems) => Promise<void>;

export interface ImportOptions {
  readonly dynamo: Dynamo;
  readonly read: Reader;
  readonly by: BulkWriteOptions['by'];
  /** Write units a second. Undefined: as fast as the database is. */
  readonly rate?: number | undefined;
  /** Whether messages may be added to rooms that have members, as unread. */
  readonly unread?: boolean;
  /** Only reads and checks. */
  readonly dryRun?: boolean;
  /** Called when everything was read and nothing is wrong with it. */
  readonly onPlan?: (plan: Plan) => void;
  /** Called with a number of messages that are done. */
  readonly onMessages?: (count: number) => void;
  /** Called if another run that has not ended properly has to be waited for. */
  readonly onWait?: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What an import will do. */
export interface Plan {
  readonly rooms: number;
  readonly newRooms: number;
  readonly people: number;
  readonly messages: number;
  /** How many of them are not in the table yet. */
  readonly newMessages: number;
}

/** A room of the input, and what the table has of it. */
interface Planned {
  readonly spooled: SpooledRoom;
  readonly state: RoomState | undefined;
  /** Undefined: the room does not exist, or its members are not complete. */
  readonly missing: Missing | undefined;
}

/**
 * Reads, checks, then writes. Throws `NotImportable` with everything that is wrong before anything is written,
 * `ImportRunning`, and `ImportStopped` if a room changes meanwhile or the database goes away. A run that was
 * interrupted is continued by the same command; repeating a complete one changes nothing.
 */
export async function runImport(options: ImportOptions): Promise<Plan> {
  const { read, onPlan } = options;
  let isWriting = false;
  const problems = createProblems();
  const spool = await openSpool(problems);
  try {
    await read(spool, problems);
    await spool.close();
    problems.throwIfAny();
    if (options.dryRun === true) return await plannedOnly(options, spool, problems);
    const lock = await lockImports(options);
    try {
      const planned = await planOf(options, spool, problems);
      const plan = summaryOf(spool, planned);
      onPlan?.(plan);
      isWriting = true;
      await write(options, spool, planned, lock.check);
      isWriting = false;
      return plan;
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw isWriting && isOutage(error) ? outOfReach(error) : error;
  } finally {
    await spool.end();
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof TsudoiError && errorCatalogue[error.code].retryable;

const outOfReach = (cause: unknown) =>
  new ImportStopped(
    'The import has stopped before its end: the database did not respond, or was too busy. When it responds again, run the same command: it continues.',
    { cause },
  );

async function plannedOnly(options: ImportOptions, spool: Spool, problems: Problems): Promise<Plan> {
  return summaryOf(spool, await planOf(options, spool, problems));
}

async function planOf(
  { dynamo, unread = false }: ImportOptions,
  spool: Spool,
  problems: Problems,
): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const spooled of spool.rooms.values()) {
    const { room, place, digest } = spooled;
    const [item, seats, stateItem, deletion] = await dynamo.batchGet([
      keys.room(room.id),
      keys.seats(room.id),
      keys.roomImport(room.id),
      keys.job(deletionJobId(room.id)),
    ]);
    const discard = `npm run -s import -- --discard ${encodeId('Room', room.id)}`;
    if (deletion !== undefined) {
      problems.add(
        place,
        hasFailed(room.id, deletion)
          ? `This room was deleted, but removing its content has failed or was cancelled. Remove the rest: ${discard}`
          : 'This room was deleted, and its content is still being removed. Try again when that job has ended (`npm run -s jobs`).',
      );
      continue;
    }
    const state = stateItem && roomStateOf(stateItem);
    if (state !== undefined && state.digest !== digest) {
      problems.add(
        place,
        `An import of other content into this room has not ended. Run that one again with the same options, or give it up: ${discard}`,
      );
      continue;
    }
    const missing = item === undefined || state !== undefined ? undefined : await missingIn(dynamo, spooled);
    const count = missing?.messages.size ?? 0;
    if (count > 0 && !unread && seats !== undefined && seatsOf(seats).taken > 0) {
      problems.add(
        place,
        `The room has members, and these ${count} messages would be unread for them. Add --unread if that is meant.`,
      );
    }
    planned.push({ spooled, state, missing });
  }
  await checkRoomsOfPeople(dynamo, planned, problems);
  problems.throwIfAny();
  return planned;
}

/** A user is in a limited number of rooms. */
async function checkRoomsOfPeople(
  dynamo: Dynamo,
  planned: readonly Planned[],
  problems: Problems,
): Promise<void> {
  const joins = new Map<string, number>();
  for (const { spooled, state, missing } of planned) {
    if (missing !== undefined) continue;
    for (const user of await joiningOf(dynamo, spooled, state)) joins.set(user, (joins.get(user) ?? 0) + 1);
  }
  const users = [...joins.keys()];
  const profiles = await dynamo.batchGet(users.map((user) => keys.user(user)));
  users.forEach((user, i) => {
    const rooms = ((profiles[i]?.rooms as number | undefined) ?? 0) + (joins.get(user) ?? 0);
    if (rooms > MAX_ROOMS) {
      problems.add(user, `This person would be in ${rooms} rooms; the maximum is ${MAX_ROOMS}.`);
    }
  });
}

/**
 * The users who are still to join: without those that an earlier run has added, or that have joined the room by
 * themselves since.
 */
async function joiningOf(
  dynamo: Dynamo,
  spooled: SpooledRoom,
  state: RoomState | undefined,
): Promise<readonly string[]> {
  const users = membersOf(spooled).map(({ user }) => user);
  if (state?.members === undefined) return users;
  const left = users.slice(state.members);
  const found = await dynamo.batchGet(left.map((user) => keys.membership(user, spooled.room.id)));
  return left.filter((_, i) => found[i] === undefined);
}

function summaryOf({ rooms, people, messages }: Spool, planned: readonly Planned[]): Plan {
  const newMessages = planned.reduce(
    (sum, { spooled, missing, state }) =>
      sum + (missing === undefined ? spooled.messages - (state?.messages ?? 0) : missing.messages.size),
    0,
  );
  const newRooms = planned.filter(({ missing }) => missing === undefined).length;
  return { rooms: rooms.size, newRooms, people: people.size, messages, newMessages };
}

async function write(
  options: ImportOptions,
  spool: Spool,
  planned: readonly Planned[],
  check: () => Promise<void>,
): Promise<void> {
  const { dynamo, by, rate, now, onMessages = () => {} } = options;
  const pace = createPace({ dynamo, by, rate, check });
  await writePeople({ dynamo, pace, people: spool.people.values(), now });
  const former = await formerAmong(dynamo, spool.people);
  const writing = { dynamo, run: randomUUID(), pace, spool, former, now, onMessages };
  for (const { spooled, state, missing } of planned) {
    if (missing === undefined) await writeNewRoom(writing, spooled, state);
    else await writeMissing(writing, spooled, missing);
  }
}
