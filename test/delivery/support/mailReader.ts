/**
 * Reads a mail as its receiver does: RFC 5322, 2045, 2047. As much as the tests need, and none of the sender's code.
 */

export interface Read {
  /** Unfolded and decoded, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Names in the order of the mail. */
  readonly names: readonly string[];
  readonly text: string;
  readonly html: string;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly names: readonly string[];
  readonly body: string;
}

/** `raw`: the bytes as latin1. */
export function readMail(raw: string): Read {
  const mail = partOf(raw);
  const type = mail.headers.get('content-type') ?? '';
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(type) ?? [];
  const parts = mail.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, '')));
  const bodyOf = (wanted: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(wanted) === true);
    return part === undefined ? '' : decodedBody(part);
  };
  return {
    headers: mail.headers,
    names: mail.names,
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  };
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
  });
  return { headers: new Map(pairs), names: pairs.map(([name]) => name), body: raw.slice(end + 4) };
}

function decodedBody({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding') ?? '7bit';
  const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : quotedPrintable(body, encoding);
  return bytes.toString('utf8').replaceAll('\r\n', '\n').trim();
}

const quotedPrintable = (body: string, encoding: string): Buffer =>
  Buffer.from(encoding === 'quoted-printable' ? unquoted(body.replace(/=\r\n/g, '')) : body, 'latin1');

const unquoted = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const decodedWords = (value: string): string =>
  value
    .replace(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      (how.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64')
        : Buffer.from(unquoted(text.replaceAll('_', ' ')), 'latin1')
      ).toString('utf8'),
    );
