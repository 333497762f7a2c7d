import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { CredentialsProviderError } from '@smithy/core/config';
import { type Clock, inTime, systemClock } from '../core/clock.ts';

type Provider = ReturnType<typeof defaultProvider>;
type Credentials = Awaited<ReturnType<Provider>>;

/** Milliseconds. At the start no one waits for a response, and a person may have to confirm that they sign in. */
const FIRST_WAIT_MS = 60_000;
/** How long a request waits for new credentials, in milliseconds: less than one call may take. */
const WAIT_MS = 2_000;
/**
 * After this time a question without an answer is given up, and the next request asks again. Longer than the SDK's own
 * attempts take.
 */
const GIVE_UP_MS = 10_000;

/**
 * The SDK's credentials of the environment. The SDK waits without a limit for a server of credentials that accepts the
 * connection and does not respond, and all requests share that wait: they would hang, also when the server works again.
 * With this one a request fails in time, with the SDK's error for missing credentials, and a later one asks again. To
 * be given to a client as its `credentials`: the client keeps what it got, and asks only shortly before that expires.
 */
export const credentialsInTime = (): Provider => providerInTime(() => defaultProvider());

/** `open` returns a provider that keeps its credentials while they are valid. */
export function providerInTime(open: () => Provider, clock: Clock = systemClock): Provider {
  let provider = open();
  let asking: { readonly answer: Promise<Credentials>; readonly since: number } | undefined;
  let waitMs = FIRST_WAIT_MS;

  function ask(options: Parameters<Provider>[0]): Promise<Credentials> {
    const own = { answer: provider(options), since: clock.now() };
    asking = own;
    const end = () => {
      if (asking === own) asking = undefined;
    };
    own.answer.then(() => {
      waitMs = WAIT_MS;
      end();
    }, end);
    return own.answer;
  }

  return async (options) => {
    if (asking !== undefined && clock.now() - asking.since >= Math.max(GIVE_UP_MS, waitMs)) {
      provider = open();
      asking = undefined;
    }
    const credentials = await inTime(clock, waitMs, asking?.answer ?? ask(options), undefined);
    if (credentials === undefined) {
      throw new CredentialsProviderError(`There were no AWS credentials within ${waitMs} ms.`);
    }
    return credentials;
  };
}
