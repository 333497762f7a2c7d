/**
 * What does a badge update cost, against graphql-ws telling everybody the same, and `ws` sending a ready frame?
 *
 * PEOPLE websockets, all in one room. A round is one message: it ends when every reader has its update, so
 * nothing is left under way when the clock stops. Server and readers are processes of their own; the CPU
 * is the server's. Ours includes the mutation, the stream and what is derived: one message a round.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { percentile, printTable, rounded, startWorker, type Worker } from '../support.ts';
import type { Kind } from './server.ts';

const PEOPLE = 1_000;
const ROUNDS = 40;
const WARM_UP = 10;
/** More than the 100 ms in which a reader gets one update at most. */
const BETWEEN_MS = 120;

const script = (name: string) => new URL(`./${name}.ts`, import.meta.url);

interface Result {
  readonly cpuPerPush: number;
  readonly pushesPerSecond: number;
  readonly roundMs: number;
}

async function measure(
  server: Worker,
  readers: Worker,
  push: (round: number) => Promise<unknown>,
): Promise<Result> {
  async function round(i: number): Promise<number> {
    await wait(BETWEEN_MS);
    const all = readers.ask({ command: 'round' });
    const start = performance.now();
    await push(i);
    await all;
    return performance.now() - start;
  }
  for (let i = 0; i < WARM_UP; i++) await round(i);
  const before = await server.ask<number>({ command: 'cpu' });
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await round(i));
  const cpu = (await server.ask<number>({ command: 'cpu' })) - before;
  const busy = times.reduce((sum, ms) => sum + ms, 0);
  return {
    cpuPerPush: (cpu * 1_000) / (ROUNDS * PEOPLE),
    pushesPerSecond: (ROUNDS * PEOPLE * 1_000) / busy,
    roundMs: percentile(times, 50),
  };
}

interface Measured extends Result {
  /** The last one that a reader got. */
  readonly frame: string;
}

/** `text` is what each round sends: to Tsudoi a message, to the others the frame that it made of it. */
async function of(kind: Kind, text: (round: number) => string): Promise<Measured> {
  const server = await startWorker(script('server'), { kind, people: PEOPLE });
  const url = await server.ask<string>({ command: 'url' });
  const readers = await startWorker(script('readers'), { url, people: PEOPLE, graphql: kind !== 'ws' });
  const result = await measure(server, readers, (i) => server.ask({ command: 'send', text: text(i) }));
  const { frame } = await readers.ask<{ frame: string }>({ command: 'sample' });
  await readers.stop();
  await server.stop();
  return { ...result, frame };
}

const mine = await of('tsudoi', (i) => `Message ${i}`);
const peer = await of('graphqlWs', () => mine.frame);
const limit = await of('ws', () => mine.frame);
if (peer.frame.length !== mine.frame.length || limit.frame !== mine.frame)
  throw new Error(`Not the same frames: ${[mine, peer, limit].map(({ frame }) => frame).join('\n')}`);

const row = (name: string, { cpuPerPush, pushesPerSecond, roundMs }: Result) => ({
  '': name,
  'CPU per push, µs': rounded(cpuPerPush),
  'pushes per second': rounded(pushesPerSecond, 0),
  'round p50, ms': rounded(roundMs),
});
const ratio = (name: string, to: Result) => ({
  '': name,
  'CPU per push, µs': rounded(mine.cpuPerPush / to.cpuPerPush, 2),
  'pushes per second': rounded(mine.pushesPerSecond / to.pushesPerSecond, 2),
  'round p50, ms': rounded(mine.roundMs / to.roundMs, 2),
});
printTable(`Badge updates to ${PEOPLE} websockets, frames of ${mine.frame.length} bytes, ${ROUNDS} rounds`, [
  row('bare ws', limit),
  row('graphql-ws, one value for all', peer),
  row('Tsudoi', mine),
  ratio('Tsudoi / ws', limit),
  ratio('Tsudoi / graphql-ws', peer),
]);
