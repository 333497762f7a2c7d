/** A token that was revoked is refused from then on, over either transport, and its websockets are closed. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/dev/embeddedDynamodb/port.ts';
import { createRevocations, type Revocations } from '../../src/revocations/revocations.ts';
import { createRevokedTokens } from '../../src/revocations/revokedTokens.ts';
import { recordedLog } from '../server/support/log.ts';
import { type FaultProxy, startFaultProxy } from '../stream/faultProxy.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnTime } from '../support/ownTime.ts';
import { bearer, inAnHour, KNOWN_MS, newSubject, nowSeconds, overHttp, session } from './support.ts';

let app: TestApp;
let revocations: Revocations;
beforeAll(async () => {
  app = await startTestApp({ revocationsMs: 20 });
  revocations = createRevocations({ dynamo: app.dynamo });
});
afterAll(() => app?.stop());

const revokeAll = (sub: string, before = nowSeconds()) => revocations.revoke({ sub, before }, inAnHour());
const isRefused = (token: string) =>
  eventually(async () => expect(await overHttp(app, token)).toBe('401 UNAUTHENTICATED'));

describe('over HTTP', () => {
  test("a subject's tokens are refused, those issued later and those of others are good", async () => {
    const [aki, ben] = [newSubject(), newSubject()];
    const [old, others] = [await bearer(aki), await bearer(ben)];
    expect([await overHttp(app, old), await overHttp(app, others)]).toEqual(['200 OK', '200 OK']);
    await revokeAll(aki);
    await isRefused(old);
    expect(await overHttp(app, await bearer(aki, { iat: nowSeconds() - 100 }))).toBe('401 UNAUTHENTICATED');
    expect(await overHttp(app, await bearer(aki, { iat: nowSeconds() + 2 }))).toBe('200 OK');
    expect(await overHttp(app, others)).toBe('200 OK');
  });

  test('one that does not say when it was issued is taken for an old one', async () => {
    const sub = newSubject();
    const token = await bearer(sub, { iat: null });
    expect(await overHttp(app, token)).toBe('200 OK');
    await revokeAll(sub);
    await isRefused(token);
  });

  test('by its id, one token is refused and no other of the same person', async () => {
    const sub = newSubject();
    const [one, other] = [await bearer(sub, { jti: `${sub}-1` }), await bearer(sub, { jti: `${sub}-2` })];
    expect(await overHttp(app, one)).toBe('200 OK');
    await revocations.revoke({ jti: `${sub}-1` }, inAnHour());
    await isRefused(one);
    expect([await overHttp(app, other), await overHttp(app, await bearer(sub))]).toEqual([
      '200 OK',
      '200 OK',
    ]);
  });

  test('a second revocation from a clock that is behind lets nobody in again', async () => {
    const sub = newSubject();
    const token = await bearer(sub);
    await revokeAll(sub);
    const { number } = await revokeAll(sub, nowSeconds() - 600);
    await revocations.revoke({ jti: `${sub}-x` }, inAnHour());
    await isRefused(await bearer(newSubject(), { jti: `${sub}-x` }));
    expect([number > 1, await overHttp(app, token)]).toEqual([true, '401 UNAUTHENTICATED']);
  });
});

describe('over a websocket', () => {
  test('it is closed with 4403, and does not open again; others and nobody stay', async () => {
    const [aki, ben] = [newSubject(), newSubject()];
    const token = await bearer(aki);
    const [open, second] = [await session(app, token), await session(app, token)];
    const [others, nobody] = [await session(app, await bearer(ben)), await session(app)];
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
    for (const socket of [others, nobody]) {
      socket.subscribe('1', '{ __typename }');
      expect(await socket.next()).toMatchObject({ payload: { data: { __typename: 'Query' } } });
    }
  });

  test('who does not hear that it was closed is heard no more, either', async () => {
    const sub = newSubject();
    const token = await bearer(sub, { name: 'Before' });
    const socket = await session(app, token);
    socket.subscribe('1', 'mutation { updateProfile(input: { displayName: "Then" }) { user { id } } }');
    expect(await socket.next()).toMatchObject({ type: 'next' });
    socket.raw.pause();
    await revokeAll(sub);
    await isRefused(token);
    socket.subscribe('2', 'mutation { updateProfile(input: { displayName: "After" }) { user { id } } }');
    // It has been read by the time that one which was sent later is answered.
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

  const onRevocationsAsked = (meanwhile: () => void | Promise<void>) =>
    proxy.onRequest('Query', (request) =>
      JSON.stringify(request).includes('"REVOKED"') ? meanwhile() : undefined,
    );

  /** What it answers first, over both transports, to who asks from before it serves until it does. */
  async function firstAnswers(port: number, token: string, over: AbortSignal): Promise<string[]> {
    const server = { url: `http://127.0.0.1:${port}` };
    const first = async (ask: () => Promise<string>): Promise<string> => {
      for (;;) {
        try {
          return await ask();
        } catch {
          // Nobody listens there yet.
          if (over.aborted) return 'nothing';
          await setTimeout(5);
        }
      }
    };
    return Promise.all([
      first(() => overHttp(server, token)),
      first(async () => (await session(server, token)).acknowledged),
    ]);
  }

  /** Starts one and asks it meanwhile; on another port where somebody was quicker to take the first. */
  async function startAndAsk(token: string): Promise<{ server: TestApp; answers: string[] }> {
    for (let left = 4; ; left--) {
      const port = await freePort();
      const over = new AbortController();
      const answers = firstAnswers(port, token, over.signal);
      try {
        const server = await startTestApp({ database, role: 'api', config: { port } });
        return { server, answers: await answers };
      } catch (error) {
        over.abort();
        if (left === 0 || !isTaken(error)) throw error;
      }
    }
  }

  test('refuses what was revoked before, from its first answer on', async () => {
    const sub = newSubject();
    const token = await bearer(sub);
    await revokeAll(sub);
    // Long enough to be let in, were anybody let in without waiting for it.
    onRevocationsAsked(() => setTimeout(500));
    const { server, answers } = await startAndAsk(token);
    await server.stop();
    expect(answers).toEqual(['401 UNAUTHENTICATED', '4403']);
  });

  test.each([
    ['is told nothing', () => new Promise<void>(() => {})],
    ['is refused', () => proxy.fail('Query', 'AccessDeniedException')],
  ])('answers nobody where it %s when it asks what was revoked', async (_, misbehave) => {
    const token = await bearer(newSubject());
    let asked = 0;
    onRevocationsAsked(() => {
      asked++;
      return misbehave();
    });
    // It comes to nothing before the port would be bound.
    const port = await freePort();
    const over = new AbortController();
    const answers = firstAnswers(port, token, over.signal);
    await expect(startTestApp({ database, role: 'api', config: { port } })).rejects.toThrow();
    over.abort();
    expect(asked).toBeGreaterThan(0);
    expect(await answers).toEqual(['nothing', 'nothing']);
  });
});

