/**
 * What does it cost to open a subscription, and to keep it open while nothing happens? A reader's socket is opened
 * (handshake, `connection_init`, `subscribe`) up to the first event. Each reader is another user with a token of their
 * own, who has been here before, as after a restart. `both` is measured first, when the server knows none of the tokens
 * and profiles, and then the two alone. The server and the readers are separate processes, and only the server's CPU is
 * counted.
 *
 * The peer is graphql-ws as in its documentation, which reads nothing. The limit is bare `ws`, which returns each frame
 * that it receives. The memory is that of idle sockets with both subscriptions, after a collection.
 */
import { print } from 'graphql';
import WebSocket from 'ws';
import { BadgeDocument, RoomEventsDocument } from '../web/src/generated/graphql.ts';
import type { Kind } from './fanOut/server.ts';
import { tokenOf } from './people.ts';
import { recordResult } from './results.ts';
import { inParallel, printTable, rounded, startWorker, type Worker } from './support.ts';

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const PEOPLE = setting('PEOPLE', 2_000);
const AT_ONCE = setting('AT_ONCE', 50);
const WARM_UP = Math.ceil(PEOPLE / 5);

interface Operation {
  readonly query: string;
  readonly variables: object;
}

interface Address {
  readonly url: string;
  readonly variables: object;
}

/** Opens one socket. Resolves when each operation has had its first event. */
async function open(url: string, reader: number, operations: readonly Operation[]): Promise<WebSocket> {
  const token = await tokenOf(reader);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  await new Promise((resolve) => socket.once('open', resolve));
  let left = operations.length;
  const begun = new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { readonly type: string };
      if (type === 'connection_ack' || type === 'connection_init') {
        operations.forEach((payload, i) => {
          socket.send(JSON.stringify({ type: 'subscribe', id: String(i), payload }));
        });
      } else if (type !== 'next' && type !== 'subscribe') {
        reject(new Error(String(data)));
      } else if (--left === 0) {
        resolve();
      }
    });
  });
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await begun;
  return socket;
}

interface Range {
  readonly from: number;
  readonly count: number;
}

async function openAll(
  url: string,
  { from, count }: Range,
  operations: readonly Operation[],
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  await inParallel(count, AT_ONCE, async (i) => {
    sockets.push(await open(url, from + i, operations));
  });
  return sockets;
}

async function closeAll(sockets: readonly WebSocket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.close();
      return closed;
    }),
  );
}

interface Measured {
  /** Milliseconds of CPU for each opening. */
  readonly roomEvents: number;
  readonly unread: number;
  readonly both: number;
  /** Bytes for each idle socket with both. */
  readonly rss: number;
  readonly heap: number;
}

async function measure(kind: Kind): Promise<Measured> {
  const server = await startWorker(new URL('./fanOut/server.ts', import.meta.url), {
    kind,
    subject: 'messages',
    people: PEOPLE + WARM_UP,
  });
  const { url, variables } = await server.ask<Address>({ command: 'address' });
  const room = { query: print(RoomEventsDocument), variables };
  const badge = { query: print(BadgeDocument), variables: {} };
  const all = { from: WARM_UP, count: PEOPLE };

  const cpuOf = async (operations: readonly Operation[]) => {
    const before = await cpu(server);
    const sockets = await openAll(url, all, operations);
    return { ms: ((await cpu(server)) - before) / PEOPLE, sockets };
  };

  const warmUp = async () => closeAll(await openAll(url, { from: 0, count: WARM_UP }, [room, badge]));
  await warmUp();
  const before = await server.ask<{ rss: number; heap: number }>({ command: 'memory' });
  // The collections have discarded compiled code.
  await warmUp();
  const both = await cpuOf([room, badge]);
  const after = await server.ask<{ rss: number; heap: number }>({ command: 'memory' });
  await closeAll(both.sockets);
  const roomEvents = await cpuOf([room]);
  await closeAll(roomEvents.sockets);
  const unread = await cpuOf([badge]);
  await closeAll(unread.sockets);
  await server.stop();
  return {
    roomEvents: roomEvents.ms,
    unread: unread.ms,
    both: both.ms,
    rss: (after.rss - before.rss) / PEOPLE,
    heap: (after.heap - before.heap) / PEOPLE,
  };
}

const cpu = (server: Worker) => server.ask<number>({ command: 'cpu' });

const row = (name: string, { roomEvents, unread, both, rss, heap }: Measured) => ({
  '': name,
  'roomEvents, ms': rounded(roomEvents, 2),
  'unread, ms': rounded(unread, 2),
  'both on one socket, ms': rounded(both, 2),
  'memory of an idle socket, KB': rounded(rss / 1_024),
  'of it JavaScript, KB': rounded(heap / 1_024),
});

const limit = await measure('ws');
const peer = await measure('graphqlWs');
const mine = await measure('tsudoi');
const rows = [row('bare ws', limit), row('graphql-ws', peer), row('Tsudoi', mine)];
printTable(`Opening a subscription, and keeping it: ${PEOPLE} sockets, ${AT_ONCE} at a time`, rows);
recordResult('opening', rows);
