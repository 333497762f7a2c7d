/** 200 users, ten seats: after every transaction the room's counts are right and it has at most ten members. */
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { seatsOf } from '../../src/rooms/room.ts';
import type { TypedDocumentString } from '../generated/graphql.ts';
import type { Answer } from '../support/clients/client.ts';
import { JoinRoom, LeaveRoom, Me, Members, RoomById, UpdateRoom } from '../support/clients/operations.ts';
import { newUser, type Person, rawId, roomOf } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { TEST_TIMEOUT_MS } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { readStream } from '../support/stream/stream.ts';
import { recount } from '../verify/support/recount.ts';
import { JoinOrWait } from './support/operations.ts';
import { replaySeats } from './support/replaySeats.ts';

const CROWD = 200;
const SEATS = 10;
/** How many wait for the full room before the race. */
const WAITING_BEFORE = 3;

let app: TestApp;
beforeAll(async () => {
  // With the real limits: each user sends only a few requests.
  app = await startTestApp({ config: { rateLimits: RATE_LIMITS } });
});
afterAll(() => app.stop());

/** A mutation that joins or leaves a room. */
type Mutation = TypedDocumentString<unknown, { readonly roomId: string }>;
type Result = Answer<unknown>;

const codeOf = ({ errors }: Result): string => errors?.[0]?.extensions?.code ?? (errors ? 'no code' : 'ok');
const isMember = ({ data }: Result): boolean =>
  ((data as { joinRoom?: { membership: object | null } } | null | undefined)?.joinRoom?.membership ??
    null) !== null;

/** The allowed codes. With UNAVAILABLE the outcome is unknown. */
const OUTCOMES = new Map<unknown, readonly string[]>([
  [JoinRoom, ['ok', 'ROOM_FULL', 'ALREADY_MEMBER', 'UNAVAILABLE']],
  // The waitlist is long enough for everyone who waits here.
  [JoinOrWait, ['ok', 'UNAVAILABLE']],
  // FORBIDDEN: the user did not get a seat.
  [LeaveRoom, ['ok', 'FORBIDDEN', 'UNAVAILABLE']],
  [UpdateRoom, ['ok', 'CONFLICT', 'UNAVAILABLE']],
]);

/** As `Person.send`, over a websocket. Rejects if there is no GraphQL result. */
async function sendOnSocket(person: Person, mutation: Mutation, roomId: string): Promise<Result> {
  try {
    // Hundreds wait for one room, so the last answer takes long on a busy machine.
    return { data: await person.subscribe(mutation, { roomId }).next({ patienceMs: TEST_TIMEOUT_MS }) };
  } catch (error) {
    const errors = errorsIn(error);
    if (errors === undefined) throw error;
    return { errors };
  }
}

/** The errors of a GraphQL result. Undefined: something else went wrong. */
function errorsIn(error: unknown): Result['errors'] {
  try {
    const errors: unknown = JSON.parse((error as Error).message);
    return Array.isArray(errors) ? errors : undefined;
  } catch {
    return undefined;
  }
}

test('rooms: keep their counts and capacity while 200 users join, wait and leave and the capacity changes', async () => {
  const owner = await newUser(app);
  const users: Person[] = [];
  for (let i = 0; i < CROWD; i++) users.push(await newUser(app));
  await pLimit(20).map(users, (person) => person.do(Me));
  const roomId = await roomOf(owner, [], { capacity: SEATS });
  const room = rawId(roomId);
  /** By user id: how many joins succeeded, and how many requests have an unknown outcome. */
  const [joins, unknown] = [new Map<string, number>(), new Map<string, number>()];
  const record = (mutation: unknown, result: Result, id: string): void => {
    const code = codeOf(result);
    expect(OUTCOMES.get(mutation)).toContain(code);
    if (isMember(result)) joins.set(id, (joins.get(id) ?? 0) + 1);
    if (code === 'UNAVAILABLE') unknown.set(id, (unknown.get(id) ?? 0) + 1);
  };
  const joinAndLeave = async (person: Person, i: number) => {
    /** Half of them over HTTP, half over websockets. */
    const send = async (mutation: Mutation): Promise<void> => {
      const onSocket = i % 4 < 2;
      const sent = onSocket ? sendOnSocket(person, mutation, roomId) : person.send(mutation, { roomId });
      record(mutation, await sent, person.id);
    };
    await send(i % 3 === 0 ? JoinOrWait : JoinRoom);
    if (i % 2 === 0) await send(LeaveRoom);
    if (i % 5 === 0) await send(JoinRoom);
  };
  /** Until it is known that the person is not in the room. */
  const leave = async (person: Person): Promise<void> => {
    const result = await person.send(LeaveRoom, { roomId });
    record(LeaveRoom, result, person.id);
    if (codeOf(result) === 'UNAVAILABLE') await leave(person);
  };
  const resizing = async () => {
    for (const capacity of [5, 12, 8, 15, SEATS, 11, SEATS]) {
      record(UpdateRoom, await owner.send(UpdateRoom, { input: { roomId, capacity } }), owner.id);
    }
  };
  // A full room whose members leave in the race: otherwise no one's turn may come.
  const seated = users.slice(0, SEATS - 1);
  const waiting = users.slice(seated.length, seated.length + WAITING_BEFORE);
  const crowd = users.slice(seated.length + WAITING_BEFORE);
  for (const person of [...seated, ...waiting]) {
    const result = await person.send(JoinOrWait, { roomId });
    record(JoinOrWait, result, person.id);
    expect(codeOf(result)).toBe('ok');
  }
  await Promise.all([...seated.map(leave), ...crowd.map(joinAndLeave), resizing()]);

  await app.quiet();

  const replay = replaySeats(await readStream(app.database), room);
  expect([...replay.violations]).toEqual([]);
  // The log has one join for each request that succeeded, in addition to the joins from the waitlist.
  const times = (ids: readonly string[], id: string) => ids.filter((one) => one === id).length;
  for (const { id } of users) {
    const joined = times(replay.joined, id) - times(replay.fromWaitlist, id);
    const succeeded = joins.get(id) ?? 0;
    expect.soft(joined, id).toBeGreaterThanOrEqual(succeeded);
    expect.soft(joined, id).toBeLessThanOrEqual(succeeded + (unknown.get(id) ?? 0));
  }
  expect(replay.fromWaitlist.slice(0, WAITING_BEFORE)).toEqual(waiting.map(({ id }) => id));
  expect(replay.mostMembers).toBeGreaterThanOrEqual(5);

  const members = await itemsIn(app.dynamo, ranges.members(room));
  const seats = seatsOf((await app.dynamo.get(keys.seats(room))) ?? {});
  const listed = (await owner.do(Members, { roomId, first: 100 })).room?.members.edges.length;
  const counted = (await owner.do(RoomById, { id: roomId })).room?.memberCount;
  expect([listed, counted, seats.taken]).toEqual([members.length, members.length, members.length]);
  expect(await recount(app.dynamo)).toEqual([]);
  // If people still wait, every seat is taken.
  if (seats.waiting > 0) expect(seats.taken).toBe(seats.capacity);
});
