/** The server that mails are handed to. */
export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps:`). Otherwise STARTTLS. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

export interface Mailbox {
  /** Empty: there is none. */
  readonly name: string;
  readonly address: string;
}

export interface MailConfig {
  readonly smtp: SmtpConfig;
  /** Nothing is sent to this server without TLS. Only one on this machine may do without. */
  readonly requireTls: boolean;
  readonly from: Mailbox;
}

export const SMTP_URL_RULE =
  'must be smtps://user:password@host:465 or smtp://user:password@host:587 (the user and the port may be left out, special characters are percent-encoded)';
export const MAIL_FROM_RULE = 'must be an address such as chat@example.com or Tsudoi <chat@example.com>';

const PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 };

/** Undefined if the text breaks the rule. */
export function parseSmtpUrl(text: string): SmtpConfig | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = PORTS[protocol];
  const isBare = ['', '/'].includes(pathname) && search === '' && hash === '';
  if (usual === undefined || hostname === '' || !isBare || (username === '') !== (password === '')) {
    return undefined;
  }
  const [user, pass] = [decoded(username), decoded(password)];
  if (user === undefined || pass === undefined) return undefined;
  return {
    // An IPv6 address without its brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? usual : Number(port),
    secure: protocol === 'smtps:',
    auth: user === '' ? undefined : { user, pass },
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Undefined if the text breaks the rule. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, quoted, name = quoted ?? '', inBrackets] =
    /^(?:"([^"\\]*)"|([^"<>]*?))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = mailAddress(inBrackets ?? text.trim());
  return address === undefined || /\p{Cc}/u.test(name) ? undefined : { name, address };
}

const ADDRESS_MAX = 254;
const LOCAL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * An address that mail can be sent to, its domain in lower case and in ASCII. Undefined if the text is none: only
 * letters, digits and `.!#$%&'*+/=?^_{|}~-` are accepted before the `@`, so an address can be no more than one.
 */
export function mailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, at), text.slice(at + 1)];
  const domain = asciiDomain(host);
  const address = `${local}@${domain}`;
  return at > 0 && LOCAL.test(local) && DOMAIN.test(domain) && address.length <= ADDRESS_MAX
    ? address
    : undefined;
}

/** Empty if it is none. */
const asciiDomain = (host: string): string =>
  /[\s:/?#@\\[\]]/.test(host) || !URL.canParse(`http://${host}/`) ? '' : new URL(`http://${host}/`).hostname;
