/** A revoked token is refused over HTTP and websockets, and its open websockets are closed. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/dev/embeddedDynamodb/database.ts';
import { createRevocations, type Revocations } from '../../src/revocations/revocations.ts';
import { createRevokedTokens } from '../../src/revocations/revokedTokens.ts';
import { createRecordedLog } from '../server/support/log.ts';
import { type FaultProxy, startFaultProxy } from '../stream/support/faultProxy.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { startOwnTime } from '../support/time/ownTime.ts';
import { bearer, inAnHour, KNOWN_MS, newSubject, nowSeconds, overHttp, session } from './support/sessions.ts';

let app: TestApp;
let revocations: Revocations;
beforeAll(async () => {
  app = await startTestApp({ revocationsMs: 20 });
  revocations = createRevocations({ dynamo: app.dynamo });
});
afterAll(() => app?.stop());

const revokeAll = (sub: string, before = nowSeconds()) => revocations.revoke({ sub, before }, inAnHour());
const becomesRefused = (token: string) =>
  eventually(async () => expect(await overHttp(app, token)).toBe('401 UNAUTHENTICATED'));

describe('over HTTP', () => {
  test('revoke: refuses the tokens of a subject, not later ones or those of others', async () => {
    const [aki, ben] = [newSubject(), newSubject()];
    const [old, others] = [await bearer(aki), await bearer(ben)];
    expect([await overHttp(app, old), await overHttp(app, others)]).toEqual(['200 OK', '200 OK']);
    await revokeAll(aki);
    await becomesRefused(old);
    expect(await overHttp(app, await bearer(aki, { iat: nowSeconds() - 100 }))).toBe('401 UNAUTHENTICATED');
    expect(await overHttp(app, await bearer(aki, { iat: nowSeconds() + 2 }))).toBe('200 OK');
    expect(await overHttp(app, others)).toBe('200 OK');
  });

  test('revoke: refuses a token without an issue time', async () => {
    const sub = newSubject();
    const token = await bearer(sub, { iat: null });
    expect(await overHttp(app, token)).toBe('200 OK');
    await revokeAll(sub);
    await becomesRefused(token);
  });

  test('revoke: refuses one token by its id and no other of the same subject', async () => {
    const sub = newSubject();
    const [one, other] = [await bearer(sub, { jti: `${sub}-1` }), await bearer(sub, { jti: `${sub}-2` })];
    expect(await overHttp(app, one)).toBe('200 OK');
    await revocations.revoke({ jti: `${sub}-1` }, inAnHour());
    await becomesRefused(one);
    expect([await overHttp(app, other), await overHttp(app, await bearer(sub))]).toEqual([
      '200 OK',
      '200 OK',
    ]);
  });

  test('revoke: keeps the earlier revocation if the next one comes from a slow clock', async () => {
    const sub = newSubject();
    const token = await bearer(sub);
    await revokeAll(sub);
    const { number } = await revokeAll(sub, nowSeconds() - 600);
    await revocations.revoke({ jti: `${sub}-x` }, inAnHour());
    await becomesRefused(await bearer(newSubject(), { jti: `${sub}-x` }));
    expect([number > 1, await overHttp(app, token)]).toEqual([true, '401 UNAUTHENTICATED']);
  });
});

describe('over a websocket', () => {
  test('revoke: closes the websockets with 4403 and refuses new ones, not those of others', async () => {
    const [aki, ben] = [newSubject(), newSubject()];
    const token = await bearer(aki);
    const [open, second] = [await session(app, token), await session(app, token)];
    const [others, anonymous] = [await session(app, await bearer(ben)), await session(app)];
    open.subscribe('1', 'subscription { unread { total } }');
    expect(await open.next()).toMatchObject({ type: 'next' });
    const took = startOwnTime();
    await revokeAll(aki);
    expect(await Promise.all([open.closed, second.closed])).toEqual([
      { code: 4403, reason: 'The token was revoked' },
      { code: 4403, reason: 'The token was revoked' },
    ]);
    expect(took()).toBeLessThan(KNOWN_MS);
    expect((await session(app, token)).acknowledged).toBe('4403');
    for (const socket of [others, anonymous]) {
      socket.subscribe('1', '{ __typename }');
      expect(await socket.next()).toMatchObject({ payload: { data: { __typename: 'Query' } } });
    }
  });

  test('revoke: executes nothing more from a websocket whose client ignores the close', async () => {
    const sub = newSubject();
    const token = await bearer(sub, { name: 'Before' });
    const socket = await session(app, token);
    socket.subscribe('1', 'mutation { updateProfile(input: { displayName: "Then" }) { user { id } } }');
    expect(await socket.next()).toMatchObject({ type: 'next' });
    socket.raw.pause();
    await revokeAll(sub);
    await becomesRefused(token);
    socket.subscribe('2', 'mutation { updateProfile(input: { displayName: "After" }) { user { id } } }');
    // The server has read the operation when it answers one that was sent later.
    const other = await session(app, await bearer(newSubject()));
    other.subscribe('1', '{ viewer { id } }');
    await other.next();
    expect(await app.dynamo.get({ pk: `USER#${app.services.users.idOf(sub)}`, sk: 'PROFILE' })).toMatchObject(
      {
        displayName: 'Then',
      },
    );
  });
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isTaken = (error: unknown): boolean =>
  isObject(error) && isObject(error.cause) && error.cause.code === 'EADDRINUSE';

describe('a server that starts', () => {
  let proxy: FaultProxy;
  let database: TestDynamo;
  beforeAll(async () => {
    proxy = await startFaultProxy(app.database.endpoint);
    database = { ...app.database, endpoint: proxy.endpoint };
  });
  afterEach(() => proxy.onRequest('Query', () => {}));
  afterAll(() => proxy?.stop());

  /** Less than the tests usually have, because it passes in full. */
  const timeouts = { ...testTimeouts, attemptMs: 2_000, callMs: 3_000 };

  const onRevocationsRead = (meanwhile: () => void | Promise<void>) =>
    proxy.onRequest('Query', (request) =>
      JSON.stringify(request).includes('"REVOKED"') ? meanwhile() : undefined,
    );

  /**
   * The first response over HTTP and over a websocket. Asks from before the server listens until it answers, and calls
   * `onAsked` each time.
   */
  async function firstAnswers(
    port: number,
    token: string,
    { over, onAsked = () => {} }: { readonly over: AbortSignal; readonly onAsked?: () => void },
  ): Promise<string[]> {
    const server = { url: `http://127.0.0.1:${port}` };
    const first = async (ask: () => Promise<string>): Promise<string> => {
      for (;;) {
        try {
          return await ask();
        } catch {
          // The port is not open yet.
          if (over.aborted) return 'nothing';
          await setImmediate();
        } finally {
          onAsked();
        }
      }
    };
    return Promise.all([
      first(() => overHttp(server, token)),
      first(async () => (await session(server, token)).acknowledged),
    ]);
  }

  /**
   * Starts a server and asks it meanwhile. While the server reads the revocations, it is asked so often that it would
   * answer if it did not wait for them. Tries another port if the first is taken.
   */
  async function startAndAsk(token: string): Promise<{ server: TestApp; answers: string[] }> {
    for (let left = 4; ; left--) {
      const port = await freePort();
      const over = new AbortController();
      let asked = 0;
      const answers = firstAnswers(port, token, { over: over.signal, onAsked: () => asked++ });
      onRevocationsRead(async () => {
        const least = asked + 200;
        const often = eventually(() => expect(asked).toBeGreaterThanOrEqual(least));
        await Promise.race([often, answers]);
      });
      try {
        const server = await startTestApp({ database, role: 'api', config: { port } });
        return { server, answers: await answers };
      } catch (error) {
        over.abort();
        if (left === 0 || !isTaken(error)) throw error;
      }
    }
  }

  test('start: refuses a revoked token from the first response on', async () => {
    const sub = newSubject();
    const token = await bearer(sub);
    await revokeAll(sub);
    const { server, answers } = await startAndAsk(token);
    await server.stop();
    expect(answers).toEqual(['401 UNAUTHENTICATED', '4403']);
  });

  test.each([
    ['gets no answer', () => new Promise<void>(() => {})],
    ['gets an error', () => proxy.fail('Query', 'AccessDeniedException')],
  ])('start: serves no one if it %s when it reads the revocations', async (_, misbehave) => {
    const token = await bearer(newSubject());
    let asked = 0;
    onRevocationsRead(() => {
      asked++;
      return misbehave();
    });
    // The start fails before the port is bound.
    const port = await freePort();
    const over = new AbortController();
    const answers = firstAnswers(port, token, { over: over.signal });
    const start = startTestApp({ database, role: 'api', config: { port }, timeouts });
    await expect(start).rejects.toThrow();
    over.abort();
    expect(asked).toBeGreaterThan(0);
    expect(await answers).toEqual(['nothing', 'nothing']);
  });
});

