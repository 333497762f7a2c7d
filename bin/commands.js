/** Which program a command runs. Plain JavaScript without packages, because it runs before anything is built. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, outdatedParts, serverIsBuilt } from './build.js';

const COMMANDS = {
  start: 'run the server',
  seed: 'fill the table with conversations (development)',
  token: 'print a token for trying out the API (development)',
  export: 'write a room, or what a user has saved, as lines of JSON',
  import: 'write rooms that were exported here or elsewhere',
  repair: 'count everything again and fix what differs',
  jobs: 'list, pause, resume and cancel background work',
  timers: 'list the timers that failed for a day',
  reshape: 'change the shape of the table while servers run',
  revoke: 'refuse tokens and close their websockets',
  forget: 'delete an account',
  table: 'compare the table with what this release needs',
};

const USAGE = `Usage: tsudoi COMMAND [OPTIONS]
${Object.entries(COMMANDS)
  .map(([name, what]) => `  ${name.padEnd(8)}${what}`)
  .join('\n')}
Each command has --help, except start, which environment variables configure.
`;

const fileOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const importFile = (path) => import(new URL(`../${path}`, import.meta.url).href);

/** @param {readonly string[]} words The command's name, then its options. */
export async function run([name, ...options]) {
  if (name === undefined || name === '--help' || name === '-h') return help();
  if (!Object.hasOwn(COMMANDS, name)) {
    process.stderr.write(`There is no command ${JSON.stringify(name)}.\n${USAGE}`);
    process.exit(1);
  }
  // The programs read their options from here.
  process.argv = [...process.argv.slice(0, 2), ...options];
  // Stack traces name the files of `src`.
  process.setSourceMapsEnabled(true);
  return name === 'start' ? start() : command(name);
}

function help() {
  // A reader may have seen enough (`tsudoi | head -1`).
  process.stdout.on('error', ({ code }) => {
    if (code !== 'EPIPE') process.exitCode = 1;
  });
  process.stdout.write(USAGE);
}

/** Runs the server in this process, so that signals reach it directly. Builds first if the sources are newer. */
async function start() {
  const outdated = outdatedParts();
  if (outdated.length > 0) process.stderr.write('building…\n');
  const [failure] = (await Promise.all(outdated.map(build))).filter((why) => why !== undefined);
  if (failure !== undefined) {
    process.stderr.write(`The build failed: ${failure}.\n`);
    process.exit(1);
  }
  await importFile('dist/main.js');
}

/** Runs the built command, or its source if that is newer: a server that runs may still load files of the old build. */
async function command(name) {
  if (serverIsBuilt()) return importFile(`dist/cli/${name}.js`);
  if (!existsSync(fileOf('node_modules/tsx'))) {
    process.stderr.write('There is no build: run npm ci first.\n');
    process.exit(1);
  }
  const { register } = await import('tsx/esm/api');
  register();
  return importFile(`src/cli/${name}.ts`);
}
