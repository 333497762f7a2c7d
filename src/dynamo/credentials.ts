import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { CredentialsProviderError } from '@smithy/core/config';
import { type Clock, inTime, systemClock } from '../core/clock.ts';

type Credentials = Awaited<ReturnType<ReturnType<typeof defaultProvider>>>;
type Provider = () => Promise<Credentials>;

/** Milliseconds. At the start no one waits for a response, and a person may have to confirm that they sign in. */
const FIRST_WAIT_MS = 60_000;
/** How long a request waits for new credentials, in milliseconds: less than one call may take. */
const WAIT_MS = 2_000;
/** After which one that has not ended is left to itself and another one begins. Longer than the SDK's attempts take. */
const GIVE_UP_MS = 10_000;

/**
 * The SDK's credentials of the environment. It waits without a limit for a server of credentials that accepts the
 * connection and does not respond, and all requests share that wait: they would hang without end, also when the server
 * works again. Here a request fails in time, with the error that the SDK has if there are no credentials, and a later
 * one asks the server again.
 */
export const credentialsInTime = (input: Parameters<typeof defaultProvider>[0]): Provider =>
  providerInTime(() => defaultProvider(input));

/** `open` returns a provider that keeps its credentials for as long as they are valid. */
export function providerInTime(open: () => Provider, clock: Clock = systemClock): Provider {
  let provider = open();
  let asking: { readonly answer: Promise<Credentials>; readonly since: number } | undefined;
  let waitMs = FIRST_WAIT_MS;

  function ask(): Promise<Credentials> {
    const own = { answer: provider(), since: clock.now() };
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

  return async () => {
    if (asking !== undefined && clock.now() - asking.since >= Math.max(GIVE_UP_MS, waitMs)) {
      provider = open();
      asking = undefined;
    }
    const credentials = await inTime(clock, waitMs, asking?.answer ?? ask(), undefined);
    if (credentials === undefined) {
      throw new CredentialsProviderError(`There were no AWS credentials within ${waitMs} ms.`);
    }
    return credentials;
  };
}
