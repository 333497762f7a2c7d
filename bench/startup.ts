/**
 * How long does a built server take until it is ready?
 *
 * Each run starts `dist/main.js`, as `npm run build:server` makes it, with an embedded database that exists already,
 * and waits until `/readyz` answers 200. The CPU is that of the server's process, without the database's. The limit is
 * Node itself with an empty HTTP server. Runs alternate, the first of each is not counted, and the medians are printed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '../test/support/builds/build.ts';
import { runProgram } from '../test/support/servers/program.ts';
import { recordResult } from './results.ts';
import { cpuMsOf, percentile, printTable, rounded } from './support.ts';

const RUNS = 5;

const EMPTY = `
import { createServer } from 'node:http';
const server = createServer((_, response) => response.end());
server.listen(0, '127.0.0.1', () =>
  console.log('Tsudoi is compared with http://127.0.0.1:' + server.address().port));
`;

interface Run {
  readonly wall: number;
  readonly cpu: number;
}

/** From the process' creation to the answer, and its CPU up to then, in milliseconds. */
async function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
  const from = performance.now();
  const program = await runProgram({ command: [process.execPath, ...args], env });
  try {
    const { url } = await program.ready();
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`/readyz answered ${status}.`);
    return { wall: performance.now() - from, cpu: await cpuMsOf(program.pid) };
  } finally {
    await program.stop();
  }
}

const main = await programFile('main');
const directory = await mkdtemp(join(tmpdir(), 'tsudoi-startup-'));
const env = { DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'error' };
const ways = [
  { name: 'Node, an empty HTTP server', args: ['--input-type=module', '-e', EMPTY] },
  { name: 'Tsudoi', args: [main] },
  { name: 'Tsudoi, with source maps as in the image', args: ['--enable-source-maps', main] },
];

const runs = ways.map((): Run[] => []);
for (let round = 0; round <= RUNS; round++) {
  for (const [i, { args }] of ways.entries()) {
    const run = await start(args, env);
    if (round > 0) runs[i]?.push(run);
  }
}
await rm(directory, { recursive: true });
const rows = ways.map(({ name }, i) => ({
  server: name,
  'ready, ms': rounded(percentile(runs[i]?.map(({ wall }) => wall) ?? [], 50), 0),
  'CPU, ms': rounded(percentile(runs[i]?.map(({ cpu }) => cpu) ?? [], 50), 0),
}));
printTable(`Until a built server is ready, with the embedded database (median of ${RUNS} runs)`, rows);
recordResult('startup', rows);
