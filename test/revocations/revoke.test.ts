/** A token that was revoked is refused from then on, over either transport, and its websockets are closed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRevocations, type Revocations } from '../../src/revocations/revocations.ts';
import { createRevokedTokens } from '../../src/revocations/revokedTokens.ts';
import { recordedLog } from '../server/support/log.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openTestDynamo } from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
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
    const at = performance.now();
    await revokeAll(aki);
    expect(await Promise.all([open.closed, second.closed])).toEqual([
      { code: 4403, reason: 'The token was revoked' },
      { code: 4403, reason: 'The token was revoked' },
    ]);
    expect(performance.now() - at).toBeLessThan(KNOWN_MS);
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

test('a server that starts knows what was revoked before it answers anybody', async () => {
  const sub = newSubject();
  const token = await bearer(sub);
  await revokeAll(sub);
  const another = await startTestApp({ database: app.database, role: 'api' });
  try {
    expect(await overHttp(another, token)).toBe('401 UNAUTHENTICATED');
  } finally {
    await another.stop();
  }
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
