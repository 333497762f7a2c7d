import { type Role, type Seats, seatsOf } from '../../src/rooms/room.ts';
import type { Change } from '../../src/stream/change.ts';

/** A room as the records up to some moment make it. */
interface Replayed {
  seats: Seats | undefined;
  /** By person. */
  readonly members: Map<string, Role>;
  /** The time stamps of their places, by person. */
  readonly line: Map<string, string>;
}

/** What one transaction did to who is in a room and who waits. */
interface Step {
  readonly seats: Change;
  readonly others: Change[];
}

export interface Replay {
  /** What was wrong with the room after any of its transactions, each only once. */
  readonly faults: ReadonlySet<string>;
  readonly transactions: number;
  /** The people in the order in which they came in, each time that they did. */
  readonly came: readonly string[];
  /** Those of them who had waited for their seat. */
  readonly seated: readonly string[];
  /** How full it ever was. */
  readonly most: number;
}

/**
 * Goes through a table's stream and looks at a room after each transaction that was committed: whether what the
 * room says of itself is so, whether it ever holds more than it has seats, and whether seats go to the first in line.
 */
export function replaySeats(changes: readonly Change[], room: string): Replay {
  const state: Replayed = { seats: undefined, members: new Map(), line: new Map() };
  const faults = new Set<string>();
  const came: string[] = [];
  const seated: string[] = [];
  let most = 0;
  const steps = stepsOf(changes, room);
  for (const step of steps) {
    const first = [...state.line].sort(([, a], [, b]) => (a < b ? -1 : 1))[0]?.[0];
    for (const { user, waited } of apply(state, step)) {
      came.push(user);
      if (waited) seated.push(user);
      if (waited && user !== first) faults.add('somebody who was not the first in line got a seat');
      if (!waited && first !== undefined) faults.add('somebody came past the line');
    }
    for (const fault of wrongWith(state)) faults.add(fault);
    most = Math.max(most, state.members.size);
  }
  return { faults, transactions: steps.length, came, seated, most };
}

/** Each transaction that changes who is in a room writes the room's seats, and writes them first. */
function stepsOf(changes: readonly Change[], room: string): Step[] {
  const steps: Step[] = [];
  for (const change of changes) {
    const { key } = change;
    if (!('room' in key) || key.room !== room) continue;
    if (key.type === 'seats') steps.push({ seats: change, others: [] });
    else if (key.type === 'member' || key.type === 'place') steps.at(-1)?.others.push(change);
  }
  return steps;
}

/** Who came in by it. */
function apply(
  state: Replayed,
  { seats, others }: Step,
): Array<{ readonly user: string; readonly waited: boolean }> {
  const { members, line } = state;
  const waitedBefore = new Set(line.keys());
  const came: string[] = [];
  state.seats = seatsOf(seats.new ?? {});
  for (const { key, kind, new: item } of others) {
    if (key.type === 'place') {
      if (kind === 'REMOVE') line.delete(key.user);
      else line.set(key.user, key.w);
    } else if (key.type === 'member') {
      if (kind === 'INSERT') came.push(key.user);
      if (kind === 'REMOVE') members.delete(key.user);
      else members.set(key.user, item?.role as Role);
    }
  }
  return came.map((user) => ({ user, waited: waitedBefore.has(user) && !line.has(user) }));
}

function wrongWith({ seats, members, line }: Replayed): string[] {
  if (seats === undefined) return ['it has no seats'];
  const owners = [...members.values()].filter((role) => role === 'OWNER').length;
  const { taken, capacity, waiting } = seats;
  return [
    taken === members.size ? '' : `${taken} said, ${members.size} there`,
    seats.owners === owners ? '' : `${seats.owners} owners said, ${owners} there`,
    waiting === line.size ? '' : `${waiting} said to wait, ${line.size} do`,
    capacity !== null && members.size > capacity ? `${members.size} of ${capacity}` : '',
    members.size > 0 && owners === 0 ? 'nobody owns it' : '',
  ].filter((fault) => fault !== '');
}
