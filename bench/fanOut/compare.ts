/**
 * What does a push cost, compared with graphql-ws and Socket.IO publishing one value to all, and with `ws` sending a
 * ready frame?
 *
 * PEOPLE websockets in one room. A round is one action of one user. It ends when every reader has received its updates,
 * so nothing is in flight when the clock stops. The server and the readers are separate processes, and only the
 * server's CPU is counted. Ours includes the action, the stream and all derived writes, once per round: that is the
 * fixed cost. It is the same for few and for many readers, so FEW readers are measured before the others connect.
 *
 * All servers run at the same time, and take turns of some rounds each, so that a busy moment of the machine meets all
 * of them. The figures are the medians of the turns. A table has up to TURNS of them, and fewer on a busy machine.
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
const TURNS = setting('TURNS', 7);
/** After this no other turn begins, if there were enough for a median. */
const TURNS_MS = setting('SECONDS', 30) * 1_000;
const TURNS_MIN = 3;
const ROUNDS = 4;
/** Rounds without pauses before the first turn: V8 compiles the server's code while it runs. */
const WARM_UP = 100;
/** More than the 100 ms in which a reader receives at most one update. */
const BETWEEN_MS = 120;
/** How much longer a later frame of ours may be: counts and the text's number have more digits. */
const DIGITS_MAX = 40;

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

/** A server with its readers. */
interface Rig {
  /** Opens the websockets of all readers. */
  grow(): Promise<unknown>;
  /** Some rounds, one after the other. `frame`: what the peers send. Ours ignores it and sends its own events. */
  turn(rounds: number, frame: string): Promise<Result>;
  /** Rounds that are not measured. */
  warmUp(rounds: number, frame: string): Promise<void>;
  /** The last frame that a reader received. */
  frame(): Promise<string>;
  stop(): Promise<void>;
}

async function open(kind: Kind, subject: SubjectName): Promise<Rig> {
  const server = await startWorker(script('server'), { kind, subject, people: PEOPLE });
  const { url, variables } = await server.ask<Address>({ command: 'address' });
  const { query, perRound } = subjects[subject];
  const readers: Worker = await startWorker(script('readers'), {
    url,
    people: FEW,
    perRound,
    ...(kind === 'tsudoi' || kind === 'graphqlWs' ? { subscription: { query, variables } } : {}),
    socketIo: kind === 'socketIo',
  });
  const cpu = () => server.ask<number>({ command: 'cpu' });
  let done = 0;

  async function round(frame: string): Promise<number> {
    const all = readers.ask({ command: 'round' });
    const start = performance.now();
    await server.ask({ command: 'tell', round: done++, frame });
    await all;
    return performance.now() - start;
  }
  return {
    grow: () => readers.ask({ command: 'grow', people: PEOPLE }),
    async turn(rounds, frame) {
      const before = await cpu();
      const times: number[] = [];
      for (let i = 0; i < rounds; i++) {
        await wait(BETWEEN_MS);
        times.push(await round(frame));
      }
      return { cpuPerRound: ((await cpu()) - before) / rounds, roundMs: percentile(times, 50) };
    },
    async warmUp(rounds, frame) {
      for (let i = 0; i < rounds; i++) await round(frame);
    },
    frame: async () => (await readers.ask<{ frame: string }>({ command: 'sample' })).frame,
    async stop() {
      await readers.stop();
      await server.stop();
    },
  };
}

/** Lets the servers take turns. Returns the medians of each. */
async function measure(rigs: readonly Rig[], frame: string): Promise<Result[]> {
  for (const rig of rigs) await rig.warmUp(WARM_UP, frame);
  const results = rigs.map((): Result[] => []);
  const start = performance.now();
  for (let i = 0; i < TURNS && (i < TURNS_MIN || performance.now() - start < TURNS_MS); i++) {
    for (const [at, rig] of rigs.entries()) results[at]?.push(await rig.turn(ROUNDS, frame));
  }
  const median = (turns: readonly Result[], of: keyof Result) =>
    percentile(
      turns.map((turn) => turn[of]),
      50,
    );
  return results.map((turns) => ({
    cpuPerRound: median(turns, 'cpuPerRound'),
    roundMs: median(turns, 'roundMs'),
  }));
}

