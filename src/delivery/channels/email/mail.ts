import { groupBy } from '../../../core/groupBy.ts';
import type { Mailbox } from '../../../core/mailConfig.ts';
import type { DeliveryPart } from '../../delivery.ts';
import type { EmailDigest } from '../../settings/settings.ts';
import type { Message } from '../channel.ts';
import { mailText } from './mailText.ts';

/** A mail as it is handed to a server. */
export interface Mail {
  readonly from: Mailbox;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same on each attempt. */
  readonly messageId: string;
  readonly date: Date;
  readonly headers: Readonly<Record<string, string>>;
}

export interface MailOptions {
  readonly message: Message;
  /** The batch's: the same on each attempt. */
  readonly id: string;
  readonly from: Mailbox;
  readonly to: string;
  readonly digest: EmailDigest;
  readonly date: Date;
  readonly settingsUrl: string;
  readonly unsubscribeUrl: string;
}

/** A digest, or a test. Names and titles are text in it: on one line, never a header, markup or a link. */
export function mailOf({
  message,
  id,
  from,
  to,
  digest,
  date,
  settingsUrl,
  unsubscribeUrl,
}: MailOptions): Mail {
  const { language, kinds, url } = message;
  const parts = message.parts?.map(plainPart) ?? [];
  const ofRooms = [...groupBy(parts, ({ room }) => room).values()];
  const text = plain(message.text);
  const line = (name: Parameters<typeof mailText>[1]) => mailText(language, name, digest);
  const isTest = kinds.length === 0;
  const more = message.isCut === true ? line('MORE') : '';
  const reason = line(isTest ? 'TEST_REASON' : 'REASON');
  return {
    from,
    to,
    date,
    subject: parts.length === 1 && message.rooms.length === 1 ? `${plain(message.title)}: ${text}` : text,
    messageId: `<${id}@${from.address.split('@').at(-1)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Exchange does not know the other one.
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Content-Language': language,
    },
    text: [
      ...(parts.length === 0 ? [text] : [line('INTRODUCTION')]),
      ...ofRooms.map((ofRoom) =>
        [ofRoom[0]?.title, ...ofRoom.flatMap((part) => [part.text, part.url])].join('\n'),
      ),
      ...(more === '' ? [] : [more]),
      `${line('OPEN')}: ${url}`,
      ['-- ', reason, `${line('CHANGE')}: ${settingsUrl}`, `${line('UNSUBSCRIBE')}: ${unsubscribeUrl}`].join(
        '\n',
      ),
    ].join('\n\n'),
    html: [
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
      // No colours: a program with a dark canvas has light text for it, and one that inverts has nothing to guess.
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head>',
      '<body style="font-family:sans-serif;line-height:1.5;max-width:40em;margin:0 auto;padding:1em">',
      paragraph(parts.length === 0 ? text : line('INTRODUCTION')),
      ...ofRooms.map((ofRoom) => {
        const links = ofRoom.map((part) => link(part.url, part.text));
        return `<p>${[`<strong>${escaped(ofRoom[0]?.title ?? '')}</strong>`, ...links].join('<br>')}</p>`;
      }),
      more === '' ? '' : paragraph(more),
      `<p>${link(url, line('OPEN'))}</p>`,
      `<hr><p style="font-size:small">${escaped(reason)}<br>`,
      `${link(settingsUrl, line('CHANGE'))}<br>${link(unsubscribeUrl, line('UNSUBSCRIBE'))}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

const plainPart = (part: DeliveryPart): DeliveryPart => ({
  ...part,
  title: plain(part.title),
  text: plain(part.text),
});

/** Breaks lines and reverses text. Names cannot have most of these, but a mail must not depend on that. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066\u2067]+/gu;
/** What mail programs make links of: addresses, and what looks like a domain. */
const LINKS = /([.:/@])(?=\S)/gu;
const WORD_JOINER = '\u2060';

/** On one line, and with an invisible character in what would become a link to somewhere else. */
const plain = (text: string): string => text.replace(CONTROLS, ' ').replace(LINKS, `$1${WORD_JOINER}`).trim();

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;
const link = (url: string, text: string): string => `<a href="${escaped(url)}">${escaped(text)}</a>`;
