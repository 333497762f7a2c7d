import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from '../config.ts';
import { developmentSecret, developmentToken } from '../server/developmentSecret.ts';
import { HANDLE, normalizedHandle } from '../users/user.ts';

const USAGE = 'Usage: npm run token -- <handle> [--name <display name>]';

/** Prints a token for trying the API out. Development only: deployments have an identity provider. */
async function main(): Promise<string> {
  const { auth, dataDir } = loadConfig(process.env);
  if (auth.kind !== 'development') {
    throw new Refusal('AUTH_SECRET or AUTH_JWKS_URL is set: have whoever signs your tokens make one.');
  }
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' } },
  });
  const [handle] = positionals;
  if (handle === undefined || handle === '' || positionals.length > 1) throw new Refusal(USAGE);
  if (!HANDLE.test(normalizedHandle(handle))) {
    process.stderr.write(
      'This is no handle (3 to 20 of a–z, 0–9 and _): the token is good, its person has none.\n',
    );
  }
  const person = values.name === undefined ? { handle } : { handle, name: values.name };
  return developmentToken(await developmentSecret(dataDir), person);
}

/** What the caller has to do differently. */
class Refusal extends Error {}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const known = isUsage || error instanceof Refusal || error instanceof ConfigError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
