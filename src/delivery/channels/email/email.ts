import { type Clock, systemClock } from '../../../core/clock.ts';
import { createHealth } from '../../../core/health.ts';
import type { OutageLog } from '../../../core/log.ts';
import type { MailConfig } from '../../../core/mailConfig.ts';
import type { DeliverySettingsService } from '../../settings/deliverySettings.ts';
import { digestSeconds, type EmailDigest } from '../../settings/settings.ts';
import type { Channel, ChannelEndpoint, Message, SendResult } from '../channel.ts';
import { type Addresses, addressId } from './addresses.ts';
import { mailOf } from './mail.ts';
import { MAIL_TIMEOUT_MS, type SmtpOptions, type SmtpResult, sendMail } from './smtp.ts';
import { UNSUBSCRIBE_PATH, type Unsubscribing } from './unsubscribing.ts';

/** What the operator has set up. */
export interface MailSettings extends MailConfig, Pick<SmtpOptions, 'ca'> {
  readonly log: OutageLog;
}

export interface EmailOptions extends MailSettings {
  readonly settings: Pick<DeliverySettingsService, 'read'>;
  readonly addresses: Pick<Addresses, 'refuse'>;
  readonly unsubscribing: Pick<Unsubscribing, 'sign'>;
  /** The origin of links. */
  readonly publicUrl: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
}

interface EmailEndpoint extends ChannelEndpoint {
  readonly user: string;
  readonly address: string;
  readonly digest: EmailDigest;
}

/** Hands digests to the operator's mail server. All of them share its places and its circuit breaker. */
export function createEmail(options: EmailOptions): Channel<EmailEndpoint> {
  const { settings, addresses, unsubscribing, publicUrl, now, clock = systemClock } = options;
  const { smtp, from, log } = options;
  const server = `${smtp.host}:${smtp.port}`;
  const origin = `smtp:${server}`;
  const health = createHealth({
    log,
    down: 'The mail server does not accept mails; they are tried again for a day',
    up: 'The mail server accepts mails again',
    fields: { server },
    describe: (result) => reasonOf(result as SmtpResult),
    now,
  });

  async function send(message: Message, id: string, endpoint: EmailEndpoint): Promise<SendResult> {
    const { user, address: to, digest } = endpoint;
    const signed = await unsubscribing.sign({ user, address: endpoint.id });
    const mail = mailOf({
      message,
      id,
      from,
      to,
      digest,
      date: new Date(now()),
      settingsUrl: `${publicUrl()}/settings/notifications`,
      unsubscribeUrl: `${publicUrl()}${UNSUBSCRIBE_PATH}/${signed}`,
    });
    const result = await sendMail(mail, { ...options, clock });
    switch (result.type) {
      case 'accepted':
        health.worked();
        return { outcome: 'sent' };
      case 'noRecipient':
        health.worked();
        await addresses.refuse(user, endpoint.id, now());
        return { outcome: 'refused' };
      case 'later':
        health.worked();
        log.info(
          { server, ...reasonOf(result) },
          'The mail server does not accept a mail for a recipient yet',
        );
        return { outcome: 'retry' };
      case 'refused':
        log.warn({ server, ...reasonOf(result) }, 'The mail server refused a mail');
        return { outcome: 'refused' };
      default:
        health.failed(result);
        return { outcome: 'retry', timedOut: result.type === 'timedOut' };
    }
  }

  return {
    name: 'EMAIL',
    sendsDigests: true,
    timeoutMs: MAIL_TIMEOUT_MS,
    async endpointsOf(user) {
      const { email, emailDigest } = await settings.read(user);
      if (email === null || digestSeconds({ email, emailDigest }) === null) return [];
      const { address } = email;
      return [{ id: addressId(user, address), origin, user, address, digest: emailDigest }];
    },
    async send({ id, messages: [message] }, endpoint) {
      return message === undefined ? { outcome: 'refused' } : send(message, id, endpoint);
    },
  };
}

function reasonOf(result: SmtpResult): object {
  if (result.type === 'timedOut') return { reason: 'It did not respond in time.' };
  return 'reason' in result ? result.reason : {};
}
