import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { type Clock, sleep } from '../../../core/clock.ts';
import { defined } from '../../../core/defined.ts';
import type { MailConfig } from '../../../core/mailConfig.ts';
import type { Mail } from './mail.ts';

/**
 * How long a mail may take in all. Servers that look into mails before they accept them need more than other receivers.
 * Less than the handler of a timer has, so that the end is recorded.
 */
export const MAIL_TIMEOUT_MS = 25_000;
/** What a server says is not used, except for its codes. */
const RESPONSE_MAX = 16_384;

export type SmtpResult =
  | { readonly type: 'accepted' }
  /** The server knows no such recipient, or no mailbox of theirs takes mail. */
  | { readonly type: 'noRecipient' }
  /** The server does not want this mail. */
  | { readonly type: 'refused'; readonly reason: SmtpReason }
  /** The server does not want it yet for this recipient (greylisting), and works otherwise. */
  | { readonly type: 'later'; readonly reason: SmtpReason }
  | { readonly type: 'failed'; readonly reason: SmtpReason }
  | { readonly type: 'timedOut' };

/** Has nothing of what the server said, which may quote the address, the mail or the password. */
export interface SmtpReason {
  /** Of nodemailer or Node, e.g. EAUTH, ETLS, ECONNREFUSED. */
  readonly code?: string;
  /** Three digits. https://www.rfc-editor.org/rfc/rfc5321#section-4.2 */
  readonly status?: number;
}

export interface SmtpOptions extends Pick<MailConfig, 'smtp' | 'requireTls'> {
  readonly clock: Clock;
  /** For tests: whose certificates are trusted, in addition to the system's. */
  readonly ca?: string;
}

interface SmtpFailure {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * Hands a mail to a server, by a connection of its own: a server that hangs holds up this mail only. Certificates are
 * verified; without TLS neither a password nor a mail is sent, unless the server is on this machine. Never rejects.
 */
export async function sendMail(mail: Mail, options: SmtpOptions): Promise<SmtpResult> {
  const { smtp, requireTls, clock, ca } = options;
  // Loaded by the first mail: most processes send none.
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const connection = new SMTPConnection({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.secure,
    requireTLS: requireTls,
    tls: { minVersion: 'TLSv1.2', ...defined({ ca }) },
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    dnsTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    maxResponseSize: RESPONSE_MAX,
    allowInternalNetworkInterfaces: true,
  } satisfies SMTPConnectionOptions);
  const ended = new AbortController();
  const late = sleep(clock, MAIL_TIMEOUT_MS, ended.signal).then((): SmtpResult => ({ type: 'timedOut' }));
  let result: SmtpResult = { type: 'timedOut' };
  try {
    const sent = new Promise<SmtpResult>((resolve) => {
      const failed = (error: unknown) => resolve(resultOf((error ?? {}) as SmtpFailure));
      connection.on('error', failed);
      connection.on('end', () => failed({ code: 'ECONNECTION' }));
      const send = async () => {
        const raw = await rawMail(mail);
        const envelope = { from: mail.from.address, to: [mail.to], size: raw.length };
        connection.send(envelope, raw, (error) => (error ? failed(error) : resolve({ type: 'accepted' })));
      };
      connection.connect((error) => {
        if (error) return failed(error);
        if (smtp.auth === undefined) return void send().catch(failed);
        connection.login({ credentials: smtp.auth }, (refused) =>
          refused ? failed(refused) : void send().catch(failed),
        );
      });
    });
    result = await Promise.race([sent, late]);
    return result;
  } finally {
    ended.abort();
    if (result.type === 'accepted') connection.quit();
    else connection.close();
  }
}

async function rawMail({ from, to, subject, text, html, messageId, date, headers }: Mail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId,
    date,
    // As they are: a long address must not be folded.
    headers: Object.entries(headers).map(([key, value]) => ({ key, value: { prepared: true, value } })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/**
 * The address or the mailbox does not exist (any more). A full mailbox (5.2.2) may have room again; senders (5.1.7,
 * 5.1.8) and policies (5.7.1) say nothing about the person. Of servers without such codes, the status says it: 552 is a
 * full mailbox, 554 may be anything. https://www.rfc-editor.org/rfc/rfc3463 https://www.rfc-editor.org/rfc/rfc7504
 */
const OF_RECIPIENT = /^5\d\d[ -]5\.(?:1\.(?![78]\b)\d{1,3}|2\.1)\b|^55[0136][ -](?!5\.\d)/;

/**
 * Not yet for this recipient. 421 ends the session, 454 is about signing in and relaying, 4.3 and 4.4 about the server
 * and its network, 4.1.7 and 4.1.8 about the sender. https://www.rfc-editor.org/rfc/rfc5321#section-3.8
 * https://www.rfc-editor.org/rfc/rfc4954#section-6 https://www.rfc-editor.org/rfc/rfc3463#section-3
 */
const NOT_YET = /^4(?!21|54)\d\d[ -](?!4\.(?:[34]\.|1\.[78]\b))/;

function resultOf({
  code,
  originalCode,
  command,
  response = '',
  responseCode: status,
}: SmtpFailure): SmtpResult {
  const name = originalCode ?? code;
  const reason = {
    ...defined({ code: name, status }),
  };
  if (command === 'RCPT TO' && NOT_YET.test(response)) return { type: 'later', reason };
  // Of a connection, a password or a sender, the operator can correct it within the day in which it is tried again.
  const isFinal = status !== undefined && status >= 500 && (command === 'RCPT TO' || command === 'DATA');
  if (!isFinal) return code === 'ETIMEDOUT' ? { type: 'timedOut' } : { type: 'failed', reason };
  if (status === 530 || status === 535) return { type: 'failed', reason };
  return command === 'RCPT TO' && OF_RECIPIENT.test(response)
    ? { type: 'noRecipient' }
    : { type: 'refused', reason };
}
