/**
 * What does it cost when all clients come back at once?
 *
 * PEOPLE members of a room have a websocket each, with the subscriptions of the web client: `unread` and `roomEvents`.
 * The server is stopped, as in a deployment, another one starts on the same table, and MISSED messages are sent. Then
 * all clients connect in the same moment, each with the last cursor that it has seen. The clock stops when every client
 * is live and has received every message that it missed. After that, the same with a server that is killed: its
 * successor waits until the former consumer's lease counts as lost, and the messages come then. The server, the clients
 * and the database are separate processes, and the CPU is the server's.
 */
import { encodeId } from '../src/graphql/ids.ts';
import { createClient } from '../test/support/clients/client.ts';
import { SendMessage } from '../test/support/clients/operations.ts';
import { SECRET } from '../test/support/clients/tokens.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { startTestApp } from '../test/support/servers/app.ts';
import { type Program, runProgram } from '../test/support/servers/program.ts';
import { letIn, tokenOf } from './people.ts';
import { recordResult } from './results.ts';
import { cpuMsOf, inParallel, printTable, rounded, startWorker } from './support.ts';

const PEOPLE = Number(process.env.PEOPLE ?? 1_000);
const MISSED = Number(process.env.MISSED ?? 20);

const database = await openTestDynamo({ file: true });

/** Creates the room and its members, and returns the room's global id. */
async function fill(): Promise<string> {
  const app = await startTestApp({ database });
  const { users, rooms } = app.services;
  const owner = await letIn(users, 0);
  const { id: room } = await rooms.create(owner, {
    name: 'Bench',
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
  });
  await inParallel(PEOPLE - 1, 16, async (i) => {
    await rooms.join(await letIn(users, i + 1), room);
  });
  await app.stop();
  return encodeId('Room', room);
}

interface Server {
  readonly program: Program;
  readonly url: string;
}

async function startServer(): Promise<Server> {
  const program = await runProgram({
    env: {
      DYNAMODB_ENDPOINT: database.endpoint,
      TABLE_NAME: database.table,
      AUTH_SECRET: SECRET,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      HOST: '127.0.0.1',
    },
  });
  return { program, url: (await program.ready()).url };
}

const room = await fill();
const readers = await startWorker(new URL('./storm/readers.ts', import.meta.url), { people: PEOPLE, room });

async function connectAll(name: string, { program, url }: Server, missed: number) {
  const before = await cpuMsOf(program.pid);
  const { ms, refused } = await readers.ask<{ ms: number; refused: number }>({ url, missed });
  const cpu = (await cpuMsOf(program.pid)) - before;
  return {
    '': name,
    'until all are live, ms': rounded(ms, 0),
    'CPU per client, ms': rounded(cpu / PEOPLE, 2),
    'subscriptions refused or ended, and opened again': refused,
  };
}

/** Sends what all clients have missed, on a new server. */
async function missSome({ url }: Server): Promise<void> {
  const owner = createClient(url, await tokenOf(0));
  for (let i = 0; i < MISSED; i++) {
    await owner.do(SendMessage, { input: { roomId: room, body: `Message ${i}` } });
  }
  await owner.close();
}

const first = await startServer();
const rows = [await connectAll('all at once after a start, nothing missed', first, 0)];
await first.program.stop();

const second = await startServer();
await missSome(second);
rows.push(await connectAll(`all at once after a restart, ${MISSED} messages missed`, second, MISSED));
second.program.signal('SIGKILL');
await second.program.ended;

const third = await startServer();
await missSome(third);
rows.push(
  await connectAll(`all at once after the server was killed, ${MISSED} messages missed`, third, MISSED),
);

await readers.stop();
await third.program.stop();
await database.stop();
printTable(`${PEOPLE} clients connect at once, with two subscriptions each`, rows);
recordResult('storm', rows);
