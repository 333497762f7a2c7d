import { GraphQLError } from 'graphql';
import { type ErrorCode, errorCatalogue, TsudoiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';

/** What Yoga does with an error over HTTP; `spec`: not where the client asked for plain `application/json`. */
interface HttpExtension {
  readonly status?: number;
  readonly spec?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Extensions {
  readonly code: ErrorCode;
  readonly [detail: string]: unknown;
}

const DETAILS = ['field', 'limit', 'retryAfterMs', 'errorId', 'cost'];

/**
 * An error as a client may see it: one of the catalogue, with its details, and without a stack or a
 * suggestion of names. Anything that was not thrown deliberately is INTERNAL: logged, with an id that the
 * answer repeats. GraphQL's own complaints (syntax, validation, variables) are BAD_USER_INPUT, for that is
 * what they are to a client, and the catalogue is all the codes there are. Doing it twice changes nothing.
 */
export function clientError(error: unknown, log: Log): GraphQLError {
  const thrown = deepest(error);
  if (thrown instanceof TsudoiError) {
    return made(error, thrown.message, { code: thrown.code, ...thrown.details });
  }
  if (thrown instanceof GraphQLError) {
    const { code } = thrown.extensions;
    if (isErrorCode(code)) return made(error, thrown.message, { ...detailsOf(thrown), code }, httpOf(thrown));
    if (isAboutTheRequest(error, thrown)) {
      return made(
        error,
        withoutSuggestions(thrown.message),
        { code: 'BAD_USER_INPUT' },
        httpOf(thrown) ?? REFUSED,
      );
    }
  }
  const errorId = newId();
  const path = error instanceof GraphQLError ? error.path : undefined;
  log.error(
    { err: thrown, errorId, ...(path === undefined ? {} : { path: path.join('.') }) },
    'a request failed',
  );
  return made(error, 'Something went wrong on the server.', { code: 'INTERNAL', errorId });
}

/** What was thrown, inside the wrappers that say where. */
function deepest(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError != null) inner = inner.originalError;
  return inner;
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in errorCatalogue;

const detailsOf = ({ extensions }: GraphQLError) =>
  Object.fromEntries(DETAILS.filter((name) => name in extensions).map((name) => [name, extensions[name]]));

/**
 * GraphQL's own errors about a request come before anything ran, without a path, or point to the argument
 * that is wrong. One with a path and no place is about the answer (a value that does not fit its type):
 * a fault of the server, and it may quote what is stored.
 */
const isAboutTheRequest = (error: unknown, thrown: GraphQLError) =>
  (error instanceof GraphQLError && error.path === undefined) || thrown.nodes !== undefined;

const httpOf = ({ extensions }: GraphQLError) => extensions.http as HttpExtension | undefined;

const REFUSED: HttpExtension = { status: 400, spec: true };

/** In production the schema cannot be read, so errors must not spell it out name by name. */
const withoutSuggestions = (message: string) => message.replace(/\s*Did you mean .*\?$/s, '');

function made(error: unknown, message: string, extensions: Extensions, http?: HttpExtension): GraphQLError {
  const at = error instanceof GraphQLError ? error : undefined;
  // An error inside the data is an answer like any other; one instead of data decides the whole status.
  const status =
    at?.path === undefined ? (http ?? { status: errorCatalogue[extensions.code].http }) : undefined;
  return new GraphQLError(message, {
    nodes: at?.nodes ?? null,
    source: at?.source ?? null,
    positions: at?.positions ?? null,
    path: at?.path ?? null,
    extensions: status === undefined ? extensions : withHttp(extensions, status),
  });
}

/** Yoga reads `http`; nobody else is to see it, and websockets send whatever is enumerable. */
const withHttp = (extensions: Extensions, http: HttpExtension): Extensions =>
  Object.defineProperty({ ...extensions }, 'http', { value: http });
