/** Addresses, tests, and the links that end digests. */
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressId } from '../../src/delivery/channels/email/addresses.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { DeleteAccount } from '../accountDeletion/support/operations.ts';
import type { EmailDigest } from '../generated/graphql.ts';
import { bearer, newSubject } from '../revocations/support/sessions.ts';
import { createClient, type TestClient } from '../support/clients/client.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { Attempts, ChooseDigest, EmailSettings } from './support/emailOperations.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';
import { TestDelivery } from './support/pushOperations.ts';

let app: TestApp;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer({ startTls: false });
  app = await startTestApp({ timersMs: 500, config: { mail: server.config() } });
});
afterAll(async () => {
  await app?.stop();
  await server?.stop();
});

const clientOf = async (sub: string, claims: Record<string, unknown> = {}): Promise<TestClient> =>
  createClient(app.url, (await bearer(sub, claims)).slice('Bearer '.length));
const verified = (email: string) => ({ email, email_verified: true });
const settingsOf = async (client: TestClient) => (await client.do(EmailSettings)).viewer.deliverySettings;
const choose = async (client: TestClient, emailDigest: EmailDigest) =>
  (await client.do(ChooseDigest, { emailDigest })).updateDeliverySettings.settings;

/** A new person who gets digests, and the link of a mail to them. */
async function reader(email = 'aki@example.org') {
  const sub = newSubject();
  const client = await clientOf(sub, verified(email));
  await choose(client, 'HOURLY');
  const before = server.mails.length;
  await client.do(TestDelivery, { channel: 'EMAIL' });
  const mail = (await server.arrived(before + 1)).at(-1);
  const [, link = ''] = /^<(.+)>$/.exec(mail?.headers.get('list-unsubscribe') ?? '') ?? [];
  return { sub, id: app.services.users.idOf(sub), client, mail, link };
}
const post = (link: string, init: RequestInit = {}) =>
  fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    ...init,
  });

describe('the address', () => {
  test('is that of the request, if its token says that it is verified, while digests are wanted', async () => {
    const sub = newSubject();
    const plain = await clientOf(sub);
    const unverified = await clientOf(sub, { email: 'aki@example.org', email_verified: false });
    const known = await clientOf(sub, verified('Aki@Example.ORG'));
    expect(await choose(plain, 'DAILY')).toEqual({ emailDigest: 'DAILY', email: null });
    expect(await choose(unverified, 'DAILY')).toEqual({ emailDigest: 'DAILY', email: null });
    await known.do(ChooseDigest, { hideText: true });
    expect(await settingsOf(known)).toEqual({
      emailDigest: 'DAILY',
      email: 'Aki@example.org',
      emailRefusedAt: null,
      sendsEmail: true,
    });
    expect(await choose(known, 'NEVER')).toEqual({ emailDigest: 'NEVER', email: null });
    await known.do(ChooseDigest, { hideText: false });
    expect((await settingsOf(known)).email).toBeNull();
  });

  test.each([
    'no address',
    'a b@example.org',
    '"a"@example.org',
    'a@example.org, b@example.org',
    'a@[::1]',
    'a@b\r\nBcc: c@d',
  ])('is not %j', async (email) => {
    const client = await clientOf(newSubject(), verified(email));
    expect((await choose(client, 'HOURLY')).email).toBeNull();
  });

  test.each([
    ['another address', 10, verified('ben@example.org'), null],
    ['that it is not verified', 10, { email: 'aki@example.org', email_verified: false }, null],
    ['that it is not verified, without naming it', 10, { email_verified: 'false' }, null],
    ['the same', 10, verified('aki@example.org'), 'aki@example.org'],
    ['nothing', 10, {}, 'aki@example.org'],
    ['another address, and is older', -10, verified('ben@example.org'), 'aki@example.org'],
  ] as const)('a token says %s', async (_name, seconds, claims, expected) => {
    const sub = newSubject();
    const iat = Math.floor(Date.now() / 1_000) - 100;
    const client = await clientOf(sub, { ...verified('aki@example.org'), iat });
    await choose(client, 'HOURLY');
    await (await clientOf(sub, { ...claims, iat: iat + seconds })).do(EmailSettings);
    expect((await settingsOf(client)).email).toBe(expected);
    const badge = await app.dynamo.get(keys.badge(app.services.users.idOf(sub)));
    expect(badge?.digest).toBe(expected !== null);
  });

  test('is not brought back by an older token', async () => {
    const sub = newSubject();
    const iat = Math.floor(Date.now() / 1_000) - 100;
    const older = await clientOf(sub, { ...verified('aki@example.org'), iat });
    const newer = await clientOf(sub, { ...verified('ben@example.org'), iat: iat + 10 });
    await choose(older, 'HOURLY');
    await newer.do(EmailSettings);
    // It was forgotten, and it was replaced.
    expect(await choose(older, 'HOURLY')).toEqual({ emailDigest: 'HOURLY', email: null });
    expect((await choose(newer, 'HOURLY')).email).toBe('ben@example.org');
    expect((await choose(older, 'DAILY')).email).toBe('ben@example.org');
  });

  test('goes with the account', async () => {
    const { client, id, sub } = await reader();
    await client.do(DeleteAccount, { input: { confirm: sub, eraseMessages: false } });
    expect(await app.dynamo.get(keys.deliverySettings(id))).toBeUndefined();
  });
});

