/**
 * Responses that refuse a request before GraphQL sees it: with an error of the catalogue, in the form of GraphQL's
 * errors.
 */

import {
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { defined } from '../../core/defined.ts';
import { errorCatalogue, TsudoiError } from '../../core/errors.ts';
import type { OpenResponses } from './openResponses.ts';

export interface Refusal {
  readonly error: TsudoiError;
  /** Default: that of the error's code. */
  readonly status?: number;
  /** What the status needs beside the headers of every refusal. */
  readonly headers?: Readonly<Record<string, string>>;
  /** INTERNAL: the log has the details under it. */
  readonly errorId?: string;
}

/** The request itself is wrong. `status`: 4xx. */
export const badRequest = (status: number, message: string): Refusal => ({
  status,
  error: new TsudoiError('GRAPHQL_VALIDATION_FAILED', message),
});

/** Whether a browser opens it as a page. */
export const isForPerson = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.includes('text/html') === true;

/** JSON, or the sentence alone for a person. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const text: Content = { type: 'text/plain', body: `${refusal.error.message}\n` };
  send(response, refusal, isForPerson(response.req) ? text : jsonOf(refusal));
}

/** For a path that no person opens. */
export const refuseAsJson = (response: ServerResponse, refusal: Refusal): void =>
  send(response, refusal, jsonOf(refusal));

function send(response: ServerResponse, refusal: Refusal, content: Content): void {
  response.writeHead(statusOf(refusal), headersOf(refusal, content)).end(content.body);
}

/** The whole response, for a connection that serves nothing after it. */
export function wholeRefusal(refusal: Refusal): string {
  const status = statusOf(refusal);
  const content = jsonOf(refusal);
  const headers = Object.entries(headersOf(refusal, content)).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${headers.join('')}`;
  return `${head}\r\n${content.body}`;
}

interface Content {
  readonly type: 'application/json' | 'text/plain';
  readonly body: string;
}

function jsonOf({ error: { message, code, details }, errorId }: Refusal): Content {
  const extensions = { code, ...details, ...defined({ errorId }) };
  return {
    type: 'application/json',
    body: `${JSON.stringify({ errors: [{ message, extensions }] })}\n`,
  };
}

const statusOf = ({ error, status = errorCatalogue[error.code].status }: Refusal): number => status;

function headersOf(
  { error: { details }, headers }: Refusal,
  { type, body }: Content,
): Record<string, string> {
  const { retryAfterMs } = details;
  return {
    ...headers,
    'content-type': `${type}; charset=utf-8`,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }),
  };
}

/** By the codes of Node's errors. */
const MALFORMED: ReadonlyMap<unknown, Refusal> = new Map([
  ['HPE_HEADER_OVERFLOW', badRequest(431, 'The address and the headers are larger than 16 KB.')],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', badRequest(413, 'The extensions of a chunk are larger than 16 KB.')],
  ['ERR_HTTP_REQUEST_TIMEOUT', badRequest(408, 'The request took too long to arrive.')],
]);
const NOT_HTTP = badRequest(400, 'The request is not HTTP.');

/** Refuses what Node refuses itself, by default without a body: what is not HTTP, is too large or takes too long. */
export function refuseMalformed(http: HttpServer, open: OpenResponses): void {
  http.on('checkExpectation', (_request, response) =>
    refuse(response, badRequest(417, 'Only `Expect: 100-continue` is supported.')),
  );
  http.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const hasBegun = [...open(socket)].some(({ headersSent }) => headersSent);
    // In the middle of a response it would be read as a part of that.
    if (socket.writable && !hasBegun) socket.write(wholeRefusal(MALFORMED.get(code) ?? NOT_HTTP));
    socket.destroy();
  });
}
