/**
 * The catalogue of errors a client can meet. Everything the product refuses deliberately is one of these;
 * whatever else is thrown is masked as INTERNAL, logged with an id, and the id is in the answer.
 *
 * `retryable`: the same request may succeed later without being changed.
 * `http`: the status where the error ends the whole HTTP request (GraphQL over HTTP).
 */
export const errorCatalogue = {
  UNAUTHENTICATED: {
    retryable: false,
    http: 401,
    means: 'There is no token, or it is not (or no longer) good.',
  },
  FORBIDDEN: { retryable: false, http: 403, means: 'You can see it, but may not do this.' },
  NOT_FOUND: { retryable: false, http: 404, means: 'It is not there, or not for you: the same answer.' },
  BAD_USER_INPUT: {
    retryable: false,
    http: 400,
    means: 'An argument is wrong; `extensions.field` and `extensions.limit` say which and by how much.',
  },
  CONFLICT: {
    retryable: false,
    http: 409,
    means: 'Somebody else was first, or the thing is in another state.',
  },
  ROOM_FULL: { retryable: false, http: 409, means: 'Every seat of the room is taken.' },
  HANDLE_TAKEN: { retryable: false, http: 409, means: 'Another person has this handle.' },
  ALREADY_MEMBER: { retryable: false, http: 409, means: 'The person is a member of this room already.' },
  RATE_LIMITED: {
    retryable: true,
    http: 429,
    means: 'Too fast; `extensions.retryAfterMs` says when to try again.',
  },
  UNAVAILABLE: {
    retryable: true,
    http: 503,
    means: 'Something the server needs does not answer. Try again.',
  },
  INTERNAL: {
    retryable: false,
    http: 500,
    means: 'A fault of the server; `extensions.errorId` is in its log.',
  },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** What an error tells a client besides its code and message; it ends up in `extensions`. */
export interface ErrorDetails {
  /** BAD_USER_INPUT: the path of the argument, e.g. `input.body`. */
  field?: string;
  /** BAD_USER_INPUT: the bound that was broken, in the field's own unit. */
  limit?: number | string;
  /** RATE_LIMITED: milliseconds. */
  retryAfterMs?: number;
}

/** A deliberate refusal: its message is shown to the client as it stands. */
export class TsudoiError extends Error {
  override readonly name: string = 'TsudoiError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

export const unauthenticated = (message = 'Sign in first: send a bearer token.') =>
  new TsudoiError('UNAUTHENTICATED', message);
export const forbidden = (message: string) => new TsudoiError('FORBIDDEN', message);
/** One text for everything that is absent, invisible or malformed, so that it tells nobody which. */
export const notFound = () => new TsudoiError('NOT_FOUND', 'There is no such thing, or it is not for you.');
export const badUserInput = (field: string, message: string, limit?: number | string) =>
  new TsudoiError('BAD_USER_INPUT', message, limit === undefined ? { field } : { field, limit });
export const conflict = (message: string) => new TsudoiError('CONFLICT', message);
/** A request that this server refuses for now, although nothing that it needs is down: it is stopping, for example. */
export const unavailable = (cause?: unknown) =>
  new TsudoiError('UNAVAILABLE', 'The service cannot do this right now. Try again.', {}, { cause });

/**
 * The database or the bus does not answer. Only `dynamo/` and `bus/` throw it, so a stream handler that rejects
 * with it waits for the outage to end; any other error counts as a failed attempt.
 */
export class OutageError extends TsudoiError {
  override readonly name = 'OutageError';
  constructor(cause?: unknown) {
    super('UNAVAILABLE', 'The service cannot do this right now. Try again.', {}, { cause });
  }
}

/** Other requests changed the same items each time this one tried. Nothing was written. */
export class ContentionError extends TsudoiError {
  override readonly name: string = 'ContentionError';
  constructor() {
    super('UNAVAILABLE', 'Too many requests are changing this at the same time. Try again.');
  }
}

/** This process has more work waiting than it accepts. Nothing was done. */
export class OverloadError extends TsudoiError {
  override readonly name = 'OverloadError';
  constructor() {
    super('UNAVAILABLE', 'The server is too busy to do this right now. Try again.');
  }
}
