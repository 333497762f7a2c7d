/** Settings of what reaches people outside the page: browsers, mail and webhooks. */
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { DELIVERY_KINDS } from '../src/core/deliveryKinds.ts';
import { pushOriginOf } from '../src/core/pushOrigins.ts';
import { problemsOf, SECRET, VAPID_KEY, WEBHOOK_SECRET } from './support/run/config.ts';

test('VAPID_*: a key and a subject that push services accept, or neither', () => {
  const VAPID_SUBJECT = 'https://chat.example.com';
  expect(loadConfig({ AUTH_SECRET: SECRET }).vapid).toBeUndefined();
  expect(loadConfig({ VAPID_PRIVATE_KEY: VAPID_KEY, VAPID_SUBJECT }).vapid).toEqual({
    privateKey: VAPID_KEY,
    subject: VAPID_SUBJECT,
  });
  for (const one of [{ VAPID_PRIVATE_KEY: VAPID_KEY }, { VAPID_SUBJECT }]) {
    expect(problemsOf(one)).toEqual(['VAPID_PRIVATE_KEY and VAPID_SUBJECT need each other: set both.']);
  }
  const zero = Buffer.alloc(32).toString('base64url');
  for (const VAPID_PRIVATE_KEY of ['short', `${VAPID_KEY}AAAA`, zero]) {
    expect(problemsOf({ VAPID_PRIVATE_KEY, VAPID_SUBJECT })).toHaveLength(1);
  }
  const local = [
    'mailto:me',
    'mailto:me@host.local',
    'https://localhost',
    'https://127.0.0.1',
    'http://a.example.com',
  ];
  for (const subject of local) {
    expect(problemsOf({ VAPID_PRIVATE_KEY: VAPID_KEY, VAPID_SUBJECT: subject })).toHaveLength(1);
  }
});

const MAIL = {
  SMTP_URL: 'smtps://chat:secret@mail.example.com',
  MAIL_FROM: 'chat@example.com',
  PUBLIC_URL: 'https://chat.example.com',
};

test('SMTP_URL, MAIL_FROM: all of mail, or nothing', () => {
  expect(loadConfig({}).mail).toBeUndefined();
  expect(loadConfig({ PUBLIC_URL: MAIL.PUBLIC_URL }).mail).toBeUndefined();
  expect(loadConfig(MAIL).mail).toEqual({
    smtp: { host: 'mail.example.com', port: 465, secure: true, auth: { user: 'chat', pass: 'secret' } },
    requireTls: true,
    from: { name: '', address: 'chat@example.com' },
  });
  for (const missing of ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL']) {
    expect(problemsOf({ ...MAIL, [missing]: '' })).toEqual([
      'SMTP_URL and MAIL_FROM need each other and PUBLIC_URL: set all three.',
    ]);
  }
});

