/**
 * `npm run deploy`: builds everything, deploys the stack of settings.ts, and then uses it as a client does. It first
 * says what is missing, all at once, and changes nothing then. Its options are passed to `cdk deploy`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { infraIsInstalled } from '../scripts/infra.ts';
import { runSmoke, smokeToken } from '../scripts/smoke/run.ts';
import { silenceVersionWarning } from '../src/dynamo/client.ts';
import { isExample, settings, stack } from './settings.ts';
import { readShapeNote } from './shapeNote.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const infra = join(root, 'infra');
const OUTPUTS = 'cdk.out/outputs.json';

/** A new load balancer is known to name servers after about a minute. */
const PATIENCE_MS = 180_000;

/** One line for each thing that is missing. */
async function missing(token: string | undefined): Promise<string[]> {
  const problems: string[] = [];
  if (!infraIsInstalled()) problems.push('The packages of infra/ are not installed: npm ci --prefix infra');
  if (isExample(settings)) {
    problems.push('infra/settings.ts has the identity provider of the example: change auth.');
  }
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) {
    problems.push('Docker does not run here: the image is built with it.');
  }
  if (!(await hasCredentials())) {
    problems.push('There are no credentials of AWS, or no region: set AWS_PROFILE, or run aws sso login.');
  }
  if (token === undefined) {
    problems.push('Set SMOKE_TOKEN to the token of a user, or AUTH_SECRET: the smoke test needs it.');
  }
  return problems;
}

async function hasCredentials(): Promise<boolean> {
  const client = new DynamoDBClient({});
  try {
    await client.config.credentials();
    return (await client.config.region()) !== '';
  } catch {
    return false;
  } finally {
    client.destroy();
  }
}

/** Runs a program with its output, and ends this one if it fails. */
function run(program: string, args: readonly string[], cwd: string): void {
  process.stdout.write(`\n$ ${program} ${args.join(' ')}\n`);
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

silenceVersionWarning();
const token = await smokeToken(process.env);
const problems = await missing(token);
if (problems.length > 0 || token === undefined) {
  process.stderr.write(`Nothing was deployed:\n${problems.map((problem) => `  - ${problem}\n`).join('')}`);
  process.exitCode = 1;
} else {
  run('npm', ['run', 'build'], root);
  run('npx', ['cdk', 'deploy', '--outputs-file', OUTPUTS, ...process.argv.slice(2)], infra);
  const outputs = JSON.parse(readFileSync(join(infra, OUTPUTS), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const output = (part: string): string => {
    const [, value] = Object.entries(outputs[stack.name] ?? {}).find(([name]) => name.includes(part)) ?? [];
    if (value === undefined) throw new Error(`${OUTPUTS} has no ${part}.`);
    return value;
  };
  process.exitCode = await runSmoke({ url: output('Url'), token, patienceMs: PATIENCE_MS });
  const client = new DynamoDBClient({});
  const note = await readShapeNote(client, output('TableName'));
  client.destroy();
  if (note !== undefined) process.stdout.write(`${note}\n`);
}
