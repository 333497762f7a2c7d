import { newId } from '../../../src/core/ids.ts';
import { connect } from '../../server/support/socket.ts';
import { tokenOf } from '../../server/support/tokens.ts';
import { SECRET } from '../../support/clients/tokens.ts';
import type { TestApp } from '../../support/servers/app.ts';

/** How long it may take until every server knows a revocation, in milliseconds. */
export const KNOWN_MS = 5_000;

const key = new TextEncoder().encode(SECRET);
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
/** Seconds since 1970. Later than the expiry of every token in these tests. */
export const inAnHour = (): number => nowSeconds() + 3_600;

/** A subject without revocations. */
export const newSubject = (): string => `s${newId().slice(0, 10)}`;

/** An authorization header. The token is issued now unless the claims have another `iat` (null: none). */
export async function bearer(sub: string, { iat = nowSeconds(), ...claims }: Record<string, unknown> = {}) {
  const issued = iat === null ? {} : { iat };
  const token = await tokenOf({ key, claims: { sub, preferred_username: sub, ...issued, ...claims } });
  return `Bearer ${token}`;
}

/** The response to a query over HTTP: the status, and the error's code or `OK`. */
export async function overHttp({ url }: Pick<TestApp, 'url'>, authorization: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      authorization,
    },
    body: JSON.stringify({ query: '{ viewer { id } }' }),
  });
  const { errors } = (await response.json()) as { errors?: ReadonlyArray<{ extensions: { code: string } }> };
  return `${response.status} ${errors?.[0]?.extensions.code ?? 'OK'}`;
}

/** A websocket after the server's answer to `connection_init`, with a token or anonymous. */
export async function session({ url }: Pick<TestApp, 'url'>, authorization?: string) {
  const socket = await connect(`${url.replace('http', 'ws')}/graphql`);
  socket.send({
    type: 'connection_init',
    ...(authorization === undefined ? {} : { payload: { authorization } }),
  });
  const { type } = await Promise.race([
    socket.next(),
    socket.closed.then(({ code }) => ({ type: String(code) })),
  ]);
  return { ...socket, acknowledged: type };
}
