/** Two hundred people, ten seats: what the room says of itself is so at every instant, and nobody is there too much. */
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Item } from '../../src/dynamo/item.ts';
import { type KeyRange, keys, ranges } from '../../src/dynamo/keys.ts';
import { TsudoiError } from '../../src/errors.ts';
import { seatsOf } from '../../src/rooms/room.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { onDynamoDbLocal } from '../support/dynamo.ts';
import { JoinRoom, LeaveRoom, Me, UpdateRoom } from '../support/operations.ts';
import { type Person, rawId, roomOf, somebody } from '../support/people.ts';
import { recount } from '../support/recount/recount.ts';
import { quiet } from '../support/table.ts';
import { JoinOrWait } from './operations.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const CROWD = onDynamoDbLocal ? 30 : 200;
const SEATS = 10;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** From a room's first member to its seats: one request, which the database answers out of one moment. */
const moment = (room: string): KeyRange => ({ ...ranges.members(room), to: keys.seats(room).sk });

/** What is wrong with a room at this moment. */
async function wrong(room: string): Promise<string[]> {
  const { items } = await app.dynamo.query(moment(room), { limit: 1_000 });
  const isMember = ({ sk }: Item) => String(sk).startsWith('MEMBER#');
  const members = items.filter(isMember);
  const owners = members.filter(({ role }) => role === 'OWNER').length;
  const { taken, capacity, owners: said } = seatsOf(items.find(({ sk }) => sk === 'SEATS') ?? {});
  return [
    taken === members.length ? '' : `${taken} said, ${members.length} there`,
    said === owners ? '' : `${said} owners said, ${owners} there`,
    capacity !== null && taken > capacity ? `${taken} of ${capacity}` : '',
    taken > 0 && owners === 0 ? 'nobody owns it' : '',
  ].filter((line) => line !== '');
}

/** On a busy machine the database may not answer in time: whether that write was done or not, all holds. */
const CODES = new Set([undefined, 'ROOM_FULL', 'ALREADY_MEMBER', 'FORBIDDEN', 'CONFLICT', 'UNAVAILABLE']);

function unlessTooBusy(error: unknown): undefined {
  if (!(error instanceof TsudoiError) || error.code !== 'UNAVAILABLE') throw error;
}

test('a crowd joins, waits, leaves and comes back while the seats are made more and fewer', async () => {
  const owner = await somebody(app);
  const crowd: Person[] = [];
  for (let i = 0; i < CROWD; i++) crowd.push(await somebody(app));
  await pLimit(20).map(crowd, (person) => person.do(Me));
  const roomId = await roomOf(owner, [], { capacity: SEATS });
  const room = rawId(roomId);
  const codes: Array<string | undefined> = [];
  const doing = async (person: Person, i: number) => {
    const joining =
      i % 3 === 0 ? person.refused(JoinOrWait, { roomId }) : person.refused(JoinRoom, { roomId });
    codes.push(await joining);
    if (i % 2 === 0) codes.push(await person.refused(LeaveRoom, { roomId }));
    if (i % 5 === 0) codes.push(await person.refused(JoinRoom, { roomId }));
  };
  const resizing = async () => {
    for (const capacity of [5, 12, 8, 15, SEATS, 11, SEATS]) {
      codes.push(await owner.refused(UpdateRoom, { input: { roomId, capacity } }));
    }
  };
  let over = false;
  let looks = 0;
  const faults = new Set<string>();
  const looking = (async () => {
    while (!over) {
      const seen = await wrong(room).catch(unlessTooBusy);
      if (seen !== undefined) looks++;
      for (const fault of seen ?? []) faults.add(fault);
    }
  })();
  await Promise.all([...crowd.map(doing), resizing()]);
  over = true;
  await looking;
  expect([...faults]).toEqual([]);
  expect(looks).toBeGreaterThan(5);
  for (const code of codes) expect(CODES).toContain(code);
  await quiet(app.dynamo);
  expect(await wrong(room)).toEqual([]);
  expect(await recount(app.dynamo)).toEqual([]);
  // Somebody still waits, or every seat that was wanted was given.
  const seats = seatsOf((await app.dynamo.get(keys.seats(room))) ?? {});
  if (seats.waiting > 0) expect(seats.taken).toBe(seats.capacity);
});
