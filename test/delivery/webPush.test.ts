/** Registering browsers, and what reaches them. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { secondsOf } from '../../src/core/timestamps.ts';
import { createPushSubscriptions } from '../../src/delivery/channels/webPush/pushSubscriptions.ts';
import { createRevocations } from '../../src/revocations/revocations.ts';
import { createRevokedTokens } from '../../src/revocations/revokedTokens.ts';
import { graphql } from '../generated/gql.ts';
import { bearer, inAnHour, newSubject } from '../revocations/support/sessions.ts';
import { silent } from '../stream/support/stream.ts';
import { createClient, type TestClient } from '../support/clients/client.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import type { Browser } from './support/browser.ts';
import { RegisterPush, RemovePush, TestDelivery } from './support/pushOperations.ts';
import { type PushService, startPushService } from './support/pushService.ts';

const Own = graphql(`
  query OwnDeliveries {
    webPushPublicKey
    viewer {
      pushSubscriptions { id label lastUsedAt }
      deliveries(first: 5) {
        edges { node { id kinds rooms { id } text outcome attempts { channel outcome at } dueAt decidedAt } }
      }
    }
  }
`);

let app: TestApp;
let service: PushService;
beforeAll(async () => {
  service = await startPushService();
  app = await startTestApp({ timersMs: 500, config: { pushOrigins: [service.origin] } });
});
afterAll(async () => {
  await app?.stop();
  await service?.stop();
});
beforeEach(() => service.respond(() => ({ status: 201 })));

const register = async (client: TestClient, browser: Browser, label = 'A laptop') =>
  (await client.do(RegisterPush, { input: { ...browser, label } })).registerPushSubscription.pushSubscription;
const own = async (client: TestClient) => (await client.do(Own)).viewer;
const devices = async (client: TestClient) => (await own(client)).pushSubscriptions.map(({ label }) => label);
const test1 = (client: TestClient) => client.do(TestDelivery, { channel: 'WEB_PUSH' });
/** The newest delivery, once it is not pending any more. */
const ended = (client: TestClient) =>
  eventually(async () => {
    const newest = (await own(client)).deliveries.edges[0]?.node;
    expect(newest?.outcome).not.toBe('PENDING');
    return newest;
  });

describe('a push', () => {
  test('testDelivery: reaches the browser, encrypted for it and signed by the server', async () => {
    const aki = await app.as('push-aki', { acceptLanguage: 'en' });
    await register(aki, service.subscribe());
    const before = service.pushes.length;
    const { delivery } = (await test1(aki)).testDelivery;
    expect(delivery).toMatchObject({ kinds: [], outcome: 'PENDING', attempts: [] });
    const push = (await service.arrived(before + 1)).at(-1);
    const { webPushPublicKey } = await aki.do(Own);
    expect(push?.key).toBe(webPushPublicKey);
    expect(push?.vapid.sub).toMatch(/^mailto:/);
    expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' });
    expect(String(push?.headers.topic)).toMatch(/^[\w-]{32}$/);
    expect(Number(push?.headers.ttl)).toBeGreaterThan(86_000);
    expect(push?.payload).toMatchObject({
      title: 'Tsudoi',
      text: 'This is a test. Notifications from Tsudoi reach you here.',
      url: `${app.url}/`,
      badge: 0,
      kinds: [],
    });
    expect(await ended(aki)).toMatchObject({
      id: delivery.id,
      outcome: 'SENT',
      rooms: [],
      text: 'This is a test. Notifications from Tsudoi reach you here.',
      attempts: [{ channel: 'WEB_PUSH', outcome: 'SENT' }],
    });
    const [device] = (await own(aki)).pushSubscriptions;
    expect(device?.lastUsedAt).toBeTruthy();
  });

  test('testDelivery: is in the language of the person, and reaches each of their browsers', async () => {
    const ben = await app.as('push-ben', { acceptLanguage: 'ja' });
    const browsers = [service.subscribe(), service.subscribe()];
    for (const browser of browsers) await register(ben, browser);
    const before = service.pushes.length;
    await test1(ben);
    const pushes = (await service.arrived(before + 2)).slice(before);
    expect(pushes.map(({ path }) => `${service.origin}${path}`).sort()).toEqual(
      browsers.map(({ endpoint }) => endpoint).sort(),
    );
    expect((await ended(ben))?.text).toMatch('テスト');
  });

  test.each([404, 410])('a browser that is gone (%i) is removed', async (status) => {
    const chi = await app.as(`push-gone-${status}`);
    await register(chi, service.subscribe());
    service.respond(() => ({ status }));
    await test1(chi);
    expect((await ended(chi))?.outcome).toBe('SWITCHED_OFF');
    expect(await devices(chi)).toEqual([]);
    expect(await chi.refused(TestDelivery, { channel: 'WEB_PUSH' })).toBe('BAD_USER_INPUT');
  });

  test('a refusal and a redirect end the send, and keep the browser', async () => {
    const dan = await app.as('push-dan');
    await register(dan, service.subscribe());
    for (const status of [400, 403, 307]) {
      service.respond(() => ({ status, headers: { location: `${service.origin}/elsewhere` } }));
      const before = service.pushes.length;
      await test1(dan);
      expect((await ended(dan))?.outcome).toBe('FAILED');
      expect(service.pushes.length).toBe(before + 1);
    }
    expect(await devices(dan)).toEqual(['A laptop']);
  });
});

