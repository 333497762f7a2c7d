import { defined } from './defined.ts';

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
  ACCOUNT_DELETED: {
    retryable: false,
    status: 403,
    description:
      'The account was deleted. Tokens of its subject are refused, also new ones, until an operator opens the account again.',
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
      'Values of the request are not valid. `extensions.fields` lists each of them: the `field`, which is the path of the argument, the `min` and `max` that it may have, if there are such bounds, and a `message`. `extensions.field` and `extensions.limit` are those of the first.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    retryable: false,
    status: 400,
    description:
      'The program that sent the request made a mistake, not its user: the request is malformed, or the document is not GraphQL, does not fit the schema, or exceeds a limit (`extensions.limit`).',
  },
  CONFLICT: {
    retryable: false,
    status: 409,
    description:
      'The current state does not allow this, or another request changed it first. `extensions.reason` says why: a `ConflictReason`.',
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
  PERSISTED_QUERY_NOT_SUPPORTED: {
    retryable: false,
    // Clients that ask for persisted queries read it from a response that succeeded.
    status: 200,
    description:
      'The request names a persisted query. Send the text of the query instead. Clients that use persisted queries do so by themselves.',
  },
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

/**
 * Why the current state does not allow a request, with the descriptions in the schema. Each has its own words in a
 * client.
 */
export const conflictReasons = {
  BANNED: 'The other user is banned from the room.',
  LAST_OWNER: 'The user is the last owner of the room. Another member has to become an owner first.',
  TOO_MANY_ROOMS: 'The viewer is in the maximum number of rooms.',
  USER_IN_TOO_MANY_ROOMS: 'Another user of the request is in the maximum number of rooms.',
  CAPACITY_BELOW_MEMBERS: 'The room has more members than the new capacity.',
  DELETED: 'The message is deleted.',
  THREAD_CLOSED: 'The thread accepts no replies, because its root is deleted.',
  EDITED_MEANWHILE: 'Another edit replaced the text that this one is based on.',
  VERSION_CHANGED: 'Another request changed it first: it has another version by now.',
  COUNT_CHANGED: 'The number of messages with this tag has changed.',
  KEY_REUSED: 'The idempotency key was used for another message.',
  ALREADY_STAMPED: 'The viewer has put this stamp on the message before.',
  BLOCKED: 'The viewer has blocked the other user.',
  LIMIT_REACHED: 'The maximum number is reached, for example of stamps on a message.',
} as const;

export type ConflictReason = keyof typeof conflictReasons;

/** A value of a request that is not valid. */
export interface WrongField {
  /** The path of the argument, e.g. `input.body`. */
  readonly field: string;
  /** The least and the most that it may be or have, in the field's own unit, if there are such bounds. */
  readonly min?: number;
  readonly max?: number;
  /** A sentence that names the field. */
  readonly message: string;
}

/** What a client receives in `extensions` in addition to the code. */
export interface ErrorDetails {
  /** BAD_USER_INPUT: the path of the argument, e.g. `input.body`. */
  field?: string;
  /** BAD_USER_INPUT: the bound that was exceeded, in the field's own unit. */
  limit?: number;
  /** BAD_USER_INPUT: all fields that are wrong. The two above are those of the first. */
  fields?: readonly WrongField[];
  /** CONFLICT. */
  reason?: ConflictReason;
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
/** One text for everything that can be wrong with a token. */
export const invalidToken = () => unauthenticated('The token is invalid, expired or revoked. Sign in again.');
export const accountDeleted = () =>
  new TsudoiError('ACCOUNT_DELETED', 'This account was deleted. Only an operator can open it again.');
export const forbidden = (message: string) => new TsudoiError('FORBIDDEN', message);
/** The same text for what does not exist, is invisible or malformed, so that no client learns which. */
export const notFound = () => new TsudoiError('NOT_FOUND', 'It does not exist, or you may not see it.');
/** One field is wrong. `max`: the most that it may be or have. */
export const badUserInput = (field: string, message: string, max?: number) =>
  wrongFields([{ field, ...defined({ max }), message }]);
/** `fields` has at least one. The message is that of the first, and `limit` the bound that it exceeds. */
export function wrongFields(fields: readonly WrongField[], limit?: number): TsudoiError {
  const [{ field, min, max, message } = { field: '', message: 'A value is not allowed.' }] = fields;
  const exceeded = limit ?? max ?? min;
  return new TsudoiError('BAD_USER_INPUT', message, {
    field,
    ...defined({ limit: exceeded }),
    fields,
  });
}
export const conflict = (reason: ConflictReason, message: string) =>
  new TsudoiError('CONFLICT', message, { reason });
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
