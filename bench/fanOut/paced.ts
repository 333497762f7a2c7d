/**
 * How long does a message take to a room's readers if messages come at a steady rate, and how much of a core does the
 * server need? For 200 and 1,000 websockets (SIZES=200,1000,4000 for more), beside bare `ws` that sends ready frames.
 * The time is from the action to each reader, and includes that the readers share a process. The rate is RATE messages
 * a second, and a quarter of it for more than 2,000 readers.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { recordResult } from '../results.ts';
import { printTable, type Row, rounded, startWorker } from '../support.ts';
import type { Kind } from './server.ts';
import { subjects } from './subjects.ts';

const RATE = Number(process.env.RATE ?? 20);
const SECONDS = Number(process.env.SECONDS ?? 8);
const SIZES = (process.env.SIZES ?? '200,1000').split(',').map(Number);
const MANY = 2_000;
const WARM_UP = 10;

const script = (name: string) => new URL(`./${name}.ts`, import.meta.url);
const microsNow = () => Math.round((performance.timeOrigin + performance.now()) * 1_000);

interface Paced {
  readonly row: Row;
  /** A frame that a reader received. */
  readonly frame: string;
}

async function run(kind: Kind, people: number, frame: string): Promise<Paced> {
  const server = await startWorker(script('server'), { kind, subject: 'messages', people });
  const { url, variables } = await server.ask<{ url: string; variables: object }>({ command: 'address' });
  const { query } = subjects.messages;
  const readers = await startWorker(script('readers'), {
    url,
    people,
    perRound: 1,
    ...(kind === 'tsudoi' ? { subscription: { query, variables } } : {}),
  });
  const rate = people > MANY ? RATE / 4 : RATE;

  /** Sends at the rate, however long each takes, and resolves when all have arrived. */
  async function send(rounds: number): Promise<void> {
    const arrived = readers.ask({ command: 'round', rounds });
    const start = performance.now();
    const told: Array<Promise<unknown>> = [];
    for (let i = 0; i < rounds; i++) {
      await wait(Math.max(0, start + (i * 1_000) / rate - performance.now()));
      const round = microsNow();
      const own = frame.replace(/"Message \d+/, `"Message ${round}`);
      told.push(server.ask({ command: 'tell', round, frame: own }));
    }
    await Promise.all([arrived, ...told]);
  }

  await send(WARM_UP);
  await readers.ask({ command: 'pace' });
  const rounds = Math.round(rate * SECONDS);
  const [before, start] = [await server.ask<number>({ command: 'cpu' }), performance.now()];
  await send(rounds);
  const ms = performance.now() - start;
  const cpu = (await server.ask<number>({ command: 'cpu' })) - before;
  const { count, p50, p99 } = await readers.ask<{ count: number; p50: number; p99: number }>({
    command: 'latencies',
  });
  if (count !== rounds * people) throw new Error(`${count} of ${rounds * people} were measured.`);
  const last = await readers.ask<{ frame: string }>({ command: 'sample' });
  await readers.stop();
  await server.stop();
  const row = {
    server: kind === 'ws' ? 'bare ws' : 'Tsudoi',
    readers: people,
    'messages per second': rate,
    'p50, ms': rounded(p50),
    'p99, ms': rounded(p99),
    'CPU, % of one core': rounded((cpu / ms) * 100),
    'CPU per push, µs': rounded((cpu * 1_000) / (rounds * people)),
  };
  return { row, frame: last.frame };
}

const rows: Row[] = [];
for (const people of SIZES) {
  const mine = await run('tsudoi', people, '');
  const limit = await run('ws', people, mine.frame);
  rows.push(limit.row, mine.row);
}
printTable(`Messages at a steady rate for ${SECONDS} s`, rows);
recordResult('fanOut/paced', rows);
