/**
 * One process of `npm run load`: some of the people. It sends at fixed times, whether or not earlier messages were
 * acknowledged: a server that is slow does not slow down its load, so the times are those that users would have.
 */
import { randomUUID } from 'node:crypto';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { ask, codeOf } from './client.ts';
import { addTime, type FromWorker, noCounts, type Person, type Share, type ToWorker } from './plan.ts';

const SEND = `mutation LoadMessage($room: ID!, $body: String!, $key: String!) {
  sendMessage(input: { roomId: $room, body: $body, idempotencyKey: $key }) { message { id } }
}`;
const READ = `query LoadPage($room: ID!) {
  room(id: $room) { messages(last: 50) { edges { node { id body createdAt author { id displayName } } } } }
}`;
const EVENTS = `subscription LoadEvents($room: ID!) {
  roomEvents(roomId: $room) { __typename ... on MessageAdded { message { body } } }
}`;
const UNREAD = 'subscription LoadBadge { unread { total } }';
const JOIN = 'mutation LoadJoin($room: ID!) { joinRoom(input: { roomId: $room }) { membership { id } } }';

interface RoomEvents {
  readonly roomEvents: { readonly __typename: string; readonly message?: { readonly body: string | null } };
}

/** How many join and connect at the same time. */
const AT_ONCE = 16;
/** Requests in flight. If there are more, one is not sent, and counts as an error: `TOO_SLOW`. */
const IN_FLIGHT_MAX = 1_000;

/** On one machine all processes have the same clock. */
const now = () => performance.timeOrigin + performance.now();

const counts = noCounts();
let received = 0;
const fail = (code: string) => {
  counts.errors[code] = (counts.errors[code] ?? 0) + 1;
};
const post = (message: FromWorker) => void process.send?.(message);

/** Resolves when the person is a member and their websocket is live. */
async function enter({ origin, run }: Share, { token, roomId }: Person): Promise<Client> {
  await ask({ origin, token }, JOIN, { room: roomId });
  const socket = createClient({
    url: `${origin.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 100,
    shouldRetry: () => true,
  });
  const prefix = `load ${run} `;
  await new Promise<void>((resolve, reject) => {
    const ended = (error?: unknown) => {
      fail(error === undefined ? 'ENDED' : codeOf(error));
      reject(error instanceof Error ? error : new Error('The subscription has ended.'));
    };
    socket.subscribe<RoomEvents>(
      { query: EVENTS, variables: { room: roomId } },
      {
        next({ data }) {
          const event = data?.roomEvents;
          if (event?.__typename === 'Synced') resolve();
          const body = event?.message?.body;
          if (body?.startsWith(prefix) !== true) return;
          received++;
          addTime(counts.delivered, now() - Number(body.slice(prefix.length)));
        },
        error: ended,
        complete: () => ended(),
      },
    );
    socket.subscribe({ query: UNREAD }, { next() {}, error: ended, complete() {} });
  });
  return socket;
}

async function enterAll(share: Share): Promise<Client[]> {
  const left = [...share.people];
  const sockets: Client[] = [];
  const enterSome = async () => {
    for (let person = left.pop(); person !== undefined; person = left.pop()) {
      await enter(share, person).then(
        (socket) => sockets.push(socket),
        (error: unknown) => fail(`ENTER ${codeOf(error)}`),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, enterSome));
  return sockets;
}

/** Calls `work` this often a second, at fixed times. Resolves when all calls have ended. */
async function paced(rate: number, seconds: number, work: (n: number) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  const began = performance.now();
  for (let n = 0; n < rate * seconds; n++) {
    const waitMs = began + (n * 1_000) / rate - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (running.size >= IN_FLIGHT_MAX) {
      fail('TOO_SLOW');
      continue;
    }
    const call = work(n)
      .catch((error: unknown) => fail(codeOf(error)))
      .finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
}

async function drive({ origin, run, people, rate, reads, seconds }: Share): Promise<void> {
  const personAt = (n: number) => people[n % people.length] as Person;
  const send = async (n: number) => {
    const { token, roomId } = personAt(n);
    const at = now();
    await ask({ origin, token }, SEND, { room: roomId, body: `load ${run} ${at}`, key: randomUUID() });
    addTime(counts.acknowledged, now() - at);
    counts.sent[roomId] = (counts.sent[roomId] ?? 0) + 1;
  };
  const read = async (n: number) => {
    const { token, roomId } = personAt(n);
    const at = now();
    await ask({ origin, token }, READ, { room: roomId });
    addTime(counts.reads, now() - at);
  };
  await Promise.all([paced(rate, seconds, send), paced(reads, seconds, read)]);
}

let share: Share | undefined;
let sockets: Client[] = [];
const current = () => ({ ...counts, received });

async function receive(message: ToWorker): Promise<void> {
  if (message.type === 'prepare') {
    share = message.share;
    sockets = await enterAll(share);
    post({ type: 'ready', live: sockets.length });
  } else if (message.type === 'go' && share !== undefined) {
    await drive(share);
    post({ type: 'sent', counts: current() });
  } else if (message.type === 'drain') {
    post({ type: 'done', counts: current() });
  }
}

process.on('message', (message: ToWorker) => {
  receive(message).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
// The coordinator has ended.
process.on('disconnect', () => process.exit(0));
