/** What the server says (its `ErrorCode`; codegen makes types of what operations ask for, and none asks for it). */
export type ErrorCode = (typeof CODES)[number];

/** `OFFLINE`: no answer came. Whether it was done is unknown; what has an idempotency key can be sent again. */
export type FailureCode = ErrorCode | 'OFFLINE';

/** Why the server did not do what it was asked for. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: FailureCode;
  /** BAD_USER_INPUT: the bound that was broken. */
  readonly limit: string | undefined;
  /** RATE_LIMITED: milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** INTERNAL: what an operator finds in the server's log. */
  readonly errorId: string | undefined;

  constructor(code: FailureCode, extensions: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    const { limit, retryAfterMs, errorId } = extensions;
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

/** Of several errors the first counts: the others follow from it. */
export function apiErrorOf(errors: readonly GraphQLErrorLike[]): ApiError {
  const extensions = errors[0]?.extensions ?? {};
  return new ApiError(codeOf(extensions.code), extensions);
}

/** Whether the same request may succeed later, unchanged. */
export const isTemporary = (error: ApiError): boolean =>
  ['OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL'].includes(error.code);

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('INTERNAL', {}, { cause: error });
