/**
 * What does a badge update cost, against `ws` sending a ready frame of the same size?
 *
 * PEOPLE websockets, all in one room. A round is one message: it ends when every reader has its update, so
 * nothing is left under way when the clock stops. Server and readers are processes of their own; the CPU
 * is the server's. Ours includes the mutation, the stream and what is derived: one message a round.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { percentile, printTable, rounded, startWorker, type Worker } from '../support.ts';

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

async function ours(): Promise<Result & { readonly frame: string }> {
  const server = await startWorker(script('server'), { kind: 'tsudoi', people: PEOPLE });
  const url = await server.ask<string>({ command: 'url' });
  const readers = await startWorker(script('readers'), { url, people: PEOPLE, graphql: true });
  const result = await measure(server, readers, (i) => server.ask({ command: 'send', body: `Message ${i}` }));
  const { frame } = await readers.ask<{ frame: string }>({ command: 'sample' });
  await readers.stop();
  await server.stop();
  return { ...result, frame };
}

async function bare(frame: string): Promise<Result> {
  const server = await startWorker(script('server'), { kind: 'ws', people: PEOPLE });
  const url = await server.ask<string>({ command: 'url' });
  const readers = await startWorker(script('readers'), { url, people: PEOPLE, graphql: false });
  const result = await measure(server, readers, () => server.ask({ command: 'send', frame }));
  await readers.stop();
  await server.stop();
  return result;
}

const mine = await ours();
const theirs = await bare(mine.frame);
const row = (name: string, { cpuPerPush, pushesPerSecond, roundMs }: Result) => ({
  '': name,
  'CPU per push, µs': rounded(cpuPerPush),
  'pushes per second': rounded(pushesPerSecond, 0),
  'round p50, ms': rounded(roundMs),
});
printTable(`Badge updates to ${PEOPLE} websockets, frames of ${mine.frame.length} bytes, ${ROUNDS} rounds`, [
  row('bare ws', theirs),
  row('Tsudoi', mine),
  {
    '': 'Tsudoi / ws',
    'CPU per push, µs': rounded(mine.cpuPerPush / theirs.cpuPerPush),
    'pushes per second': rounded(mine.pushesPerSecond / theirs.pushesPerSecond, 2),
    'round p50, ms': rounded(mine.roundMs / theirs.roundMs),
  },
]);
