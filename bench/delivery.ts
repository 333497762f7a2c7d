/**
 * What does delivery cost those who send? Messages per second, and the server's CPU for each, in rooms of one server.
 * Each room is compared with one whose members have no device:
 *
 *   listening           30 members with a browser each, who chose all messages of the room
 *   mentioned, reached  each message mentions one of 30 members, in turn, who have a browser each
 *   direct, reached     2 people with a browser each
 *
 * The push service takes every push and never responds, so everything that waits for it would be seen here. All
 * messages are delivered after five seconds and once a minute, so that pushes hang while others send.
 *
 * It first sends messages far apart, to each room in turn: the time until the response, which is what a user waits for.
 * Then it sends all that the server can take: a round sends to each room in turn, and the clock stops when the last
 * message has its position. What is decided and tried in that time takes its share of the same two cores.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { newVapidKey } from '../src/core/vapidKeys.ts';
import { createVapid } from '../src/delivery/channels/webPush/vapid.ts';
import { decodeId, encodeId } from '../src/graphql/ids.ts';
import { startPushService } from '../test/delivery/support/pushService.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { startTestApp } from '../test/support/servers/app.ts';
import { recordResult } from './results.ts';
import { type Sent, startSender } from './sender.ts';
import { percentile, printTable, rounded } from './support.ts';

const WIDTH = 16;
const MEMBERS = 30;
const SENDS = Number(process.env.SENDS ?? 300);
const WARM_UP = 200;
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** Sends far apart, to each room. */
const APART = Number(process.env.APART ?? 150);
const APART_MS = 40;

const database = await openTestDynamo({ file: true });
const service = await startPushService();
service.respond(() => 'hang');
const privateKey = newVapidKey().toString('base64url');
const subject = 'mailto:a@example.com';

interface BenchRoom {
  readonly name: string;
  /** What it is compared with. */
  readonly base: string;
  readonly roomId: string;
  readonly bodyOf?: (i: number) => string;
}

async function fill(): Promise<readonly BenchRoom[]> {
  const app = await startTestApp({ database });
  const { users, rooms, pushSubscriptions, deliverySettings } = app.services;
  const key = await createVapid(async () => ({ privateKey, subject }), Date.now).publicKey();
  const ensure = (name: string) => users.ensure({ sub: name, handle: name });
  const author = await ensure('sender');

  async function people(name: string, count: number, isReached: boolean): Promise<string[]> {
    const ids = await Promise.all(Array.from({ length: count }, (_, i) => ensure(`${name}${i}`)));
    for (const id of isReached ? ids : []) {
      await pushSubscriptions.register(id, { ...service.subscribe(), key, label: 'A phone', token: {} });
    }
    return ids;
  }

  async function roomWith(members: readonly string[]): Promise<string> {
    const { id } = await rooms.create(author, {
      name: 'Bench',
      topic: null,
      visibility: 'PUBLIC',
      capacity: null,
    });
    for (const member of members) await rooms.join(member, id);
    return encodeId('Room', id);
  }

  const direct = async (others: readonly string[]) =>
    encodeId('Room', (await rooms.openDirect(author, others)).id);
  const mentions = (name: string) => (i: number) => `@${name}${i % MEMBERS} Message ${i}`;
  const listeners = await people('listener', MEMBERS, true);
  const listening = await roomWith(listeners);
  for (const user of listeners) await deliverySettings.setRoom(user, decodeId(listening).id, 'ALL');
  const all: readonly BenchRoom[] = [
    { name: 'no device', base: 'no device', roomId: await roomWith(await people('member', MEMBERS, false)) },
    { name: 'listening', base: 'no device', roomId: listening },
    {
      name: 'mentioned',
      base: 'mentioned',
      bodyOf: mentions('named'),
      roomId: await roomWith(await people('named', MEMBERS, false)),
    },
    {
      name: 'mentioned, reached',
      base: 'mentioned',
      bodyOf: mentions('rung'),
      roomId: await roomWith(await people('rung', MEMBERS, true)),
    },
    { name: 'direct', base: 'direct', roomId: await direct(await people('friend', 1, false)) },
    { name: 'direct, reached', base: 'direct', roomId: await direct(await people('near', 1, true)) },
  ];
  await app.stop();
  return all;
}

const rooms = await fill();
const sender = await startSender({
  database,
  sub: 'sender',
  width: WIDTH,
  env: {
    PUSH_ORIGINS: service.origin,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: subject,
    DELIVERY_WINDOWS: 'MESSAGE=5s/60s',
  },
});
for (const { roomId, bodyOf } of rooms) await sender.send(roomId, WARM_UP, bodyOf);

/** The milliseconds until each response. */
const responses = new Map<string, number[]>(rooms.map(({ name }) => [name, []]));
let held = 0;
for (let i = 0; i < APART; i++) {
  // Each follows another one every other time.
  for (const { name, roomId, bodyOf = String } of i % 2 === 0 ? rooms : rooms.toReversed()) {
    responses.get(name)?.push(await sender.respond(roomId, bodyOf(i)));
    held = Math.max(held, service.held().now);
    await wait(APART_MS);
  }
}
if (held === 0) throw new Error('No push was held while messages were sent.');

const rounds: Array<ReadonlyMap<string, Sent>> = [];
for (let round = 0; round < ROUNDS; round++) {
  const results = new Map<string, Sent>();
  // Each time another room is the first one.
  const turn = round % rooms.length;
  for (const { name, roomId, bodyOf } of [...rooms.slice(turn), ...rooms.slice(0, turn)]) {
    results.set(name, await sender.send(roomId, SENDS, bodyOf));
  }
  rounds.push(results);
}
await sender.stop();
service.release();
await service.stop();
await database.stop();

const median = ({ name, base }: BenchRoom, of: (sent: Sent, base: Sent) => number) => {
  const values = rounds.flatMap((round) => {
    const [sent, compared] = [round.get(name), round.get(base)];
    return sent === undefined || compared === undefined ? [] : [of(sent, compared)];
  });
  return rounded(percentile(values, 50), 2);
};
const response = (name: string) => percentile(responses.get(name) ?? [], 50);
const rows = rooms.map((room) => ({
  room: room.name,
  'response, ms': rounded(response(room.name), 1),
  'response, compared': rounded(response(room.name) / response(room.base), 2),
  'sends per second': median(room, ({ rate }) => rate),
  "server's CPU per send, ms": median(room, ({ cpuMs }) => cpuMs),
  'compared with': room.base,
  time: median(room, ({ rate }, base) => base.rate / rate),
  CPU: median(room, ({ cpuMs }, base) => cpuMs / base.cpuMs),
}));
printTable(`Sends with delivery, ${WIDTH} at a time (${ROUNDS} rounds of ${SENDS})`, rows);
recordResult('delivery', rows);