describe('the list of revocations', () => {
  test('revoke: numbers concurrent revocations one by one and refuses too many', async () => {
    const database = await openTestDynamo();
    const list = createRevocations({ dynamo: database.dynamo, max: 4 });
    const target = (sub: string) => ({ sub, before: 1 });
    try {
      // An expired revocation does not count.
      await list.revoke(target('o'), nowSeconds() - 1);
      await Promise.all(['a', 'b', 'c', 'd'].map((sub) => list.revoke(target(sub), inAnHour())));
      expect((await list.since(1)).map(({ number }) => number)).toEqual([2, 3, 4, 5]);
      expect(await list.since(5)).toEqual([]);
      await expect(list.revoke(target('e'), inAnHour())).rejects.toMatchObject({ code: 'CONFLICT' });
    } finally {
      await database.stop();
    }
  });

  test('revoked tokens: a token that is revoked again for a shorter time stays revoked for the longer one', async () => {
    let seconds = 1_000;
    const revoked = createRevokedTokens({
      revocations: {
        since: async (last) =>
          [
            { number: 1, jti: 'one', expiresAt: 3_000 },
            { number: 2, jti: 'one', expiresAt: 2_000 },
          ].filter(({ number }) => number > last),
        noneSince: () => Promise.reject(new Error('It is not asked for.')),
      },
      log: createRecordedLog().log,
      now: () => seconds * 1_000,
    });
    await revoked.start();
    revoked.stop();
    const isRevoked = () => revoked.has({ sub: 'aki', jti: 'one' });
    seconds = 2_500;
    expect(isRevoked()).toBe(true);
    seconds = 3_000;
    expect(isRevoked()).toBe(false);
  });

  test('revoked tokens: forget expired revocations and stay in force while the table cannot be read', async () => {
    let seconds = 1_000;
    let down = false;
    const revoked = createRevokedTokens({
      revocations: {
        async since(last) {
          if (down) throw new Error('down');
          return last === 0 ? [{ number: 1, sub: 'aki', before: 900, expiresAt: 2_000 }] : [];
        },
        noneSince: () => Promise.reject(new Error('It is not asked for.')),
      },
      log: createRecordedLog().log,
      now: () => seconds * 1_000,
      pollMs: 5,
    });
    down = true;
    await expect(revoked.start()).rejects.toThrow('down');
    down = false;
    await revoked.start();
    down = true;
    expect(revoked.has({ sub: 'aki', issuedAt: 900 })).toBe(true);
    expect(revoked.has({ sub: 'aki', issuedAt: 901 })).toBe(false);
    seconds = 2_000;
    expect(revoked.has({ sub: 'aki', issuedAt: 900 })).toBe(false);
    revoked.stop();
  });
});
