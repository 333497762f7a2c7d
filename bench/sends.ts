/**
 * How many messages per second does one server take, compared with the same transactions on the bare database?
 *
 * Each side writes to its own embedded DynamoDB in a file, WIDTH at a time. The bare side writes the three items of a
 * message through the same transport, from this process. Ours is a server in a process of its own, which is sent
 * `sendMessage` over HTTP, including positions and the room log: the clock stops when the last message has its
 * position. Rounds alternate, so that both sides run under the same conditions. At the end, messages are sent one at a
 * time to the same server: what one costs if it shares nothing with others.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createTimestamps } from '../src/core/timestamps.ts';
import { startEmbedded } from '../src/dev/embeddedDynamodb/embedded.ts';
import { connect } from '../src/dynamo/connect.ts';
import { createDynamo } from '../src/dynamo/dynamo.ts';
import { ensureTable } from '../src/dynamo/ensureTable.ts';
import { hashed, keys } from '../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../src/dynamo/shapes.ts';
import { messageItem, newMessage, storedMessageKey } from '../src/messages/message.ts';
import { REACTIONS } from '../src/reactions/registry.ts';
import { membershipItem } from '../src/rooms/room.ts';
import { createClient } from '../test/support/clients/client.ts';
import { CreateRoom } from '../test/support/clients/operations.ts';
import { tokenFor } from '../test/support/clients/tokens.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { recordResult } from './results.ts';
import { startSender } from './sender.ts';
import { inParallel, percentile, printTable, rounded } from './support.ts';

const WIDTH = 16;
const SENDS = 1_000;
/** A server's code is compiled while it runs: its first thousand messages take twice the CPU of later ones. */
const WARM_UP = 4_000;
const ROUNDS = 5;
const QUIET_SENDS = 50;
const QUIET_TARGET_MS = 8;

async function bare() {
  const log = pino({ level: 'silent' });
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-bench-'));
  const database = await startEmbedded({ dataDir: directory, log });
  const { client, transport, destroy } = connect({ ...database, via: 'direct' });
  await ensureTable(client, 'bench');
  const dynamo = createDynamo({ transport, table: 'bench' });
  const timestamps = createTimestamps();
  // As long as real ids.
  const [author, room] = ['a'.repeat(26), 'b'.repeat(26)];
  const extras = Object.assign({}, ...REACTIONS.map(({ initial }) => initial));
  const joinedAt = timestamps.next();
  await dynamo.put(
    membershipItem({
      user: author,
      room,
      role: 'MEMBER',
      joinedAt,
      lastReadTs: joinedAt,
      muted: false,
      readPosition: 0,
      pendingReadRoot: null,
      version: 1,
    }),
  );
  const send = (i: number) => {
    const ts = timestamps.next();
    const message = newMessage({
      room,
      threadTs: ts,
      ts,
      author,
      extras,
      body: `Message ${i}`,
      mentions: [],
    });
    return dynamo.transact([
      {
        key: keys.membership(author, room),
        update: 'SET readTo = :ts, readAt = :ts, rev = rev + :one',
        condition: 'attribute_exists(pk)',
        values: { ':ts': ts, ':one': 1 },
      },
      {
        put: {
          ...keys.idempotencyRecord(author, ts),
          v: FIRST_SHAPE,
          ...storedMessageKey(message),
          content: hashed(ts),
          expiresAt: 2_000_000_000,
        },
        condition: 'attribute_not_exists(pk) OR expiresAt < :now',
        values: { ':now': 1_900_000_000 },
      },
      { put: messageItem(message), condition: 'attribute_not_exists(pk)' },
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
  const database = await openTestDynamo({ file: true });
  const sender = await startSender({ database, sub: 'aki', width: WIDTH });
  const aki = createClient(sender.url, await tokenFor('aki'));
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'Bench', visibility: 'PUBLIC' } });
  await aki.close();
  return {
    run: (count: number) => sender.send(createRoom.room.id, count),
    alone: (count: number) => sender.sendAlone(createRoom.room.id, count),
    async stop() {
      await sender.stop();
      await database.stop();
    },
  };
}

const [theirs, mine] = [await bare(), await ours()];
await theirs.run(WARM_UP);
await mine.run(WARM_UP);
const rounds: Array<{ bare: number; rate: number; cpuMs: number }> = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ bare: await theirs.run(SENDS), ...(await mine.run(SENDS)) });
const quietMs = await mine.alone(QUIET_SENDS);
await theirs.stop();
await mine.stop();

const median = (values: readonly number[]) => percentile(values, 50);
const rows = [
  ...rounds.map((one, i) => ({ round: `${i + 1}`, ...one, ratio: one.rate / one.bare })),
  {
    round: 'median',
    bare: median(rounds.map((one) => one.bare)),
    rate: median(rounds.map(({ rate }) => rate)),
    ratio: median(rounds.map((one) => one.rate / one.bare)),
    cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  },
].map((row) => ({
  round: row.round,
  'bare transactions': rounded(row.bare, 0),
  'sendMessage with position': rounded(row.rate, 0),
  'ours / bare': rounded(row.ratio, 2),
  "server's CPU per send, ms": rounded(row.cpuMs, 2),
}));
printTable(`Sends per second, ${WIDTH} at a time (${SENDS} per round)`, rows);
recordResult('sends', rows);

const alone = [{ sends: QUIET_SENDS, "server's CPU per send, ms": rounded(quietMs, 2) }];
printTable(
  `Sends one at a time in a quiet room, with all that follows (target: ≤ ${QUIET_TARGET_MS})`,
  alone,
);
recordResult('sends/quiet', alone);
