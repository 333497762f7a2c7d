import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptedEncodings } from './encoding.ts';
import type { Route, Routes } from './httpListener.ts';

/** An HTML page of the server. */
export interface Page {
  readonly html: Buffer;
  /** Present for large pages. */
  readonly gzipped?: Buffer;
  /** Its Content-Security-Policy, which lets only the page's own scripts run. */
  readonly policy: string;
  /** Whether it posts a form to this server. Browsers name the page's origin only if it has referrers. */
  readonly hasForm?: true;
}

const compress = promisify(gzip);
const COMPRESSED_FROM_BYTES = 16_384;

/** What a page may load in addition to its inline scripts. */
export type PageKind =
  /** Nothing: everything is in the file. Its editor creates styles at run time, with fonts in them. */
  | 'self-contained'
  /**
   * Scripts, styles and pictures of this server, and pictures of profiles from anywhere. Inline styles are not allowed.
   */
  | 'with-files'
  /** Nothing. It may post to this server. */
  | 'form';

const SOURCES: Readonly<
  Record<PageKind, Readonly<Record<'script' | 'worker' | 'style' | 'image' | 'font' | 'manifest', string>>>
> = {
  'self-contained': {
    script: '',
    worker: 'blob:',
    style: "'unsafe-inline'",
    image: "'self' data:",
    font: 'data:',
    manifest: "'none'",
  },
  'with-files': {
    script: "'self'",
    worker: "'self'",
    style: "'self'",
    image: "'self' data: https:",
    font: "'none'",
    manifest: "'self'",
  },
  form: {
    script: '',
    worker: "'none'",
    style: "'unsafe-inline'",
    image: "'self' data:",
    font: "'none'",
    manifest: "'none'",
  },
};

/**
 * Prepares a page for sending. Its policy allows the inline scripts by their hashes, so injected text does not run as a
 * script, and it allows connections only to the page's own origin and `connects`.
 */
export async function createPage(
  html: string,
  kind: PageKind = 'self-contained',
  /** The other origins that it may send requests to. */
  connects: readonly string[] = [],
): Promise<Page> {
  const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => hashOf(script));
  const sources = SOURCES[kind];
  const scripts = [sources.script, ...inline].filter((source) => source !== '');
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    `worker-src ${sources.worker}`,
    `style-src ${sources.style}`,
    `img-src ${sources.image}`,
    `font-src ${sources.font}`,
    `manifest-src ${sources.manifest}`,
    `connect-src ${["'self'", ...connects].join(' ')}`,
    "base-uri 'none'",
    `form-action ${kind === 'form' ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
  const bytes = Buffer.from(html);
  if (kind === 'form') return { html: bytes, policy, hasForm: true };
  if (bytes.length < COMPRESSED_FROM_BYTES) return { html: bytes, policy };
  return { html: bytes, gzipped: await compress(bytes), policy };
}

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page, status = 200): void {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const zipped = accepted.includes('gzip') ? page.gzipped : undefined;
  response.appendHeader('vary', 'accept-encoding');
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': page.policy,
    'referrer-policy': page.hasForm === true ? 'same-origin' : 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // In development the page contains tokens.
    'cache-control': 'no-store',
    ...(zipped === undefined ? {} : { 'content-encoding': 'gzip' }),
    'content-length': (zipped ?? page.html).length,
  });
  response.end(request.method === 'HEAD' ? undefined : (zipped ?? page.html));
}

/** The page is the same at all of its paths: its script reads the path. */
export const pageRoutes = (paths: readonly string[], page: () => Page | Promise<Page>): Routes => ({
  ...Object.fromEntries(
    paths.map((path): [string, Route] => [
      path,
      async (request, response) => sendPage(request, response, await page()),
    ]),
  ),
  // Browsers request it for every page; our pages contain their own icon.
  '/favicon.ico': (_request, response) => void response.writeHead(204).end(),
});
