/** The server's `ErrorCode`. Codegen generates only types that operations select, and none selects this one. */
export type ErrorCode = (typeof CODES)[number];

/** `OFFLINE`: no answer came. Whether the server did the work is unknown; a request with an idempotency key can be sent again. */
export type FailureCode = ErrorCode | 'OFFLINE';

/** Why a request failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: FailureCode;
  /** BAD_USER_INPUT: the argument that is wrong. Undefined if the whole document is. */
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
    const { field, limit, retryAfterMs, errorId } = extensions;
    this.field = typeof field === 'string' ? field : undefined;
    this.limit = typeof limit === 'number' || typeof limit === 'string' ? String(limit) : undefined;
    this.retryAfterMs = typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
    this.errorId = typeof errorId === 'string' ? errorId : undefined;
  }
}

const CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'ROOM_FULL',
  'HANDLE_TAKEN',
  'ALREADY_MEMBER',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL',
] as const;

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