test('SMTP_URL: only a server on this machine may do without TLS', () => {
  for (const [SMTP_URL, host, port, requireTls] of [
    ['smtp://127.0.0.1:1025', '127.0.0.1', 1025, false],
    ['smtp://localhost/', 'localhost', 587, false],
    ['smtp://[::1]', '::1', 587, false],
    ['smtp://mail', 'mail', 587, true],
  ] as const) {
    const { mail } = loadConfig({ ...MAIL, SMTP_URL });
    expect(mail).toMatchObject({ smtp: { host, port, auth: undefined }, requireTls });
  }
  for (const SMTP_URL of [
    'mail.example.com:25',
    'http://mail.example.com',
    'smtp://',
    'smtp://user@mail.example.com',
    'smtp://:secret@mail.example.com',
    'smtp://user:100%@mail.example.com',
    'smtp://mail.example.com/?tls=none',
    'smtp://mail.example.com/path',
  ]) {
    const problems = problemsOf({ ...MAIL, SMTP_URL });
    expect(problems).toEqual([expect.stringMatching(/^SMTP_URL must be smtps:\/\//)]);
    expect(problems.join()).not.toContain('secret');
  }
});

test('MAIL_FROM: one address, with a name or without', () => {
  for (const [MAIL_FROM, name, address] of [
    ['Tsudoi <chat@Example.COM>', 'Tsudoi', 'chat@example.com'],
    ['"Tsudoi, Inc." <chat@example.com>', 'Tsudoi, Inc.', 'chat@example.com'],
    ['集い <chat@例え.jp>', '集い', 'chat@xn--r8jz45g.jp'],
    ['<chat@example.com>', '', 'chat@example.com'],
  ] as const) {
    expect(loadConfig({ ...MAIL, MAIL_FROM }).mail?.from).toEqual({ name, address });
  }
  for (const MAIL_FROM of [
    'Tsudoi',
    'chat@',
    '@example.com',
    'a@example.com, b@example.com',
    'Tsudoi <chat@example.com> <b@example.com>',
    'T\r\nBcc: <chat@example.com>',
    'ch at@example.com',
    `${'x'.repeat(65)}@example.com`,
  ]) {
    expect(problemsOf({ ...MAIL, MAIL_FROM })).toEqual([expect.stringMatching(/^MAIL_FROM must be/)]);
  }
});

test('PUSH_ORIGINS: https origins, of which the first label may be a star', () => {
  for (const one of ['https://push.example.com', 'https://*.example.com:8443', 'http://127.0.0.1:4001']) {
    expect(loadConfig({ PUSH_ORIGINS: one }).pushOrigins).toEqual([one]);
  }
  for (const one of [
    'http://push.example.com',
    'https://a.*.com',
    'https://*',
    'push.example.com',
    'https://a.com/b',
  ]) {
    expect(problemsOf({ PUSH_ORIGINS: one })).toHaveLength(1);
  }
});

test('WEBHOOKS: a secret or two for each address, and all kinds unless some are named', () => {
  const second = `whsec_${Buffer.alloc(64, 2).toString('base64')}`;
  const WEBHOOKS = JSON.stringify([
    { url: 'HTTPS://hooks.example.com', secret: [WEBHOOK_SECRET, second] },
    { url: 'http://[::1]:8080/x?y', secret: second, kinds: ['SEAT', 'LIKE'] },
  ]);
  expect(loadConfig({ WEBHOOKS, WEBHOOK_PRIVATE_HOSTS: '::1' }).webhooks).toEqual([
    { url: 'https://hooks.example.com/', secrets: [WEBHOOK_SECRET, second], kinds: DELIVERY_KINDS },
    { url: 'http://[::1]:8080/x?y', secrets: [second], kinds: ['SEAT', 'LIKE'] },
  ]);
});

test('WEBHOOKS: one sentence says what is wrong, without the secret', () => {
  const url = 'https://hooks.example.com/a';
  const secret = WEBHOOK_SECRET;
  const short = `whsec_${Buffer.alloc(23).toString('base64')}`;
  const wrong = [
    'https://hooks.example.com/a',
    '{}',
    '[{}]',
    ...[
      [{ url }],
      [{ secret }],
      [{ url, secret: 'whsec_AAAA' }],
      [{ url, secret: short }],
      [{ url, secret: WEBHOOK_SECRET.slice(1) }],
      [{ url, secret: [] }],
      [{ url, secret: [secret, secret, secret] }],
      [{ url, secret, kinds: [] }],
      [{ url, secret, kinds: ['like'] }],
      [{ url, secret, other: 1 }],
      [{ url: 'ftp://hooks.example.com', secret }],
      [{ url: 'https://a:b@hooks.example.com', secret }],
      [{ url: `${url}?${'x'.repeat(1_024)}`, secret }],
      [
        { url, secret },
        { url, secret: short },
      ],
      [
        { url, secret },
        { url: 'https://hooks.example.com:443/a', secret },
      ],
      Array.from({ length: 9 }, (_, i) => ({ url: `${url}${i}`, secret })),
    ].map((value) => JSON.stringify(value)),
  ];
  for (const WEBHOOKS of wrong) {
    const problems = problemsOf({ WEBHOOKS });
    expect(problems).toEqual([expect.stringMatching(/^WEBHOOKS must be a JSON list of at most 8 objects/)]);
    expect(problems.join()).not.toContain(secret.slice(10, 20));
  }
});

test('WEBHOOK_PRIVATE_HOSTS: names and addresses, and http only to these', () => {
  const secret = WEBHOOK_SECRET;
  const WEBHOOKS = JSON.stringify([{ url: 'http://hooks.internal:8080/', secret }]);
  expect(problemsOf({ WEBHOOKS })).toEqual([
    'WEBHOOKS may have http: addresses only of hosts that WEBHOOK_PRIVATE_HOSTS names.',
  ]);
  expect(problemsOf({ WEBHOOKS, WEBHOOK_PRIVATE_HOSTS: 'internal' })).toHaveLength(1);
  expect(loadConfig({ WEBHOOKS, WEBHOOK_PRIVATE_HOSTS: 'Hooks.Internal' }).webhooks).toHaveLength(1);
  expect(loadConfig({ WEBHOOK_PRIVATE_HOSTS: '0x7f.1,[::1],FD00::1' }).webhookPrivateHosts).toEqual([
    ...['127.0.0.1', '[::1]', '[fd00::1]'],
  ]);
  for (const one of ['http://a', 'a:80', 'a/b', 'a b', '10.0.0.0/8', '*.internal']) {
    expect(problemsOf({ WEBHOOK_PRIVATE_HOSTS: one })).toEqual([
      'WEBHOOK_PRIVATE_HOSTS must be a comma-separated list of names and addresses without ports, such as hooks.internal.',
    ]);
  }
});

test('pushOriginOf: an endpoint belongs to the entry that allows it', () => {
  const origins = ['https://push.example.com', 'https://*.example.org'];
  expect(pushOriginOf('https://push.example.com/a?b', origins)).toBe(origins[0]);
  expect(pushOriginOf('https://eu.push.example.org/a', origins)).toBe(origins[1]);
  for (const endpoint of [
    'https://example.org/a',
    'https://.example.org/a',
    'https://badexample.org/a',
    'https://eu.example.org.example.net/a',
    'https://eu.example.org:444/a',
    'http://push.example.com/a',
    'https://user@push.example.com/a',
    'https://push.example.com.evil.net/',
  ]) {
    expect(pushOriginOf(endpoint, origins)).toBeUndefined();
  }
});
