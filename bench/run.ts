/**
 * `npm run bench`: all benches, one after the other, each in a process of its own. One that fails, or takes longer than
 * its limit, does not stop the others. Names of benches as arguments run these alone. Prints the load of the machine
 * with each, because a busy machine makes all times longer: only ratios of one table can be compared.
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The longest time of each, in seconds; two hours for all. On two busy cores (load 20) the slowest one took 676 s. */
const LIMITS: Readonly<Record<string, number>> = {
  startup: 120,
  latency: 300,
  sends: 300,
  delivery: 240,
  webhook: 480,
  dynamodbClient: 240,
  queries: 900,
  growth: 600,
  saved: Number(process.env.SAVED ?? 0) > 100_000 ? 5_400 : 600,
  savesDuringMerge: 240,
  seats: 180,
  'fanOut/badge': 300,
  'fanOut/roomEvents': 900,
  'fanOut/paced': 300,
  opening: 300,
  storm: 240,
  // A minute for each minute asked for, and two to begin.
  flood: 60 * (Number(process.env.MINUTES ?? 10) + 2) + 60,
  chart: 30,
};

/** Resolves to what went wrong. */
function run(name: string, seconds: number): Promise<string | undefined> {
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: 'inherit' });
  return new Promise((resolve) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      // Its own processes end with it.
      child.kill('SIGKILL');
    }, seconds * 1_000);
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code) => {
      clearTimeout(timer);
      if (late) resolve(`took longer than ${seconds} s`);
      else resolve(code === 0 ? undefined : `ended with ${code}`);
    });
  });
}

const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => LIMITS[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`Not a bench: ${unknown.join(', ')}. There are: ${Object.keys(LIMITS).join(', ')}\n`);
  process.exit(2);
}
const failed: string[] = [];
for (const [name, seconds] of Object.entries(LIMITS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n## ${name} (load ${load()})\n`);
  const start = performance.now();
  const problem = await run(name, seconds);
  process.stdout.write(`\n${((performance.now() - start) / 1_000).toFixed(0)} s\n`);
  if (problem !== undefined) failed.push(`${name} ${problem}`);
}
for (const line of failed) process.stderr.write(`${line}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
