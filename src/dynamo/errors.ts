import { defined } from '../core/defined.ts';
import { ContentionError, OutageError } from '../core/errors.ts';
import type { Item } from './item.ts';

/** DynamoDB refused a request. */
export class ServiceError extends Error {
  /** DynamoDB's name of the error, without its namespace: `ValidationException`. */
  override readonly name: string;
  /** As the SDK's errors have it, because its retry strategy reads it. */
  readonly $metadata: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: true };
  /** The item that is stored, if the condition of a single write did not hold. */
  readonly item: Item | undefined;
  /** Why a transaction was cancelled: a reason for each of its writes, in order. Empty for other errors. */
  readonly reasons: readonly CancellationReason[];

  constructor(name: string, message: string, details: ServiceErrorDetails) {
    super(message, { cause: details.cause });
    this.name = name;
    this.$metadata = {
      ...defined({ httpStatusCode: details.status }),
      ...(details.clockSkewCorrected === true ? { clockSkewCorrected: true } : {}),
    };
    this.item = details.item;
    this.reasons = details.reasons ?? [];
  }
}

export interface CancellationReason {
  readonly code: string | undefined;
  /** The item that is stored, if the write's condition did not hold. */
  readonly item: Item | undefined;
}

interface ServiceErrorDetails {
  /** The status of the HTTP response. */
  readonly status: number | undefined;
  readonly item?: Item | undefined;
  readonly reasons?: readonly CancellationReason[];
  /** The request was signed with a wrong time; the next attempt will not be. */
  readonly clockSkewCorrected?: boolean;
  readonly cause?: unknown;
}

/** The condition of a single write did not hold. `item` is what is stored under the key, if anything is. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly item: Item | undefined;
  constructor(item: Item | undefined) {
    super('A condition did not hold.');
    this.item = item;
  }
}

/** Awaits a write with a condition that may fail without being an error. Undefined if it did not hold. */
export async function ifConditionHolds<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** One or more conditions of a transaction did not hold. Nothing of it was written. */
export class ConditionsFailed extends Error {
  override readonly name = 'ConditionsFailed';
  /** For each write, in order: undefined if its condition held, otherwise the item that is stored. */
  readonly failed: ReadonlyArray<{ readonly item: Item | undefined } | undefined>;
  constructor(failed: ReadonlyArray<{ readonly item: Item | undefined } | undefined>) {
    super(`Conditions did not hold: ${failed.flatMap((f, i) => (f === undefined ? [] : [i])).join(', ')}.`);
    this.failed = failed;
  }
}

/** Other transactions were changing the same items on every attempt. Nothing was written. */
export class TransactionConflicted extends ContentionError {
  override readonly name = 'TransactionConflicted';
}

const RETRYABLE = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'Throttling',
  'RequestLimitExceeded',
  'LimitExceededException',
  'InternalServerError',
  'InternalServerErrorException',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'InternalFailure',
  'TransactionInProgressException',
  'TimeoutError',
  'AbortError',
  'RequestTimeout',
  'NetworkingError',
  'ChecksumMismatch',
  'CredentialsProviderError',
]);
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Whether DynamoDB could not respond. A response that refuses the request is not an outage. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (RETRYABLE.has(error.name)) return true;
  if ('code' in error && typeof error.code === 'string' && NETWORK.has(error.code)) return true;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isOutage);
  const meta = '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }) : undefined;
  if (meta?.httpStatusCode !== undefined && meta.httpStatusCode >= 500) return true;
  // The response is not in DynamoDB's format: it came from a proxy, or from a server that is shutting down.
  return error.name === 'SyntaxError' || ('cause' in error && isOutage(error.cause));
}

/** Turns an error of a transport that means an outage into `OutageError`. Returns all other errors unchanged. */
export const mapError = (error: unknown): unknown => (isOutage(error) ? new OutageError(error) : error);

const REFUSES_PROCESS = new Set([
  'AccessDeniedException',
  'ExpiredTokenException',
  'IncompleteSignatureException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
]);
/** Errors of the key that encrypts the table. */
const KEY_MANAGEMENT = /^KMS/;

const refusesProcess = (error: unknown): error is Error =>
  error instanceof Error && (REFUSES_PROCESS.has(error.name) || KEY_MANAGEMENT.test(error.name));

/**
 * Why DynamoDB refuses the process, if this error says so: it is about the credentials, the permissions, the key or the
 * table, so other requests would be refused as well. Nothing may be given up because of it, as in an outage: a change,
 * for example, would become a dead letter that cannot be stored. So `dynamo.ts` turns it into an `OutageError`, and this
 * also finds it there.
 */
export const refusalIn = (error: unknown): Error | undefined =>
  [error, error instanceof OutageError ? error.cause : undefined].find(refusesProcess);
