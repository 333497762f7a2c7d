/** A mail server on loopback, which refuses, hangs and closes as the test says. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailConfig } from '../../../src/core/mailConfig.ts';
import { CERTIFICATE, KEY } from '../../dynamo/transport/support/certificate.ts';
import { type Read, readMail } from './mailReader.ts';

export interface ReceivedMail extends Read {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly user: string | undefined;
  readonly isEncrypted: boolean;
}

/** What the server says, `hang` for nothing at all, or `close` for an end of the connection. */
export type Reply = 'ok' | 'hang' | 'close' | { readonly code: number; readonly text: string };
type Stage = 'connect' | 'recipient' | 'data' | 'login';

export interface MailServerOptions {
  /** TLS from the first byte. */
  readonly secure?: boolean;
  /** Default: STARTTLS is offered. */
  readonly startTls?: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function startMailServer({ secure = false, startTls = true, login }: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const replies = new Map<Stage, (about: string) => Reply>();
  let attempts = 0;
  let listeners: Array<() => void> = [];
  const notify = () => {
    for (const listener of listeners.splice(0)) listener();
  };
  const closeAll = () => {
    for (const { _socket: socket } of server.connections as Set<{ _socket?: { destroy(): void } }>) {
      socket?.destroy();
    }
  };

  function answer(stage: Stage, about: string, callback: (error?: Error) => void): void {
    const reply = replies.get(stage)?.(about) ?? 'ok';
    if (reply === 'ok') callback();
    else if (reply === 'close') closeAll();
    else if (reply !== 'hang') callback(Object.assign(new Error(reply.text), { responseCode: reply.code }));
  }

  const server = new SMTPServer({
    secure,
    key: KEY,
    cert: CERTIFICATE,
    logger: false,
    hideSTARTTLS: !startTls,
    authOptional: login === undefined,
    closeTimeout: 1,
    onConnect(_session, callback) {
      attempts++;
      notify();
      answer('connect', '', callback);
    },
    onAuth({ username, password }, _session, callback) {
      const isRight = username === login?.user && password === login?.pass;
      if (!isRight) return callback(new Error(`Wrong password ${password} for ${username}`));
      answer('login', '', (error) => (error ? callback(error) : callback(null, { user: username })));
    },
    onRcptTo: ({ address }, _session, callback) => answer('recipient', address, callback),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('latin1');
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...readMail(raw),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          user: session.user as string | undefined,
          isEncrypted: session.secure,
        });
        notify();
        answer('data', raw, callback);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;

  const config = (changes: Partial<MailConfig> = {}): MailConfig => ({
    smtp: { host: '127.0.0.1', port, secure, auth: login },
    requireTls: false,
    from: { name: 'Tsudoi', address: 'chat@example.com' },
    ...changes,
  });

  async function until<T>(ready: () => T | undefined): Promise<T> {
    for (;;) {
      const found = ready();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        listeners = [...listeners, resolve];
      });
    }
  }

  return {
    mails,
    port,
    config,
    ca: CERTIFICATE,
    /** How many connections there were. */
    attempts: () => attempts,
    /** Resolves when there are this many mails. */
    arrived: (count: number) => until(() => (mails.length >= count ? mails : undefined)),
    /** Resolves when there were this many connections. */
    connected: (count: number) => until(() => (attempts >= count ? attempts : undefined)),
    /** From now on. `about`: the recipient, or the mail. */
    reply(stage: Stage, how: Reply | ((about: string) => Reply)) {
      replies.set(stage, typeof how === 'function' ? how : () => how);
    },
    closeAll,
    async stop() {
      closeAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