describe('the list', () => {
  test('numbers those that are made at once one by one, and has an end', async () => {
    const database = await openTestDynamo();
    const list = createRevocations({ dynamo: database.dynamo, max: 4 });
    const target = (sub: string) => ({ sub, before: 1 });
    try {
      // One that is over does not count.
      await list.revoke(target('o'), nowSeconds() - 1);
      await Promise.all(['a', 'b', 'c', 'd'].map((sub) => list.revoke(target(sub), inAnHour())));
      expect((await list.since(1)).map(({ number }) => number)).toEqual([2, 3, 4, 5]);
      expect(await list.since(5)).toEqual([]);
      await expect(list.revoke(target('e'), inAnHour())).rejects.toMatchObject({ code: 'CONFLICT' });
    } finally {
      await database.stop();
    }
  });

  test('is forgotten as it expires, and stays in force while it cannot be read', async () => {
    let seconds = 1_000;
    let away = false;
    const revoked = createRevokedTokens({
      revocations: {
        async since(last) {
          if (away) throw new Error('away');
          return last === 0 ? [{ number: 1, sub: 'aki', before: 900, expiresAt: 2_000 }] : [];
        },
      },
      log: recordedLog().log,
      now: () => seconds * 1_000,
      pollMs: 5,
    });
    away = true;
    await expect(revoked.start()).rejects.toThrow('away');
    away = false;
    await revoked.start();
    away = true;
    expect(revoked.has({ sub: 'aki', issuedAt: 900 })).toBe(true);
    expect(revoked.has({ sub: 'aki', issuedAt: 901 })).toBe(false);
    seconds = 2_000;
    expect(revoked.has({ sub: 'aki', issuedAt: 900 })).toBe(false);
    revoked.stop();
  });
});
