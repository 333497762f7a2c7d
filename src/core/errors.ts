/**
 * The catalogue of errors that a client can receive. Everything that is refused on purpose is one of these. All
 * other errors are masked as INTERNAL and logged with an id, which the client receives.
 *
 * `retryable`: the same request may succeed later.
 * `status`: the HTTP status if the error ends the whole HTTP request (GraphQL over HTTP).
 * `description`: the description of the code in the schema.
 */
export const errorCatalogue = {
  UNAUTHENTICATED: {
    retryable: false,
    status: 401,
    description: 'The request has no token, or the token is invalid, expired or revoked.',
  },
  FORBIDDEN: {
    retryable: false,
    status: 403,
    description: 'The viewer can see the object, but may not do this.',
  },
  NOT_FOUND: {
    retryable: false,
    status: 404,
    description: 'The object does not exist or the viewer may not see it. The error does not say which.',
  },
  BAD_USER_INPUT: {
    retryable: false,
    status: 400,
    description:
      'An argument is not valid. `extensions.field` is its path, and `extensions.limit` the bound that was exceeded, if there is one.',
  },
  CONFLICT: {
    retryable: false,
    status: 409,
    description: 'The current state does not allow this, or another request changed it first.',
  },
  ROOM_FULL: {
    retryable: false,
    status: 409,
    description: 'Every seat of the room is taken, or its waitlist is full.',
  },
  HANDLE_TAKEN: {
    retryable: false,
    status: 409,
    description: 'Another user has this handle, or it is still reserved for them.',
  },
  ALREADY_MEMBER: { retryable: false, status: 409, description: 'The user is already a member of the room.' },
  RATE_LIMITED: {
    retryable: true,
    status: 429,
    description:
      'The viewer sends requests too fast. Try again after `extensions.retryAfterMs` milliseconds.',
  },
  UNAVAILABLE: {
    retryable: true,
    status: 503,
    description:
      'A service that the server depends on does not respond, or the server is too busy. Try again after `extensions.retryAfterMs` milliseconds.',
  },
  INTERNAL: {
    retryable: false,
    status: 500,
    description: 'The server has a bug or a fault. Its log has the details under `extensions.errorId`.',
  },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** What a client receives in `extensions` in addition to the code. */
export interface ErrorDetails {
  /** BAD_USER_INPUT: the path of the argument, e.g. `input.body`. */
  field?: string;
  /** BAD_USER_INPUT: the bound that was exceeded, in the field's own unit. */
  limit?: number | string;
  /** RATE_LIMITED, UNAVAILABLE: milliseconds. */
  retryAfterMs?: number;
}

/** An error that the client receives with its message unchanged. */
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
/** The same text for what does not exist, is invisible or malformed, so that no client learns which. */
export const notFound = () => new TsudoiError('NOT_FOUND', 'It does not exist, or you may not see it.');
export const badUserInput = (field: string, message: string, limit?: number | string) =>
  new TsudoiError('BAD_USER_INPUT', message, limit === undefined ? { field } : { field, limit });
export const conflict = (message: string) => new TsudoiError('CONFLICT', message);
/** Milliseconds: the shortest time after which a client is asked to try again, and the longest is twice that. */
const RETRY_MS = 1_000;
/** Random, because the clients of a server that was restarted or overloaded would all come back at the same moment. */
const later = (): ErrorDetails => ({ retryAfterMs: Math.round(RETRY_MS * (1 + Math.random())) });

/** A request that this server refuses for now, although nothing that it needs is down: it is stopping, for example. */
export const unavailable = (cause?: unknown) =>
  new TsudoiError('UNAVAILABLE', 'The service cannot do this right now. Try again.', later(), { cause });

/**
 * The database or the bus does not respond. Only `dynamo/` and `bus/` throw it, so a stream handler that rejects
 * with it waits for the outage to end; any other error counts as a failed attempt.
 */
export class OutageError extends TsudoiError {
  override readonly name = 'OutageError';
  constructor(cause?: unknown) {
    super('UNAVAILABLE', 'The service cannot do this right now. Try again.', later(), { cause });
  }
}

/** Other requests changed the same items each time this one tried. Nothing was written. */
export class ContentionError extends TsudoiError {
  override readonly name: string = 'ContentionError';
  constructor() {
    super('UNAVAILABLE', 'Too many requests are changing this at the same time. Try again.', later());
  }
}

/**
 * The program cannot start, or a command cannot run, for a reason that the operator can correct. The message is one
 * line that says what to change; it is shown without a stack. No client receives it.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** This process has more work waiting than it accepts. Nothing was done. */
export class OverloadError extends TsudoiError {
  override readonly name = 'OverloadError';
  constructor() {
    super('UNAVAILABLE', 'The server is too busy to do this right now. Try again.', later());
  }
}
