import { SignJWT } from 'jose';
import { smoke } from './smoke.ts';

export interface RunSmokeOptions {
  readonly url: string;
  readonly token: string;
  readonly patienceMs?: number;
}

const PATIENCE_MS = 20_000;

/** Runs the smoke test, prints a line for each step, and returns the exit code. */
export async function runSmoke({ url, token, patienceMs = PATIENCE_MS }: RunSmokeOptions): Promise<number> {
  try {
    await smoke({
      url,
      token,
      patienceMs,
      onStep: (step, ms) => process.stdout.write(`${`${ms.toFixed(0)} ms`.padStart(9)}  ${step}\n`),
    });
    process.stdout.write(`${url} works.\n`);
    return 0;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/**
 * The token of the smoke test: `SMOKE_TOKEN`, or one that is signed with `AUTH_SECRET`, for a user of its own, with the
 * issuer and audience that servers demand. Undefined if there is neither.
 */
export async function smokeToken(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { SMOKE_TOKEN, AUTH_SECRET, AUTH_ISSUER, AUTH_AUDIENCE } = environment;
  if (SMOKE_TOKEN !== undefined && SMOKE_TOKEN !== '') return SMOKE_TOKEN;
  if (AUTH_SECRET === undefined || AUTH_SECRET === '') return undefined;
  const token = new SignJWT({ name: 'Smoke test' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('smoke-test')
    .setIssuedAt()
    .setExpirationTime('10 minutes');
  if (AUTH_ISSUER !== undefined) token.setIssuer(AUTH_ISSUER);
  if (AUTH_AUDIENCE !== undefined) token.setAudience(AUTH_AUDIENCE);
  return token.sign(new TextEncoder().encode(AUTH_SECRET));
}
