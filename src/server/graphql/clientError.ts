import { GraphQLError } from 'graphql';
import { type ErrorCode, errorCatalogue, TsudoiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';

/**
 * The HTTP part of a Yoga error. `spec`: it is about the document or its variables, so its status is 200 if the media
 * type of the response is plain `application/json`.
 */
export interface HttpExtension {
  readonly status?: number;
  readonly spec?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Extensions {
  readonly code: ErrorCode;
  readonly [detail: string]: unknown;
}

const DETAILS = ['field', 'limit', 'fields', 'reason', 'retryAfterMs', 'errorId', 'cost'];

/**
 * An error as a client may see it: one of the catalogue with its details, without a stack and without suggested names.
 * GraphQL's own errors about values become BAD_USER_INPUT, and those about the document and the request
 * GRAPHQL_VALIDATION_FAILED. Any other error becomes INTERNAL: it is logged with an id, which the client receives.
 * Idempotent.
 */
export function clientError(error: unknown, log: Log): GraphQLError {
  const thrown = originalErrorOf(error);
  if (thrown instanceof TsudoiError) {
    return toClient(error, thrown.message, { code: thrown.code, ...thrown.details }, headersOf(thrown));
  }
  if (thrown instanceof GraphQLError) {
    const { code } = thrown.extensions;
    if (isErrorCode(code)) {
      const http = httpOf(thrown) ?? (code === 'GRAPHQL_VALIDATION_FAILED' ? BAD_REQUEST : undefined);
      return toClient(error, thrown.message, { ...detailsOf(thrown), code }, http);
    }
    if (isAboutTheRequest(error, thrown)) {
      const message = withoutSuggestions(thrown.message);
      return toClient(error, message, requestMistake(error, message), httpOf(thrown) ?? BAD_REQUEST);
    }
  }
  const errorId = newId();
  const path = error instanceof GraphQLError ? error.path : undefined;
  log.error(
    { err: thrown, errorId, ...(path === undefined ? {} : { path: path.join('.') }) },
    'A request failed',
  );
  return toClient(error, 'Something went wrong on the server.', { code: 'INTERNAL', errorId });
}

/** The error that was thrown, without GraphQL's wrappers, which add the path. */
function originalErrorOf(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError != null) inner = inner.originalError;
  return inner;
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in errorCatalogue;

const detailsOf = ({ extensions }: GraphQLError) =>
  Object.fromEntries(DETAILS.filter((name) => name in extensions).map((name) => [name, extensions[name]]));

/**
 * GraphQL's own errors about a request have no path, because nothing ran yet, or they point to the argument that is
 * wrong. Any other error with a path is about the result (a value that does not fit its type). That is a fault of the
 * server, and its message may quote stored data.
 */
const isAboutTheRequest = (error: unknown, thrown: GraphQLError) =>
  (error instanceof GraphQLError && error.path === undefined) ||
  (thrown.nodes !== undefined && wrongArgument(thrown.message) !== undefined);

/** The code of GraphQL's own error about a request, and the value that is wrong if it is about one. */
function requestMistake(error: unknown, message: string): Extensions {
  // Of the wrapped error, because only its message has the path.
  const field =
    wrongVariable(error instanceof GraphQLError ? error.message : message) ?? wrongArgument(message);
  if (field === undefined) return { code: 'GRAPHQL_VALIDATION_FAILED' };
  return { code: 'BAD_USER_INPUT', field, fields: [{ field, message }] };
}

/**
 * The path of a variable's value that does not fit its type, from graphql-js' message about it: `input.userIds.0` from
 * `Variable "$input" got invalid value 1 at "input.userIds[0]"; …`. Undefined for any other message.
 */
function wrongVariable(message: string): string | undefined {
  const [, name] =
    /^Variable "\$(\w+)" (?:got invalid value|of required type|of non-null type) /.exec(message) ?? [];
  if (name === undefined) return undefined;
  const [, path = name] = /^[^;]* at "([^"]+)"; /s.exec(message) ?? [];
  const [, missing] = /; Field "(\w+)" (?:of required type|is not defined by type) /.exec(message) ?? [];
  const field = path.replace(/\[(\d+)\]/g, '.$1');
  return missing === undefined ? field : `${field}.${missing}`;
}

/**
 * The argument that has no value that fits its type, from graphql-js' message about it: a variable with a default can be
 * null at an argument that cannot. Undefined for any other message.
 */
const wrongArgument = (message: string): string | undefined =>
  /^Argument "(\w+)" (?:has invalid value|of required type|of non-null type) /.exec(message)?.[1];

/** What an error says about its HTTP response. */
export const httpOf = ({ extensions }: GraphQLError) => extensions.http as HttpExtension | undefined;

/** Whether the request itself is refused, and not its document: its method, its content type, its parameters. */
export function isRefusedRequest(error: GraphQLError): boolean {
  const http = httpOf(error);
  return error.extensions.code === 'GRAPHQL_VALIDATION_FAILED' && http !== undefined && http.spec !== true;
}

/** The headers that HTTP has for a missing token, and for the time to wait, in whole seconds. */
function headersOf({ code, details: { retryAfterMs } }: TsudoiError): HttpExtension | undefined {
  if (code === 'UNAUTHENTICATED') {
    return { status: errorCatalogue[code].status, headers: { 'www-authenticate': 'Bearer' } };
  }
  if (retryAfterMs === undefined) return undefined;
  const headers = { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) };
  return { status: errorCatalogue[code].status, headers };
}

const BAD_REQUEST: HttpExtension = { status: 400, spec: true };

/** In production introspection is off, so errors must not reveal the schema's names one by one. */
const withoutSuggestions = (message: string) => message.replace(/\s*Did you mean .*\?$/s, '');

function toClient(
  error: unknown,
  message: string,
  extensions: Extensions,
  http?: HttpExtension,
): GraphQLError {
  const at = error instanceof GraphQLError ? error : undefined;
  // An error with a path is a part of a result with data. An error without one decides the status of the response.
  const status =
    at?.path === undefined ? (http ?? { status: errorCatalogue[extensions.code].status }) : undefined;
  return new GraphQLError(message, {
    nodes: at?.nodes ?? null,
    source: at?.source ?? null,
    positions: at?.positions ?? null,
    path: at?.path ?? null,
    extensions: status === undefined ? extensions : withHttp(extensions, status),
  });
}

/** Only Yoga reads `http`. It is not enumerable, because websockets send every enumerable property. */
const withHttp = (extensions: Extensions, http: HttpExtension): Extensions =>
  Object.defineProperty({ ...extensions }, 'http', { value: http });
