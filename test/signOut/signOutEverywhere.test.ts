/** A user refuses all tokens that they have been given until now, on every server and for good. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { createRevocations } from '../../src/revocations/revocations.ts';
import {
  bearer,
  KNOWN_MS,
  newSubject,
  nowSeconds,
  overHttp,
  session,
} from '../revocations/support/sessions.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { startOwnTime } from '../support/time/ownTime.ts';

let app: TestApp;
let second: TestApp;
beforeAll(async () => {
  app = await startTestApp({ revocationsMs: 20 });
  second = await startTestApp({ database: app.database, role: 'api', revocationsMs: 20 });
});
afterAll(async () => {
  await second?.stop();
  await app?.stop();
});

/** The response over HTTP. */
async function signOutEverywhere({ url }: Pick<TestApp, 'url'>, authorization: string): Promise<Response> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query: 'mutation { signOutEverywhere { user { handle } } }' }),
  });
  return (await response.json()) as Response;
}

interface Response {
  readonly data?: unknown;
  readonly errors?: ReadonlyArray<{ readonly extensions: { readonly code: string } }>;
}

const REFUSED = '401 UNAUTHENTICATED';
const becomesRefused = (at: TestApp, token: string) =>
  eventually(async () => expect(await overHttp(at, token)).toBe(REFUSED));

test('signOutEverywhere: refuses the tokens of the viewer on all servers, and closes their sockets only', async () => {
  const [aki, ben] = [newSubject(), newSubject()];
  const [laptop, phone] = [await bearer(aki), await bearer(aki, { iat: nowSeconds() - 1_000 })];
  const others = await bearer(ben);
  const sockets = [await session(app, laptop), await session(second, phone)];
  const bens = await session(app, others);
  const took = startOwnTime();
  expect(await signOutEverywhere(app, laptop)).toMatchObject({
    data: { signOutEverywhere: { user: { handle: aki } } },
  });
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([
    { code: 4403, reason: 'The token was revoked' },
    { code: 4403, reason: 'The token was revoked' },
  ]);
  for (const server of [app, second]) {
    for (const token of [laptop, phone]) await becomesRefused(server, token);
    expect(await overHttp(server, others)).toBe('200 OK');
  }
  expect(took()).toBeLessThan(KNOWN_MS);
  bens.subscribe('1', '{ __typename }');
  expect(await bens.next()).toMatchObject({ payload: { data: { __typename: 'Query' } } });
  expect(await overHttp(app, await bearer(aki, { iat: nowSeconds() + 2 }))).toBe('200 OK');
});

test('signOutEverywhere: old tokens stay refused after the revocation has ended, also beside a new one', async () => {
  const sub = newSubject();
  const old = await bearer(sub);
  // The revocations are never read here: as a server that starts an hour later.
  const anHourLater = await startTestApp({ database: app.database, role: 'api', revocationsMs: 3_600_000 });
  await signOutEverywhere(app, old);
  const later = await bearer(sub, { iat: nowSeconds() + 2 });
  expect(await overHttp(anHourLater, old)).toBe(REFUSED);
  expect(await overHttp(anHourLater, later)).toBe('200 OK');
  expect(await overHttp(anHourLater, old)).toBe(REFUSED);
  await anHourLater.stop();
});

test('signOutEverywhere: ten at once leave one time in the profile', async () => {
  const sub = newSubject();
  const token = await bearer(sub, { iat: nowSeconds() - 5 });
  const quiet = await startTestApp({ database: app.database, role: 'api', revocationsMs: 3_600_000 });
  const results = await Promise.all(Array.from({ length: 10 }, () => signOutEverywhere(quiet, token)));
  expect(results.filter(({ errors }) => errors === undefined).length).toBeGreaterThan(0);
  // Those that come after the first has ended have a token that is refused.
  const codes = results.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));
  expect(codes.filter((code) => code !== 'UNAUTHENTICATED')).toEqual([]);
  const { signedOutAt } = (await app.dynamo.get(keys.user(quiet.services.users.idOf(sub)))) ?? {};
  const made = await createRevocations({ dynamo: app.dynamo }).since(0);
  const own = made.filter((one) => 'sub' in one && one.sub === sub);
  // One in each second that the calls took.
  expect(own.length).toBeLessThan(10);
  expect(own.at(-1)).toMatchObject({ before: signedOutAt, own: true });
  await quiet.stop();
});

test('signOutEverywhere: is refused for a token that does not say when it was issued', async () => {
  const token = await bearer(newSubject(), { iat: null });
  const { errors } = await signOutEverywhere(app, token);
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  expect(await overHttp(app, token)).toBe('200 OK');
});

test('revoke: users who signed out everywhere do not use up what operators may revoke', async () => {
  const revocations = createRevocations({ dynamo: app.dynamo, max: 2 });
  await signOutEverywhere(app, await bearer(newSubject()));
  await signOutEverywhere(app, await bearer(newSubject()));
  await signOutEverywhere(app, await bearer(newSubject()));
  expect((await revocations.revoke({ jti: 'one' }, nowSeconds() + 60)).number).toBeGreaterThan(3);
});
