/**
 * What does a push cost, compared with graphql-ws and Socket.IO publishing one value to all, and with `ws` sending a ready frame?
 *
 * PEOPLE websockets in one room. A round is one action of one user. It ends when every reader has received its updates,
 * so nothing is in flight when the clock stops. The server and the readers are separate processes, and only the
 * server's CPU is counted. Ours includes the action, the stream and all derived writes, once per round: that is the
 * fixed cost. It is the same for few and for many readers, so a run with FEW of them tells it apart from what each
 * reader adds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { recordResult } from '../results.ts';
import { percentile, printTable, type Row, rounded, startWorker, type Worker } from '../support.ts';
import type { Kind } from './server.ts';
import { socketIoFrame } from './servers/socketIo.ts';
import { type SubjectName, subjects } from './subjects.ts';

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const PEOPLE = setting('PEOPLE', 1_000);
const FEW = setting('FEW', 200);
const ROUNDS = setting('ROUNDS', 20);
const WARM_UP = 8;
/** More than the 100 ms in which a reader receives at most one update. */
const BETWEEN_MS = 120;

const script = (name: string) => new URL(`./${name}.ts`, import.meta.url);

interface Address {
  readonly url: string;
  readonly variables: object;
}

interface Result {
  /** Milliseconds of the server's CPU. */
  readonly cpuPerRound: number;
  readonly roundMs: number;
}

interface Run {
  readonly server: Worker;
  readonly readers: Worker;
  readonly push: (round: number) => Promise<unknown>;
}

async function measure({ server, readers, push }: Run): Promise<Result> {
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
  return { cpuPerRound: cpu / ROUNDS, roundMs: percentile(times, 50) };
}

interface Measured extends Result {
  /** The last frame that a reader received. */
  readonly frame: string;
}

interface Setup {
  readonly subject: SubjectName;
  readonly people: number;
  /** What the peers send. Ours ignores it and sends its own events. */
  readonly frame?: string;
}

async function run(kind: Kind, { subject, people, frame = '' }: Setup): Promise<Measured> {
  const server = await startWorker(script('server'), { kind, subject, people });
  const { url, variables } = await server.ask<Address>({ command: 'address' });
  const { query, perRound } = subjects[subject];
  const readers = await startWorker(script('readers'), {
    ...{ url, people, perRound },
    ...(kind === 'tsudoi' || kind === 'graphqlWs' ? { subscription: { query, variables } } : {}),
    socketIo: kind === 'socketIo',
  });
  const push = (round: number) => server.ask({ command: 'tell', round, frame });
  const result = await measure({ server, readers, push });
  const last = await readers.ask<{ frame: string }>({ command: 'sample' });
  await readers.stop();
  await server.stop();
  return { ...result, frame: last.frame };
}

/** The cost of one kind of server, with many readers and with few. In microseconds for each push. */
interface Cost extends Measured {
  readonly perPush: number;
  /** What one more reader costs. */
  readonly marginal: number;
  /** Milliseconds of each round that do not depend on the number of readers. */
  readonly fixedMs: number;
}

async function costOf(kind: Kind, subject: SubjectName, frame?: string): Promise<Cost> {
  const options = { subject, ...(frame === undefined ? {} : { frame }) };
  const few = await run(kind, { ...options, people: FEW });
  const many = await run(kind, { ...options, people: PEOPLE });
  const { perRound } = subjects[subject];
  const perReader = (many.cpuPerRound - few.cpuPerRound) / (PEOPLE - FEW);
  return {
    ...many,
    perPush: (many.cpuPerRound * 1_000) / (PEOPLE * perRound),
    marginal: (perReader * 1_000) / perRound,
    fixedMs: few.cpuPerRound - perReader * FEW,
  };
}

const row = (name: string, { perPush, marginal, fixedMs, roundMs }: Cost) => ({
  '': name,
  'CPU per push, µs': rounded(perPush),
  'of it per reader, µs': rounded(marginal),
  'fixed per round, ms': rounded(fixedMs),
  'round p50, ms': rounded(roundMs),
});
const ratio = (name: string, mine: Cost, to: Cost) => ({
  '': name,
  'CPU per push, µs': rounded(mine.perPush / to.perPush, 2),
  'of it per reader, µs': rounded(mine.marginal / to.marginal, 2),
  'fixed per round, ms': '',
  'round p50, ms': rounded(mine.roundMs / to.roundMs, 2),
});

function report(title: string, subject: SubjectName, mine: Cost, rows: readonly Row[]): void {
  const { perRound } = subjects[subject];
  const size = `frames of ${mine.frame.length} bytes, ${perRound} in each of ${ROUNDS} rounds`;
  printTable(`${title} to ${PEOPLE} websockets (${FEW} for the fixed cost), ${size}`, rows);
  recordResult(`fanOut/${subject}`, rows);
}

/** Measures the four servers one after the other, and prints their table. Returns the cost of bare `ws`. */
export async function compare(title: string, subject: SubjectName): Promise<Cost> {
  const mine = await costOf('tsudoi', subject);
  const peer = await costOf('graphqlWs', subject, mine.frame);
  const socketIo = await costOf('socketIo', subject, mine.frame);
  const limit = await costOf('ws', subject, mine.frame);
  if (peer.frame.length !== mine.frame.length || limit.frame !== mine.frame)
    throw new Error(`Not the same frames: ${[mine, peer, limit].map(({ frame }) => frame).join('\n')}`);
  if (socketIo.frame !== socketIoFrame(mine.frame)) throw new Error(`Not this value: ${socketIo.frame}`);
  const rows = [
    row('bare ws', limit),
    row('Socket.IO, one value for all', socketIo),
    row('graphql-ws, one value for all', peer),
    row('Tsudoi', mine),
    ratio('Tsudoi / ws', mine, limit),
    ratio('Tsudoi / Socket.IO', mine, socketIo),
    ratio('Tsudoi / graphql-ws', mine, peer),
  ];
  report(title, subject, mine, rows);
  return limit;
}

/**
 * Measures ours beside bare `ws` only. `limit`: its cost from another table of this run, if the frames are about as long
 * and their number is the same.
 */
export async function compareToLimit(title: string, subject: SubjectName, limit?: Cost): Promise<void> {
  const mine = await costOf('tsudoi', subject);
  const bare = limit ?? (await costOf('ws', subject, mine.frame));
  report(title, subject, mine, [row('bare ws', bare), row('Tsudoi', mine), ratio('Tsudoi / ws', mine, bare)]);
}
