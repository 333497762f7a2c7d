import type { ConflictReason, ErrorCode } from '../generated/graphql.ts';

export type { ErrorCode } from '../generated/graphql.ts';

/**
 * `OFFLINE`: no answer came. Whether the server did the work is unknown; a request with an idempotency key can be sent
 * again.
 */
export type FailureCode = ErrorCode | 'OFFLINE';

/** Why a request failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: FailureCode;
  /** CONFLICT: why, if this release of the client knows it. */
  readonly reason: ConflictReason | undefined;
  /** BAD_USER_INPUT: the first argument that is wrong. */
  readonly field: string | undefined;
  /** BAD_USER_INPUT: the limit that was exceeded. */
  readonly limit: string | undefined;
  /** RATE_LIMITED: when to send the request again, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** INTERNAL: the id of the error in the server's log. */
  readonly errorId: string | undefined;

  constructor(code: FailureCode, extensions: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    const { reason, field, limit, retryAfterMs, errorId } = extensions;
    this.reason = REASONS.find((known) => known === reason);
    this.field = typeof field === 'string' ? field : undefined;
    this.limit = typeof limit === 'number' || typeof limit === 'string' ? String(limit) : undefined;
    this.retryAfterMs = typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
    this.errorId = typeof errorId === 'string' ? errorId : undefined;
  }
}

const REASONS = allOf<ConflictReason>({
  BANNED: true,
  LAST_OWNER: true,
  TOO_MANY_ROOMS: true,
  USER_IN_TOO_MANY_ROOMS: true,
  CAPACITY_BELOW_MEMBERS: true,
  DELETED: true,
  THREAD_CLOSED: true,
  EDITED_MEANWHILE: true,
  VERSION_CHANGED: true,
  COUNT_CHANGED: true,
  KEY_REUSED: true,
  ALREADY_STAMPED: true,
  LIMIT_REACHED: true,
  BLOCKED: true,
});

const CODES = allOf<ErrorCode>({
  UNAUTHENTICATED: true,
  ACCOUNT_DELETED: true,
  FORBIDDEN: true,
  NOT_FOUND: true,
  BAD_USER_INPUT: true,
  GRAPHQL_VALIDATION_FAILED: true,
  CONFLICT: true,
  ROOM_FULL: true,
  HANDLE_TAKEN: true,
  ALREADY_MEMBER: true,
  PERSISTED_QUERY_NOT_SUPPORTED: true,
  RATE_LIMITED: true,
  UNAVAILABLE: true,
  INTERNAL: true,
});

/** The compiler refuses a list that misses one. */
function allOf<Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] {
  return Object.keys(names) as Name[];
}

const codeOf = (code: unknown): ErrorCode => CODES.find((known) => known === code) ?? 'INTERNAL';

interface GraphQLErrorLike {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Uses the first of several errors: the others usually follow from it. */
export function apiErrorOf(errors: readonly GraphQLErrorLike[]): ApiError {
  const extensions = errors[0]?.extensions ?? {};
  return new ApiError(codeOf(extensions.code), extensions);
}

/** Whether the same request may succeed if it is sent again later. */
export const isTemporary = (error: ApiError): boolean =>
  ['OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL'].includes(error.code);

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('INTERNAL', {}, { cause: error });
