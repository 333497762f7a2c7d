/** Two hundred people, ten seats: what the room says of itself is so at every instant, and nobody is there too much. */
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { RATE_LIMITS } from '../../src/rateLimits.ts';
import { seatsOf } from '../../src/rooms/room.ts';
import type { TypedDocumentString } from '../generated/graphql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
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

/** What one was answered: nothing, or why not. On a busy machine the database may not answer in time. */
const CODES = new Set([undefined, 'ROOM_FULL', 'ALREADY_MEMBER', 'FORBIDDEN', 'CONFLICT', 'UNAVAILABLE']);
type Code = string | undefined;

/** One of the ways to come or to go. */
type Mutation = TypedDocumentString<unknown, { readonly roomId: string }>;

/** As `Person.refused`, over their websocket. */
async function refusedOnSocket(person: Person, mutation: Mutation, roomId: string): Promise<Code> {
  try {
    await person.subscribe(mutation, { roomId }).next();
    return undefined;
  } catch (error) {
    return JSON.parse((error as Error).message)[0].extensions.code;
  }
}

test('a crowd joins, waits, leaves and comes back while the seats are made more and fewer', async () => {
  const owner = await somebody(app);
  const crowd: Person[] = [];
  for (let i = 0; i < CROWD; i++) crowd.push(await somebody(app));
  await pLimit(20).map(crowd, (person) => person.do(Me));
  const roomId = await roomOf(owner, [], { capacity: SEATS });
  const room = rawId(roomId);
  const codes: Code[] = [];
  let welcomed = 0;
  const doing = async (person: Person, i: number) => {
    /** Half of them over HTTP, half over websockets. */
    const does = async (mutation: Mutation): Promise<void> => {
      const onSocket = i % 4 < 2;
      const refused = onSocket
        ? refusedOnSocket(person, mutation, roomId)
        : person.refused(mutation, { roomId });
      const code = await refused;
      codes.push(code);
      if (mutation === JoinRoom && code === undefined) welcomed++;
    };
    await does(i % 3 === 0 ? JoinOrWait : JoinRoom);
    if (i % 2 === 0) await does(LeaveRoom);
    if (i % 5 === 0) await does(JoinRoom);
  };
  const resizing = async () => {
    for (const capacity of [5, 12, 8, 15, SEATS, 11, SEATS]) {
      codes.push(await owner.refused(UpdateRoom, { input: { roomId, capacity } }));
    }
  };
  await Promise.all([...crowd.map(doing), resizing()]);
  for (const code of codes) expect(CODES).toContain(code);
  expect(codes.filter((code) => code === 'UNAVAILABLE').length).toBeLessThan(codes.length / 2);
  await app.quiet();

  const replay = replaySeats(await readStream(app.database), room);
  expect([...replay.faults]).toEqual([]);
  // Everybody who was told that they are in has come in.
  expect(replay.came.length - replay.seated.length).toBeGreaterThanOrEqual(welcomed);
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