describe('testDelivery', () => {
  test('sends a mail, without any name', async () => {
    const { client, mail } = await reader();
    expect(mail?.headers.get('subject')).toBe('This is a test. Notifications from Tsudoi reach you here.');
    expect(mail?.text).toContain('because you asked for a test');
    await eventually(async () => {
      const [edge] = (await client.do(Attempts)).viewer.deliveries.edges;
      expect(edge?.node).toEqual({
        kinds: [],
        outcome: 'SENT',
        attempts: [{ channel: 'EMAIL', outcome: 'SENT' }],
      });
    });
  });

  test('needs an address', async () => {
    const client = await clientOf(newSubject());
    await choose(client, 'HOURLY');
    expect(await client.refused(TestDelivery, { channel: 'EMAIL' })).toBe('BAD_USER_INPUT');
  });
});

describe('the link', () => {
  test('ends digests by a POST, without signing in, as often as it is sent', async () => {
    const { client, link } = await reader();
    expect(link.startsWith(`${app.url}/unsubscribe/`)).toBe(true);
    for (const _ of [1, 2]) {
      const response = await post(link);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('That address gets no more mails');
      expect(await settingsOf(client)).toMatchObject({ emailDigest: 'NEVER', email: null });
    }
  });

  test.each(['null', 'https://webmail.example.com'])(
    'works in a page of another origin: %s',
    async (origin) => {
      const { client, link } = await reader();
      const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
      expect((await fetch(link, { headers: { origin } })).status).toBe(200);
      expect((await post(link, { headers })).status).toBe(200);
      expect(await settingsOf(client)).toMatchObject({ emailDigest: 'NEVER', email: null });
      // Only the link.
      expect((await fetch(`${app.url}/healthz`, { headers })).status).toBe(403);
      expect((await post(`${app.url}/graphql`, { headers })).status).toBe(403);
    },
  );

  test('a GET changes nothing: it shows a button, in the language of the browser', async () => {
    const { client, link } = await reader();
    const english = await fetch(link);
    expect(english.status).toBe(200);
    expect(english.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(english.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(await english.text()).toContain('<form method="post"><button>Stop the mails</button></form>');
    const japanese = await fetch(link, { headers: { 'accept-language': 'ja' } });
    expect(await japanese.text()).toContain('<html lang="ja">');
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(link, { method: 'DELETE' })).status).toBe(405);
    expect((await settingsOf(client)).emailDigest).toBe('HOURLY');
  });

  test('another one than this system signed does nothing', async () => {
    const [{ client, link, id }, other] = [await reader(), await reader('ben@example.org')];
    const signed = link.split('/').at(-1) ?? '';
    const [user = '', address = '', signature = ''] = signed.split('.');
    const foreign = createHmac('sha256', randomBytes(32))
      .update(`unsubscribe\n${user}\n${address}`)
      .digest('base64url');
    const otherSigned = other.link.split('/').at(-1)?.split('.') ?? [];
    for (const wrong of [
      `${user}.${address}.${foreign}`,
      `${otherSigned[0]}.${address}.${signature}`,
      `${user}.${address}.${otherSigned[2]}`,
      `${user}.${addressId(id, 'ben@example.org')}.${signature}`,
      `${user}.${address}.${signature}x`,
      `${user}.${address}.${signature}.`,
      `${user}.${address}`,
      `${signed}%00`,
      '',
    ]) {
      const response = await post(`${app.url}/unsubscribe/${wrong}`);
      expect([wrong, response.status]).toEqual([wrong, 404]);
    }
    expect((await settingsOf(client)).emailDigest).toBe('HOURLY');
    expect((await settingsOf(other.client)).emailDigest).toBe('HOURLY');
  });

  test('of a mail to an earlier address does nothing', async () => {
    const { sub, link } = await reader();
    const client = await clientOf(sub, {
      ...verified('new@example.org'),
      iat: Math.floor(Date.now() / 1_000) + 1,
    });
    await choose(client, 'DAILY');
    const response = await post(link);
    expect(response.status).toBe(200);
    // True as well: the new address goes on.
    expect(await response.text()).toContain('Mails to another one that you chose since go on');
    expect(await settingsOf(client)).toMatchObject({ emailDigest: 'DAILY', email: 'new@example.org' });
  });

  test('counts as a request without a token', async () => {
    const limited = await startTestApp({
      role: 'api',
      config: { mail: server.config(), rateLimits: { anonymous: { max: 2, seconds: 3_600 } } },
    });
    try {
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push((await post(`${limited.url}/unsubscribe/x`)).status);
      expect(statuses).toContain(429);
      expect(statuses[0]).toBe(404);
    } finally {
      await limited.stop();
    }
  });
});

test('a server that has no mail server stores no address, and sends nothing', async () => {
  const without = await startTestApp({ role: 'api' });
  try {
    const token = (await bearer(newSubject(), verified('aki@example.org'))).slice('Bearer '.length);
    const client = createClient(without.url, token);
    expect(await client.refused(ChooseDigest, { emailDigest: 'HOURLY' })).toBe('BAD_USER_INPUT');
    expect(await client.refused(TestDelivery, { channel: 'EMAIL' })).toBe('BAD_USER_INPUT');
    await client.do(ChooseDigest, { emailDigest: 'NEVER' });
    expect(await settingsOf(client)).toEqual({
      emailDigest: 'NEVER',
      email: null,
      emailRefusedAt: null,
      sendsEmail: false,
    });
  } finally {
    await without.stop();
  }
});