/** The cost of one kind of server, with many readers and with few. In microseconds for each push. */
interface Cost extends Result {
  /** The last frame that a reader received. */
  readonly frame: string;
  readonly perPush: number;
  /** What one more reader costs. */
  readonly marginal: number;
  /** Milliseconds of each round that do not depend on the number of readers. */
  readonly fixedMs: number;
}

/** Measures ours and these others. */
async function costsOf<Other extends Kind>(
  subject: SubjectName,
  others: readonly Other[],
): Promise<Record<Other | 'tsudoi', Cost>> {
  const kinds = ['tsudoi' as const, ...others];
  const rigs: Rig[] = [];
  for (const kind of kinds) rigs.push(await open(kind, subject));
  const [ours] = rigs;
  // What the others are to send.
  await ours?.warmUp(1, '');
  const frame = (await ours?.frame()) ?? '';
  const few = await measure(rigs, frame);
  for (const rig of rigs) await rig.grow();
  const many = await measure(rigs, frame);
  const { perRound } = subjects[subject];
  const costs: Array<[Kind, Cost]> = [];
  for (const [at, rig] of rigs.entries()) {
    const [ofFew, ofMany, kind] = [few[at], many[at], kinds[at]];
    if (ofFew === undefined || ofMany === undefined || kind === undefined) throw new Error('One is missing.');
    const perReader = (ofMany.cpuPerRound - ofFew.cpuPerRound) / (PEOPLE - FEW);
    const cost = {
      ...ofMany,
      frame: await rig.frame(),
      perPush: (ofMany.cpuPerRound * 1_000) / (PEOPLE * perRound),
      marginal: (perReader * 1_000) / perRound,
      fixedMs: ofFew.cpuPerRound - perReader * FEW,
    };
    costs.push([kind, cost]);
    await rig.stop();
  }
  return Object.fromEntries(costs) as Record<Other | 'tsudoi', Cost>;
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
  const size = `frames of ${mine.frame.length} bytes, ${perRound} in each round`;
  printTable(`${title} to ${PEOPLE} websockets (${FEW} for the fixed cost), ${size}`, rows);
  recordResult(`fanOut/${subject}`, rows);
}

/** Measures the four servers and prints their table. */
export async function compare(title: string, subject: SubjectName): Promise<void> {
  const costs = await costsOf(subject, ['graphqlWs', 'socketIo', 'ws']);
  const { tsudoi: mine, graphqlWs: peer, socketIo, ws: limit } = costs;
  const longer = Math.abs(mine.frame.length - limit.frame.length);
  if (peer.frame.length !== limit.frame.length || longer > DIGITS_MAX)
    throw new Error(`Not the same frames: ${[mine, peer, limit].map(({ frame }) => frame).join('\n')}`);
  if (socketIo.frame !== socketIoFrame(limit.frame)) throw new Error(`Not this value: ${socketIo.frame}`);
  report(title, subject, mine, [
    row('bare ws', limit),
    row('Socket.IO, one value for all', socketIo),
    row('graphql-ws, one value for all', peer),
    row('Tsudoi', mine),
    ratio('Tsudoi / ws', mine, limit),
    ratio('Tsudoi / Socket.IO', mine, socketIo),
    ratio('Tsudoi / graphql-ws', mine, peer),
  ]);
}

/** Measures ours beside bare `ws` only. */
export async function compareToLimit(title: string, subject: SubjectName): Promise<void> {
  const { tsudoi: mine, ws: limit } = await costsOf(subject, ['ws']);
  report(title, subject, mine, [
    row('bare ws', limit),
    row('Tsudoi', mine),
    ratio('Tsudoi / ws', mine, limit),
  ]);
}