describe('registering', () => {
  test('registerPushSubscription: is idempotent, and renews what it was given', async () => {
    const eva = await app.as('push-eva');
    const browser = service.subscribe();
    const first = await register(eva, browser, 'Old name');
    const second = await register(eva, browser, 'New name');
    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt });
    expect(await devices(eva)).toEqual(['New name']);
  });

  test('registerPushSubscription: other spellings of an address are the same browser', async () => {
    const eve = await app.as('push-eve');
    const browser = service.subscribe();
    const { endpoint } = browser;
    const { id } = await register(eve, browser);
    const spellings = [
      ` ${endpoint} `,
      endpoint.replace('http', 'HTTP'),
      `${endpoint}#`,
      `${endpoint}#x`,
      `${endpoint}?`,
    ];
    for (const one of spellings) expect((await register(eve, { ...browser, endpoint: one })).id).toBe(id);
    expect(await devices(eve)).toEqual(['A laptop']);
    const before = service.pushes.length;
    await test1(eve);
    await service.arrived(before + 1);
    expect(await ended(eve)).toMatchObject({ outcome: 'SENT' });
  });

  test('registerPushSubscription: the oldest of eleven goes', async () => {
    const fay = await app.as('push-fay');
    const browsers = Array.from({ length: 11 }, () => service.subscribe());
    for (const [i, browser] of browsers.entries()) await register(fay, browser, `Device ${i}`);
    expect(await devices(fay)).toEqual(Array.from({ length: 10 }, (_, i) => `Device ${i + 1}`));
    // It belongs to no user now.
    const gus = await app.as('push-gus');
    await register(gus, { ...(browsers[0] as Browser), auth: randomBytes(16).toString('base64url') });
  });

  test('registerPushSubscription: two at once are both there', async () => {
    const hal = await app.as('push-hal');
    await Promise.all([register(hal, service.subscribe(), 'One'), register(hal, service.subscribe(), 'Two')]);
    expect((await devices(hal)).sort()).toEqual(['One', 'Two']);
  });

  test('registerPushSubscription: a browser moves to another person only with the same keys', async () => {
    const [ian, jon] = [await app.as('push-ian'), await app.as('push-jon')];
    const browser = service.subscribe();
    const { id } = await register(ian, browser);
    const other = service.subscribe();
    const wrong = [
      { ...browser, p256dh: other.p256dh },
      { ...browser, auth: other.auth },
    ];
    for (const one of wrong) expect(await jon.refused(RegisterPush, { input: one })).toBe('NOT_FOUND');
    expect(await jon.refused(RemovePush, { id })).toBe('NOT_FOUND');
    expect(await devices(ian)).toEqual(['A laptop']);
    await register(jon, browser, 'Now of Jon');
    expect([await devices(ian), await devices(jon)]).toEqual([[], ['Now of Jon']]);
  });

  test('removePushSubscription: ends it, once', async () => {
    const kim = await app.as('push-kim');
    const { id } = await register(kim, service.subscribe());
    await kim.do(RemovePush, { id });
    expect(await devices(kim)).toEqual([]);
    expect(await kim.refused(RemovePush, { id })).toBe('NOT_FOUND');
  });

  test.each([
    ['another origin', { endpoint: 'https://push.example.com/1' }],
    ['an address with a password', { endpoint: 'http://a:b@127.0.0.1/1' }],
    ['no address', { endpoint: 'somewhere' }],
    ['a long address', { endpoint: `http://127.0.0.1/${'x'.repeat(1_024)}` }],
    ['an address that is long in its one spelling', { endpoint: `http://127.0.0.1/${'ü'.repeat(200)}` }],
    ['a short key', { p256dh: 'BAAA' }],
    ['a point that is not on the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a short secret', { auth: 'AAAA' }],
    ['an empty label', { label: ' ' }],
  ])('registerPushSubscription: refuses %s', async (_name, wrong) => {
    const lea = await app.as('push-lea');
    const input = { ...service.subscribe(), ...wrong };
    expect(await lea.refused(RegisterPush, { input })).toBe('BAD_USER_INPUT');
    expect(await devices(lea)).toEqual([]);
  });

  test('testDelivery: needs something to send to', async () => {
    const max = await app.as('push-max');
    for (const channel of ['WEB_PUSH', 'EMAIL', 'WEBHOOK'] as const) {
      expect(await max.refused(TestDelivery, { channel })).toBe('BAD_USER_INPUT');
    }
  });
});

