/**
 * How many messages per second does one server take, compared with the same transactions on the bare database?
 *
 * Each side writes to its own embedded DynamoDB in a file, WIDTH at a time. The bare side writes the three items of a
 * message through the same transport. Ours calls `sendMessage` over HTTP, including positions and the room log: the clock
 * stops when the last message has its position. Rounds alternate, so that both sides run under the same conditions.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createTimestamps } from '../src/core/timestamps.ts';
import { startEmbedded } from '../src/dev/embeddedDynamodb/embedded.ts';
import { connect } from '../src/dynamo/connect.ts';
import { createDynamo } from '../src/dynamo/dynamo.ts';
import { keys } from '../src/dynamo/keys.ts';
import { ensureTable } from '../src/dynamo/table.ts';
import { counterOf, membershipItem } from '../src/rooms/room.ts';
import { startTestApp } from '../test/support/app.ts';
import { CreateRoom, SendMessage } from '../test/support/operations.ts';
import { inParallel, printTable, rounded } from './support.ts';

const WIDTH = 16;
const SENDS = 1_000;
const WARM_UP = 200;
const ROUNDS = 3;

async function bare() {
  const log = pino({ level: 'silent' });
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-bench-'));
  const database = await startEmbedded({ dataDir: directory, log });
  const { client, transport, destroy } = connect({ ...database, via: 'direct' });
  await ensureTable(client, 'bench');
  const dynamo = createDynamo({ transport, table: 'bench' });
  const timestamps = createTimestamps();
  const [user, room] = ['somebody', 'someroom'];
  const joinedAt = timestamps.next();
  await dynamo.put(
    membershipItem({
      ...{ user, room, role: 'MEMBER', joinedAt, lastReadTs: joinedAt },
      ...{ muted: false, readPosition: 0, pendingReadRoot: null, version: 1 },
    }),
  );
  const send = (i: number) => {
    const c = timestamps.next();
    return dynamo.transact([
      {
        key: keys.membership(user, room),
        update: 'SET readTo = :c',
        condition: 'attribute_exists(pk)',
        values: { ':c': c },
      },
      { put: { ...keys.sent(user, `${c}`), t: c, c, room }, condition: 'attribute_not_exists(pk)' },
      {
        put: { ...keys.root(room, c), author: user, body: `Message ${i}`, rev: 1 },
        condition: 'attribute_not_exists(pk)',
      },
    ]);
  };
  return {
    async run(count: number): Promise<number> {
      const start = performance.now();
      await inParallel(count, WIDTH, send);
      return (count / (performance.now() - start)) * 1_000;
    },
    async stop() {
      destroy();
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function ours() {
  const app = await startTestApp();
  const aki = await app.as('aki');
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'Bench', visibility: 'PUBLIC' } });
  const roomId = createRoom.room.id;
  const room = Buffer.from(roomId, 'base64url').toString().replace('Room:', '');
  let sent = 0;

  async function positions(): Promise<number> {
    const item = await app.dynamo.get(keys.counter(room));
    return item === undefined ? 0 : counterOf(item).lastPosition;
  }

  return {
    async run(count: number): Promise<number> {
      const start = performance.now();
      await inParallel(count, WIDTH, (i) =>
        aki.do(SendMessage, { input: { roomId, body: `Message ${i}`, idempotencyKey: `${sent}-${i}` } }),
      );
      sent += count;
      // Drain: wait until every acknowledged message has its position.
      while ((await positions()) < sent) await new Promise((resolve) => setImmediate(resolve));
      if ((await positions()) !== sent) throw new Error('Messages were lost or counted twice.');
      return (count / (performance.now() - start)) * 1_000;
    },
    stop: () => app.stop(),
  };
}

const [theirs, mine] = [await bare(), await ours()];
await theirs.run(WARM_UP);
await mine.run(WARM_UP);
const rates: Array<{ bare: number; ours: number }> = [];
for (let round = 0; round < ROUNDS; round++)
  rates.push({ bare: await theirs.run(SENDS), ours: await mine.run(SENDS) });
await theirs.stop();
await mine.stop();

printTable(
  `Sends per second, ${WIDTH} at a time (${SENDS} per round)`,
  rates.map(({ bare: a, ours: b }, i) => ({
    round: i + 1,
    'bare transactions': rounded(a, 0),
    'sendMessage with position': rounded(b, 0),
    'ours / bare': rounded(b / a, 2),
  })),
);
