/** The readers, in a separate process: websockets that count what they receive. `grow` opens more of them. */
import WebSocket from 'ws';
import { tokenOf } from '../people.ts';
import { percentile, serve } from '../support.ts';

interface Argument {
  readonly url: string;
  /** At first. */
  readonly people: number;
  /** Updates in each round. */
  readonly perRound: number;
  /** What each reader subscribes to. Without it, readers only listen. */
  readonly subscription?: { readonly query: string; readonly variables: object };
  /** The server speaks Socket.IO's protocol. */
  readonly socketIo?: boolean;
}

const argument = JSON.parse(process.argv[2] ?? '{}') as Argument;
const { url, perRound, subscription, socketIo = false } = argument;
const counts: number[] = [];
let bytes = 0;
let frame = '';
let wanted = 0;
let full = 0;
let allThere = () => {};
/** Milliseconds from the moment that a message has in its text until it arrived. Undefined: not measured. */
let latencies: number[] | undefined;

/** A message whose text is the moment of its action, in microseconds since 1970. */
function measure(data: string): void {
  const sentAt = /"Message (\d{15,})/.exec(data)?.[1];
  if (sentAt === undefined) return;
  latencies?.push(performance.timeOrigin + performance.now() - Number(sentAt) / 1_000);
}

function count(reader: number, data: string): void {
  bytes += data.length;
  frame = data;
  if (latencies !== undefined) measure(data);
  counts[reader] = (counts[reader] ?? 0) + 1;
  if (counts[reader] === wanted) full++;
  if (full === counts.length) allThere();
}

/** The part of Socket.IO's protocol that a client which only listens needs. */
async function connectSocketIo(reader: number): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40');
      else if (text.startsWith('40')) resolve();
      else if (text === '2') socket.send('3');
      else if (text.startsWith('42')) count(reader, text);
    });
  });
  return socket;
}

async function connect(reader: number): Promise<WebSocket> {
  if (socketIo) return connectSocketIo(reader);
  if (subscription === undefined) {
    const socket = new WebSocket(url);
    socket.on('message', (data) => count(reader, String(data)));
    await new Promise((resolve) => socket.once('open', resolve));
    return socket;
  }
  const token = await tokenOf(reader);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  // The first event is the state that the reader begins with.
  let begun = false;
  const first = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('{"type":"connection_ack"')) {
        socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: subscription }));
      } else if (!begun) {
        begun = true;
        resolve();
      } else {
        count(reader, text);
      }
    });
  });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await first;
  return socket;
}

const sockets: WebSocket[] = [];
/** Opens websockets until there are `people` of them. Nothing may be in flight. */
async function grow(people: number): Promise<void> {
  for (let i = counts.length; i < people; i = counts.length) {
    const more = Array.from({ length: Math.min(50, people - i) }, (_, j) => i + j);
    counts.push(...more.map(() => wanted));
    sockets.push(...(await Promise.all(more.map(connect))));
  }
}
await grow(argument.people);

serve(
  async ({ command, people, rounds = 1 }) => {
    if (command === 'grow') return grow(Number(people));
    if (command === 'sample') return { frame, bytes };
    if (command === 'pace') {
      latencies = [];
      return null;
    }
    if (command === 'latencies') {
      const all = latencies ?? [];
      return { count: all.length, p50: percentile(all, 50), p99: percentile(all, 99) };
    }
    // Resolves when every reader has received the frames of these rounds.
    wanted += perRound * Number(rounds);
    full = counts.filter((got) => got >= wanted).length;
    if (full < counts.length) {
      await new Promise<void>((resolve) => {
        allThere = resolve;
      });
    }
    if (counts.some((got) => got !== wanted)) throw new Error('A reader got more than was sent.');
    return null;
  },
  async () => {
    for (const socket of sockets) socket.terminate();
  },
);
