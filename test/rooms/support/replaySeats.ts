import { type Role, type Seats, seatsOf } from '../../../src/rooms/room.ts';
import type { Change } from '../../../src/stream/change.ts';

/** The room after the records that were replayed so far. */
interface RoomState {
  seats: Seats | undefined;
  /** By user id. */
  readonly members: Map<string, Role>;
  /** The timestamps of the waitlist's entries, by user id. */
  readonly waitlist: Map<string, string>;
}

/** The changes of one transaction to a room's members and waitlist. */
interface Transaction {
  readonly seats: Change;
  readonly others: Change[];
}

export interface Replay {
  /** Rules that did not hold after a transaction, each only once. */
  readonly violations: ReadonlySet<string>;
  readonly transactions: number;
  /** User ids in the order of their joins. */
  readonly joined: readonly string[];
  /** Those of the joins that came from the waitlist. */
  readonly fromWaitlist: readonly string[];
  /** The largest number of members at any time. */
  readonly mostMembers: number;
}

/**
 * Replays a table's stream and checks a room after each committed transaction: its counts are right, it has no more
 * members than seats, and free seats go to the first person on the waitlist.
 */
export function replaySeats(changes: readonly Change[], room: string): Replay {
  const state: RoomState = { seats: undefined, members: new Map(), waitlist: new Map() };
  const violations = new Set<string>();
  const joined: string[] = [];
  const fromWaitlist: string[] = [];
  let mostMembers = 0;
  const transactions = transactionsOf(changes, room);
  for (const transaction of transactions) {
    const first = [...state.waitlist].sort(([, a], [, b]) => (a < b ? -1 : 1))[0]?.[0];
    for (const { user, waited } of apply(state, transaction)) {
      joined.push(user);
      if (waited) fromWaitlist.push(user);
      if (waited && user !== first) violations.add('a seat did not go to the first person on the waitlist');
      if (!waited && first !== undefined) violations.add('a person joined while others were waiting');
    }
    for (const violation of violationsOf(state)) violations.add(violation);
    mostMembers = Math.max(mostMembers, state.members.size);
  }
  return { violations, transactions: transactions.length, joined, fromWaitlist, mostMembers };
}

/** Each transaction that changes a room's members writes its seats, and writes them first. */
function transactionsOf(changes: readonly Change[], room: string): Transaction[] {
  const transactions: Transaction[] = [];
  for (const change of changes) {
    const { key } = change;
    if (!('room' in key) || key.room !== room) continue;
    if (key.type === 'seats') transactions.push({ seats: change, others: [] });
    else if (key.type === 'member' || key.type === 'waitlistEntry') transactions.at(-1)?.others.push(change);
  }
  return transactions;
}

/** Applies a transaction. Returns the people who joined by it. */
function apply(
  state: RoomState,
  { seats, others }: Transaction,
): Array<{ readonly user: string; readonly waited: boolean }> {
  const { members, waitlist } = state;
  const waitedBefore = new Set(waitlist.keys());
  const joined: string[] = [];
  state.seats = seatsOf(seats.new ?? {});
  for (const { key, kind, new: item } of others) {
    if (key.type === 'waitlistEntry') {
      if (kind === 'REMOVE') waitlist.delete(key.user);
      else waitlist.set(key.user, key.waitingSince);
    } else if (key.type === 'member') {
      if (kind === 'INSERT') joined.push(key.user);
      if (kind === 'REMOVE') members.delete(key.user);
      else members.set(key.user, item?.role as Role);
    }
  }
  return joined.map((user) => ({ user, waited: waitedBefore.has(user) && !waitlist.has(user) }));
}

function violationsOf({ seats, members, waitlist }: RoomState): string[] {
  if (seats === undefined) return ['the room has no seats item'];
  const owners = [...members.values()].filter((role) => role === 'OWNER').length;
  const { taken, capacity, waiting } = seats;
  return [
    taken === members.size ? '' : `${taken} members counted, ${members.size} stored`,
    seats.owners === owners ? '' : `${seats.owners} owners counted, ${owners} stored`,
    waiting === waitlist.size ? '' : `${waiting} waiting people counted, ${waitlist.size} stored`,
    capacity !== null && members.size > capacity ? `${members.size} members, capacity ${capacity}` : '',
    members.size > 0 && owners === 0 ? 'a room with members has no owner' : '',
  ].filter((violation) => violation !== '');
}
