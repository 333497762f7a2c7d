/** What is handed to a mail server, and what its answers mean. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { MailConfig } from '../../src/core/mailConfig.ts';
import type { Mail } from '../../src/delivery/channels/email/mail.ts';
import { MAIL_TIMEOUT_MS, sendMail } from '../../src/delivery/channels/email/smtp.ts';
import { createTestClock } from '../support/time/clock.ts';
import { type MailServer, type MailServerOptions, startMailServer } from './support/mailServer.ts';

const MAIL: Mail = {
  from: { name: '集い "Tsudoi"', address: 'chat@example.com' },
  to: 'aki@example.org',
  subject: '秋さんがあなたをメンションしました',
  text: 'A line that is longer than a line of a mail may be, so that it has to be folded by the encoding. 集い\n.\n',
  html: '<p>集い</p>',
  messageId: '<abc@example.com>',
  date: new Date('2026-11-23T10:00:00Z'),
  headers: { 'List-Unsubscribe': `<https://chat.example.com/unsubscribe/${'x'.repeat(120)}>` },
};
const clock = createTestClock();
let server: MailServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function start(options: MailServerOptions = {}): Promise<MailServer> {
  server = await startMailServer(options);
  return server;
}
const send = (config: MailConfig, options: { readonly ca?: string } = {}) =>
  sendMail(MAIL, { ...config, clock, ...options });

/** A server that responds to each line that it gets. */
async function scripted(
  reply: (line: string) => string | 'close',
): Promise<MailConfig & { lines: string[] }> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const plain = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 hello\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        lines.push(line);
        const said = reply(line);
        if (said === 'close') socket.destroy();
        else socket.write(`${said}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => plain.close(resolve));
  });
  const { port } = plain.address() as AddressInfo;
  const smtp = { host: '127.0.0.1', port, secure: false, auth: undefined };
  return { smtp, requireTls: false, from: MAIL.from, lines };
}

test('a mail arrives as it was written', async () => {
  const { config, mails } = await start({ startTls: false });
  expect(await send(config())).toEqual({ type: 'accepted' });
  const [mail] = mails;
  expect(mail).toMatchObject({ from: 'chat@example.com', to: ['aki@example.org'], html: MAIL.html });
  expect(mail?.text).toBe(MAIL.text.trim());
  const { headers, names } = mail ?? {};
  expect(headers?.get('subject')).toBe(MAIL.subject);
  expect(headers?.get('to')).toBe('aki@example.org');
  expect(headers?.get('from')).toBe('集い "Tsudoi" <chat@example.com>');
  expect(headers?.get('message-id')).toBe(MAIL.messageId);
  expect(mail?.raw).toContain(`List-Unsubscribe: ${MAIL.headers['List-Unsubscribe']}\r\n`);
  expect(names).not.toContain('x-mailer');
});

describe('TLS', () => {
  test('STARTTLS, and TLS from the first byte: with a password', async () => {
    const login = { user: 'chat', pass: 'päss word:@/' };
    for (const secure of [false, true]) {
      const { config, mails, ca, stop } = await start({ secure, login });
      const { smtp } = config();
      const named = { ...config({ requireTls: true }), smtp: { ...smtp, host: 'localhost' } };
      expect(await send(named, { ca })).toEqual({ type: 'accepted' });
      expect(mails).toMatchObject([{ user: 'chat', isEncrypted: true }]);
      await stop();
    }
  });

  test('a certificate that no one trusts, or of another name: nothing is sent', async () => {
    for (const secure of [false, true]) {
      const { config, mails, stop } = await start({ secure });
      expect(await send(config())).toEqual({
        type: 'failed',
        reason: { code: expect.stringMatching(/CERT|ETLS|ESOCKET/) },
      });
      expect(mails).toEqual([]);
      await stop();
    }
  });

  test('a server without STARTTLS gets nothing if it is required', async () => {
    const { config, mails } = await start({ startTls: false, login: { user: 'chat', pass: 'secret' } });
    expect(await send(config({ requireTls: true }))).toMatchObject({ type: 'failed' });
    expect(mails).toEqual([]);
  });

  test('a server that refuses STARTTLS after it offered it gets nothing, whether or not it is required', async () => {
    for (const requireTls of [false, true]) {
      const config = await scripted((line) =>
        line.startsWith('EHLO')
          ? '250-hello\r\n250 STARTTLS'
          : line === 'STARTTLS'
            ? '454 not now'
            : '250 ok',
      );
      const auth = { user: 'chat', pass: 'secret' };
      const result = await send({ ...config, smtp: { ...config.smtp, auth }, requireTls });
      expect(result).toMatchObject({ type: 'failed', reason: { code: 'ETLS' } });
      expect(config.lines.join('\n')).not.toMatch(/AUTH|MAIL FROM|c2VjcmV0/);
    }
  });
});

describe('what a server says', () => {
  const cases = [
    ['recipient', 550, 'no such user', 'noRecipient'],
    ['recipient', 550, '5.1.1 no such user', 'noRecipient'],
    ['recipient', 553, '5.1.3 bad address', 'noRecipient'],
    ['recipient', 550, '5.2.1 mailbox disabled', 'noRecipient'],
    ['recipient', 553, 'no such mailbox', 'noRecipient'],
    ['recipient', 556, 'no mail here', 'noRecipient'],
    ['recipient', 552, '5.2.2 mailbox full', 'refused'],
    ['recipient', 552, 'mailbox full', 'refused'],
    ['recipient', 554, 'not now', 'refused'],
    // These are about the operator, and would end the digests of everyone.
    ['recipient', 550, '5.7.1 relaying denied', 'refused'],
    ['recipient', 550, '5.1.8 your domain is unknown', 'refused'],
    ['recipient', 530, '5.7.0 sign in first', 'failed'],
    ['recipient', 450, '4.2.0 greylisted', 'later'],
    ['recipient', 451, '4.7.1 greylisted', 'later'],
    ['recipient', 452, 'full', 'later'],
    ['recipient', 451, '4.3.0 no room on a disk', 'failed'],
    ['recipient', 450, '4.1.8 your domain is not found', 'failed'],
    ['recipient', 450, '4.1.1 not known yet', 'later'],
    ['recipient', 454, '4.7.1 relaying denied', 'failed'],
    ['data', 554, '5.7.1 spam', 'refused'],
    ['data', 451, 'later', 'failed'],
    ['connect', 554, 'not you', 'failed'],
    ['connect', 421, 'busy', 'failed'],
  ] as const;
  test.each(cases)('%s: %i %s', async (stage, code, text, type) => {
    const { config, reply } = await start({ startTls: false });
    reply(stage, { code, text: `${text} <aki@example.org>` });
    const result = await send(config());
    expect(result.type).toBe(type);
    expect(JSON.stringify(result)).not.toContain('aki');
    if ('reason' in result) expect(result.reason.status).toBe(code);
  });

  test('a wrong password is tried again, and is in no result', async () => {
    const { config } = await start({ startTls: false, login: { user: 'chat', pass: 'right' } });
    const { smtp } = config();
    const result = await send({ ...config(), smtp: { ...smtp, auth: { user: 'chat', pass: 'wrong' } } });
    expect(result).toEqual({ type: 'failed', reason: { code: 'EAUTH', status: 535 } });
  });

  test('it closes the connection, at each stage', async () => {
    const { config, reply } = await start({ startTls: false });
    for (const stage of ['data', 'recipient', 'connect'] as const) {
      reply(stage, 'close');
      expect((await send(config())).type).toBe('failed');
    }
  });

  test('it ends the session when it gets the recipient: 421 is about all of them', async () => {
    const config = await scripted((line) => (line.startsWith('RCPT') ? '421 busy' : '250 ok'));
    expect((await send(config)).type).toBe('failed');
  });

  test('it does not exist', async () => {
    const { config, stop } = await start();
    await stop();
    expect(await send(config())).toEqual({ type: 'failed', reason: { code: 'ECONNREFUSED' } });
  });

  test('a response without an end is cut off', async () => {
    const config = await scripted((line) =>
      line.startsWith('EHLO') ? Array.from({ length: 4_000 }, () => '250-hello').join('\r\n') : '250 ok',
    );
    expect((await send(config)).type).toBe('failed');
  });
});

test('it hangs: the mail ends when its time is over, and the connection with it', async () => {
  const { config, reply, connected } = await start({ startTls: false });
  reply('connect', 'hang');
  const sending = send(config());
  await connected(1);
  clock.advance(MAIL_TIMEOUT_MS);
  expect(await sending).toEqual({ type: 'timedOut' });
});
