import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { defined } from '../core/defined.ts';
import { CLAIM_MAX, isSubject } from '../core/identity.ts';
import { developmentSecret, developmentToken } from '../server/access/developmentSecret.ts';
import { HANDLE, normalizedHandle } from '../users/user.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = 'Usage: npm run -s token -- <handle> [--name <display name>] [--email <address>]';

/** Prints a token for trying the API out. Development only: deployments have an identity provider. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      email: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  const { auth, dataDir } = loadConfig(process.env);
  if (auth.kind !== 'development') {
    throw new Refusal('AUTH_SECRET or AUTH_JWKS_URL is set: get a token from the issuer that signs yours.');
  }
  const [handle] = positionals;
  if (handle === undefined || handle === '' || positionals.length > 1) throw new Refusal(USAGE);
  // The handle is the subject, too.
  if (!isSubject(handle))
    throw new Refusal(
      `No server accepts such a token: a subject has 1 to ${CLAIM_MAX} characters and no control characters.`,
    );
  if (!HANDLE.test(normalizedHandle(handle))) {
    process.stderr.write(
      'This is not a handle (3 to 20 of a–z, 0–9 and _): the token is valid, but its user has no handle.\n',
    );
  }
  const { name, email } = values;
  // Otherwise a demo person would get another name: a profile follows its newest token.
  const { people } = await import('../dev/demo/conversations.ts');
  const known = people.find((person) => person.handle === handle);
  const user = defined({ handle, name: name ?? known?.name, email });
  const secret = await developmentSecret(dataDir, () => process.stderr.write(newSecret(dataDir)));
  process.stdout.write(`${await developmentToken(secret, user)}\n`);
}

/** A server that runs with another directory refuses the token and cannot say why: it does not know that secret. */
const newSecret = (dataDir: string): string =>
  `The secret in ${resolve(dataDir)} is new: no server has used this directory yet. Only servers with the same DATA_DIR accept the token.\n`;

await run(main);
