/**
 * What does a push cost, compared with graphql-ws publishing one value to all, and with `ws` sending a ready frame?
 *
 * PEOPLE websockets in one room. A round is one action of one user. It ends when every reader has received its update,
 * so nothing is in flight when the clock stops. The server and the readers are separate processes, and only the
 * server's CPU is counted. Ours includes the action, the stream and all derived writes, once per round.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { percentile, printTable, rounded, startWorker, type Worker } from '../support.ts';
import type { Kind } from './server.ts';
import { type SubjectName, subjects } from './subjects.ts';

const PEOPLE = 1_000;
const ROUNDS = 40;
const WARM_UP = 10;
/** More than the 100 ms in which a reader receives at most one update. */
const BETWEEN_MS = 120;

const script = (name: string) => new URL(`./${name}.ts`, import.meta.url);

interface Address {
  readonly url: string;
  readonly variables: object;
}

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
  for (let i = 0; i < ROUNDS; i++) times.push(await round(WARM_UP + i));
  const cpu = (await server.ask<number>({ command: 'cpu' })) - before;
  const busy = times.reduce((sum, ms) => sum + ms, 0);
  return {
    cpuPerPush: (cpu * 1_000) / (ROUNDS * PEOPLE),
    pushesPerSecond: (ROUNDS * PEOPLE * 1_000) / busy,
    roundMs: percentile(times, 50),
  };
}

interface Measured extends Result {
  /** The last frame that a reader received. */
  readonly frame: string;
}

/** `frame` is what the peers send. Ours ignores it and sends its own events. */
async function of(kind: Kind, subject: SubjectName, frame = ''): Promise<Measured> {
  const server = await startWorker(script('server'), { kind, subject, people: PEOPLE });
  const { url, variables } = await server.ask<Address>({ command: 'address' });
  const subscription = { query: subjects[subject].query, variables };
  const readers = await startWorker(script('readers'), {
    ...{ url, people: PEOPLE },
    ...(kind === 'ws' ? {} : { subscription }),
  });
  const result = await measure(server, readers, (round) => server.ask({ command: 'tell', round, frame }));
  const last = await readers.ask<{ frame: string }>({ command: 'sample' });
  await readers.stop();
  await server.stop();
  return { ...result, frame: last.frame };
}

const row = (name: string, { cpuPerPush, pushesPerSecond, roundMs }: Result) => ({
  '': name,
  'CPU per push, µs': rounded(cpuPerPush),
  'pushes per second': rounded(pushesPerSecond, 0),
  'round p50, ms': rounded(roundMs),
});
const ratio = (name: string, mine: Result, to: Result) => ({
  '': name,
  'CPU per push, µs': rounded(mine.cpuPerPush / to.cpuPerPush, 2),
  'pushes per second': rounded(mine.pushesPerSecond / to.pushesPerSecond, 2),
  'round p50, ms': rounded(mine.roundMs / to.roundMs, 2),
});

/** Measures the three servers one after the other, and prints their table. */
export async function compare(title: string, subject: SubjectName): Promise<void> {
  const mine = await of('tsudoi', subject);
  const peer = await of('graphqlWs', subject, mine.frame);
  const limit = await of('ws', subject, mine.frame);
  if (peer.frame.length !== mine.frame.length || limit.frame !== mine.frame)
    throw new Error(`Not the same frames: ${[mine, peer, limit].map(({ frame }) => frame).join('\n')}`);
  printTable(`${title} to ${PEOPLE} websockets, frames of ${mine.frame.length} bytes, ${ROUNDS} rounds`, [
    row('bare ws', limit),
    row('graphql-ws, one value for all', peer),
    row('Tsudoi', mine),
    ratio('Tsudoi / ws', mine, limit),
    ratio('Tsudoi / graphql-ws', mine, peer),
  ]);
}