describe('the end of a session', () => {
  const signedIn = async (sub: string, claims: Record<string, unknown> = {}) =>
    createClient(app.url, (await bearer(sub, claims)).slice('Bearer '.length));

  test('a revocation of all tokens of a subject ends the browsers that they registered', async () => {
    const sub = newSubject();
    const client = await signedIn(sub);
    await register(client, service.subscribe());
    const later = await signedIn(sub, { iat: secondsOf(Date.now()) + 2 });
    await register(later, service.subscribe(), 'Signed in again');
    const revocations = createRevocations({ dynamo: app.dynamo });
    await revocations.revoke({ sub, before: secondsOf(Date.now()) }, inAnHour());
    await app.quiet();
    expect(await devices(later)).toEqual(['Signed in again']);
  });

  test('registerPushSubscription: is refused if its token is revoked while it is being stored', async () => {
    const [sub, jti] = [newSubject(), newSubject()];
    const user = await app.services.users.ensure({ sub, handle: sub });
    const revocations = createRevocations({ dynamo: app.dynamo });
    const revoked = createRevokedTokens({ revocations, log: silent });
    let meanwhile: (() => Promise<unknown>) | undefined = () => revocations.revoke({ jti }, inAnHour());
    const dynamo = beforeTransactions(app.dynamo, () => {
      const run = meanwhile;
      meanwhile = undefined;
      return run?.();
    });
    const token = { sub, jti, issuedAt: secondsOf(Date.now()) };
    const registered = createPushSubscriptions({ dynamo, now: Date.now }).register(user, {
      ...service.subscribe(),
      key: 'A key',
      label: 'A phone',
      token,
      whileValid: () => revoked.whileValid(token),
    });
    await expect(registered).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(meanwhile).toBeUndefined();
    await app.quiet();
    expect((await app.services.pushSubscriptions.read(user)).all).toEqual([]);
  });

  test('registerPushSubscription: is refused by a server that does not know the revocation yet', async () => {
    const late = await startTestApp({
      database: app.database,
      role: 'api',
      revocationsMs: 3_600_000,
      config: { pushOrigins: [service.origin] },
    });
    try {
      const [sub, jti] = [newSubject(), newSubject()];
      const client = createClient(late.url, (await bearer(sub, { jti })).slice('Bearer '.length));
      await register(client, service.subscribe());
      await createRevocations({ dynamo: app.dynamo }).revoke({ jti }, inAnHour());
      await app.quiet();
      expect(await client.refused(RegisterPush, { input: service.subscribe() })).toBe('UNAUTHENTICATED');
      const user = app.services.users.idOf(sub);
      expect((await app.services.pushSubscriptions.read(user)).all).toEqual([]);
    } finally {
      await late.stop();
    }
  });

  test('a revocation of one token ends its browser, and no other one', async () => {
    const [sub, jti] = [newSubject(), newSubject()];
    const [one, other] = [await signedIn(sub, { jti }), await signedIn(sub, { jti: `${jti}-other` })];
    await register(one, service.subscribe(), 'Lost');
    await register(other, service.subscribe(), 'Kept');
    await createRevocations({ dynamo: app.dynamo }).revoke({ jti }, inAnHour());
    await app.quiet();
    expect(await devices(other)).toEqual(['Kept']);
  });
});
