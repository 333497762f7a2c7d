/** Two hundred people, ten seats: what the room says of itself is so at every instant, and nobody is there too much. */
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { seatsOf } from '../../src/rooms/room.ts';
import type { TypedDocumentString } from '../generated/graphql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Answer } from '../support/client.ts';
import { JoinRoom, LeaveRoom, Me, Members, RoomById, UpdateRoom } from '../support/operations.ts';
import { type Person, rawId, roomOf, somebody } from '../support/people.ts';
import { recount } from '../support/recount/recount.ts';
import { readStream } from '../support/stream.ts';
import { itemsIn } from '../support/table.ts';
import { JoinOrWait } from './operations.ts';
import { replaySeats } from './seatsInOrder.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const CROWD = 200;
const SEATS = 10;

let app: TestApp;
beforeAll(async () => {
  // A crowd is no script: each of them does little.
  app = await startTestApp({ config: { rateLimits: RATE_LIMITS } });
});
afterAll(() => app.stop());

/** One of the ways to come or to go. */
type Mutation = TypedDocumentString<unknown, { readonly roomId: string }>;
type Did = Answer<unknown>;

const codeOf = ({ errors }: Did): string => errors?.[0]?.extensions?.code ?? (errors ? 'no code' : 'ok');
const isIn = ({ data }: Did): boolean =>
  ((data as { joinRoom?: { membership: object | null } } | null | undefined)?.joinRoom?.membership ??
    null) !== null;

/** What may come of each. On a busy machine the database may not answer any of them in time. */
const OUTCOMES = new Map<unknown, readonly string[]>([
  [JoinRoom, ['ok', 'ROOM_FULL', 'ALREADY_MEMBER', 'UNAVAILABLE']],
  // There is a place in the line for everybody who waits here.
  [JoinOrWait, ['ok', 'UNAVAILABLE']],
  // Whose seat went, or was never theirs.
  [LeaveRoom, ['ok', 'FORBIDDEN', 'UNAVAILABLE']],
  [UpdateRoom, ['ok', 'CONFLICT', 'UNAVAILABLE']],
]);

/** As `Person.send`, over their websocket. Rejects where there is no answer at all. */
async function sendOnSocket(person: Person, mutation: Mutation, roomId: string): Promise<Did> {
  try {
    return { data: await person.subscribe(mutation, { roomId }).next() };
  } catch (error) {
    const errors = errorsIn(error);
    if (errors === undefined) throw error;
    return { errors };
  }
}

/** The errors of a GraphQL answer; undefined where it is something else that went wrong. */
function errorsIn(error: unknown): Did['errors'] {
  try {
    const errors: unknown = JSON.parse((error as Error).message);
    return Array.isArray(errors) ? errors : undefined;
  } catch {
    return undefined;
  }
}

test('a crowd joins, waits, leaves and comes back while the seats are made more and fewer', async () => {
  const owner = await somebody(app);
  const crowd: Person[] = [];
  for (let i = 0; i < CROWD; i++) crowd.push(await somebody(app));
  await pLimit(20).map(crowd, (person) => person.do(Me));
  const roomId = await roomOf(owner, [], { capacity: SEATS });
  const room = rawId(roomId);
  const codes: string[] = [];
  /** By person: how often they were told that they are in, and how often they were not told. */
  const [welcomes, unknown] = [new Map<string, number>(), new Map<string, number>()];
  const note = (mutation: unknown, did: Did, id: string): void => {
    const code = codeOf(did);
    expect(OUTCOMES.get(mutation)).toContain(code);
    codes.push(code);
    if (isIn(did)) welcomes.set(id, (welcomes.get(id) ?? 0) + 1);
    if (code === 'UNAVAILABLE') unknown.set(id, (unknown.get(id) ?? 0) + 1);
  };
  const doing = async (person: Person, i: number) => {
    /** Half of them over HTTP, half over websockets. */
    const does = async (mutation: Mutation): Promise<void> => {
      const onSocket = i % 4 < 2;
      const sent = onSocket ? sendOnSocket(person, mutation, roomId) : person.send(mutation, { roomId });
      note(mutation, await sent, person.id);
    };
    await does(i % 3 === 0 ? JoinOrWait : JoinRoom);
    if (i % 2 === 0) await does(LeaveRoom);
    if (i % 5 === 0) await does(JoinRoom);
  };
  const resizing = async () => {
    for (const capacity of [5, 12, 8, 15, SEATS, 11, SEATS]) {
      note(UpdateRoom, await owner.send(UpdateRoom, { input: { roomId, capacity } }), owner.id);
    }
  };
  await Promise.all([...crowd.map(doing), resizing()]);
  expect(codes.filter((code) => code === 'UNAVAILABLE').length).toBeLessThan(codes.length / 2);
  await app.quiet();

  const replay = replaySeats(await readStream(app.database), room);
  expect([...replay.faults]).toEqual([]);
  // Everybody came in as often as they were told so, but for those who came in by the line.
  const times = (ids: readonly string[], id: string) => ids.filter((one) => one === id).length;
  for (const { id } of crowd) {
    const came = times(replay.came, id) - times(replay.seated, id);
    const told = welcomes.get(id) ?? 0;
    expect.soft(came, id).toBeGreaterThanOrEqual(told);
    expect.soft(came, id).toBeLessThanOrEqual(told + (unknown.get(id) ?? 0));
  }
  expect(replay.seated.length).toBeGreaterThan(0);
  expect(replay.most).toBeGreaterThanOrEqual(5);

  const members = await itemsIn(app.dynamo, ranges.members(room));
  const seats = seatsOf((await app.dynamo.get(keys.seats(room))) ?? {});
  const listed = (await owner.do(Members, { roomId, first: 100 })).room?.members.edges.length;
  const counted = (await owner.do(RoomById, { id: roomId })).room?.memberCount;
  expect([listed, counted, seats.taken]).toEqual([members.length, members.length, members.length]);
  expect(await recount(app.dynamo)).toEqual([]);
  // Somebody still waits, or every seat that was wanted was given.
  if (seats.waiting > 0) expect(seats.taken).toBe(seats.capacity);
});
