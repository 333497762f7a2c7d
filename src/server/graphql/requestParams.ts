import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { TsudoiError } from '../../core/errors.ts';
import type { GiveBack } from '../../core/rateLimits.ts';
import type { ServerLimits } from '../limits.ts';
import type { Operation } from './operation.ts';

/** The parameters of a GraphQL request: https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters */
export interface RequestParams {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
}

export interface HttpErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error about the request itself. It has its status in each media type. */
export const httpError = (status: number, message: string, options: HttpErrorOptions = {}) =>
  new GraphQLError(message, { extensions: { http: { status, ...options } } });

/** Clients look for this message or for the code. They send the text from then on. */
const persistedQuery = () => new TsudoiError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');

const PARAMS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);

/** Throws an error for a response with 400 if a parameter is missing, unknown or has the wrong type. */
export function checkedParams(params: unknown): RequestParams {
  if (Array.isArray(params)) throw httpError(400, 'Batching is not supported.');
  if (!isObject(params)) {
    throw httpError(400, `The request's parameters must be an object, but are ${typeName(params)}.`);
  }
  for (const [name, value] of Object.entries(params)) {
    if (value != null && !PARAMS.has(name)) throw httpError(400, `Unexpected parameter "${name}".`);
  }
  const { query, variables, extensions, operationName } = params;
  if (query == null && isObject(extensions) && isObject(extensions.persistedQuery)) throw persistedQuery();
  if (query == null) throw httpError(400, 'The parameter "query" is missing.');
  if (typeof query !== 'string') throw wrongType('query', 'a string', query);
  if (variables != null && !isObject(variables)) throw wrongType('variables', 'an object', variables);
  if (extensions != null && !isObject(extensions)) throw wrongType('extensions', 'an object', extensions);
  if (operationName != null && typeof operationName !== 'string') {
    throw wrongType('operationName', 'a string', operationName);
  }
  return {
    query,
    ...(variables == null ? {} : { variables }),
    ...(operationName == null ? {} : { operationName }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeName = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const wrongType = (name: string, expected: string, value: unknown) =>
  httpError(400, `The parameter "${name}" must be ${expected}, but is of type ${typeName(value)}.`);

/** Whether a body of this content type is read. Other types can be sent by a foreign page without a preflight. */
export function isJson(contentType = ''): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((one) => one.startsWith('charset='));
  return type.trim() === 'application/json' && /^(charset="?utf-?8"?)?$/.test(charset ?? '');
}

/**
 * Reads the parameters of a request from its body, chunked or not. What `chargeBody` throws refuses it. It reads from
 * the socket, because Yoga's web streams cost more than the parsing. Rejects with 408 if a long one takes too long, and
 * with 413 if it is too large. The rest of it is read and discarded up to a bound: if the connection was closed while
 * the client is sending, it would be reset, and the client would not receive the response.
 */
export async function readParams(
  incoming: IncomingMessage,
  limits: ServerLimits,
  { beginBody, chargeBody }: Pick<Operation, 'beginBody' | 'chargeBody'>,
): Promise<RequestParams> {
  let turn: GiveBack | Promise<GiveBack> | undefined;
  const begin = () => {
    turn = beginBody?.();
    return turn;
  };
  try {
    // The length of a body in chunks shows when it has arrived.
    const isChunked = incoming.headers['content-length'] === undefined;
    const hasWaited = !isChunked && begin() instanceof Promise;
    if (hasWaited) await turn;
    const bytes = await readBytes(incoming, limits, {
      isTimed: hasWaited,
      onLong: isChunked ? begin : undefined,
    });
    await chargeBody?.(bytes.length);
    return checkedParams(jsonOf(bytes));
  } finally {
    (await turn)?.();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw httpError(400, 'The body is not JSON in UTF-8.');
  }
}

interface Reading {
  /** Whether the body has its turn, which ends after `bodyMs`. */
  readonly isTimed: boolean;
  /**
   * Called when more than a short body has arrived. The rest is read when it has resolved, and has its turn from then
   * on.
   */
  readonly onLong: (() => unknown) | undefined;
}

function readBytes(
  incoming: IncomingMessage,
  { bodyBytes, shortBodyBytes, discardedBytes, bodyMs }: ServerLimits,
  { isTimed, onLong }: Reading,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let isLong = false;
    let timer: NodeJS.Timeout | undefined;
    const refuse = (status: number, message: string) => {
      clearTimeout(timer);
      reject(httpError(status, message, { headers: { connection: 'close' } }));
    };
    const tooLarge = () => refuse(413, `The body is larger than ${bodyBytes} bytes.`);
    // Otherwise those behind it would wait for it until they had taken too long themselves.
    const startTimer = () => {
      timer = setTimeout(() => {
        incoming.pause();
        chunks = [];
        refuse(408, 'The body took too long to arrive.');
      }, bodyMs);
    };
    const disconnected = () => {
      clearTimeout(timer);
      reject(httpError(400, 'The body ended early.'));
    };
    async function waitForTurn(): Promise<void> {
      isLong = true;
      incoming.pause();
      await onLong?.();
      if (incoming.destroyed) return;
      startTimer();
      incoming.resume();
    }
    if (isTimed) startTimer();
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bodyBytes) chunks.push(chunk);
      else chunks = [];
      if (length > bodyBytes + discardedBytes) {
        incoming.pause();
        tooLarge();
      } else if (onLong !== undefined && !isLong && length > shortBodyBytes) {
        waitForTurn().catch(reject);
      }
    });
    incoming.on('end', () => {
      // Otherwise each request would make an error with a stack when it closes: 12 % of the CPU of `{ __typename }`.
      incoming.off('close', disconnected);
      clearTimeout(timer);
      if (length > bodyBytes) tooLarge();
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    incoming.on('error', disconnected);
    incoming.on('close', disconnected);
    // The client left while its token was verified.
    if (incoming.destroyed && !incoming.complete) disconnected();
  });
}

/** The parameters in the query string of a GET's address. */
export function fromQueryString(url: string): RequestParams {
  const start = url.indexOf('?');
  const search = new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
  const text = (name: string) => {
    const value = search.get(name);
    return value === null || value === '' ? {} : { [name]: value };
  };
  const json = (name: string) => {
    const value = search.get(name);
    if (value === null || value === '') return {};
    try {
      return { [name]: JSON.parse(value) as Record<string, unknown> };
    } catch {
      throw httpError(400, `The parameter ${name} is not JSON.`);
    }
  };
  const params = { ...text('query'), ...text('operationName'), ...json('variables'), ...json('extensions') };
  return checkedParams(params);
}
