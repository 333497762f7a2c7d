import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  subscribe as graphqlSubscribe,
  type OperationTypeNode,
} from 'graphql';
import { TsudoiError, unauthenticated, unavailable } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import type { Log } from '../../core/log.ts';
import { type Holder, holderOfPlace, type UserUsage } from '../../core/rateLimits.ts';
import type {
  Answer,
  Payload,
  SubscribeArgs,
  Subscribed,
  SubscribeMiddleware,
} from '../../core/subscribe.ts';
import type { Tracer } from '../../core/trace.ts';
import { asWork, endSpan, type Work } from '../../core/work.ts';
import type { CompileQuery } from '../../core/writeData.ts';
import type { ServerLimits } from '../limits.ts';
import type { MemoryWatch } from '../memory.ts';
import { LEAST_OBJECTS, objectsOfDocument } from './charges.ts';
import { clientError } from './clientError.ts';
import { createCompiledExecution } from './compiledExecution.ts';
import type { Operation } from './operation.ts';
import type { Cost, Variables } from './operationCost.ts';
import type { RecordOperation } from './operationMetrics.ts';
import {
  createPrepare,
  type Prepare,
  type PreparedOperation,
  type PrepareOptions,
  RefusedDocument,
} from './preparedOperations.ts';
import { isLongerThan } from './resultLength.ts';

/** Creates the context of the resolvers, once for each operation. All events of a subscription share it. */
export type ContextFactory = (
  identity: Identity | null,
  extra: { readonly requestId: string; readonly acceptLanguage?: string },
) => Promise<object>;

/** A prepared operation with its variables and its context: what GraphQL executes. */
export interface RunnableOperation extends ExecutionArgs {
  readonly operation: Operation;
  readonly type: OperationTypeNode;
  readonly cost: Cost;
  readonly holder: Holder;
  readonly work: Work;
}

export interface EngineOptions {
  readonly schema: GraphQLSchema;
  readonly context: ContextFactory;
  readonly introspection: boolean;
  readonly limits: ServerLimits;
  readonly log: Log;
  readonly record: RecordOperation;
  readonly usage: UserUsage;
  /** See `ServerOptions`. */
  readonly signedInOnly?: boolean;
  /** See `ServerOptions`. */
  readonly memory?: Pick<MemoryWatch, 'isLow'>;
  /** Called for each operation that is refused because little memory is left. */
  readonly onLowMemory?: () => void;
  /** See `PrepareOptions`. */
  readonly onDocuments?: PrepareOptions['onCache'];
  /** See `ServerOptions`. */
  readonly subscribe?: SubscribeMiddleware;
  /** See `ServerOptions`. */
  readonly compile?: CompileQuery;
  /** See `ServerOptions`. */
  readonly tracer?: Tracer;
}

/**
 * Runs GraphQL operations, the same for all transports: `prepare`, `begin`, then `execute` or `subscribe`. What the
 * first two throw becomes a result by `refuse`. Each operation is counted once, when it is refused, executed or
 * subscribed. Every error that leaves the engine is one that a client may see.
 */
export interface Engine {
  /**
   * Parses, limits and validates the document, once for each document. A new one counts as objects that its sender has
   * read: throws RATE_LIMITED.
   */
  readonly prepare: Prepare;
  /** Counts work as objects that were read. Throws RATE_LIMITED. */
  charge(holder: Holder, objects: number): void;
  /**
   * Checks the cost, then the identity, the memory that is left, and what the user has read lately. Throws
   * GRAPHQL_VALIDATION_FAILED, UNAUTHENTICATED, UNAVAILABLE and RATE_LIMITED.
   */
  begin(prepared: PreparedOperation, variables: Variables, operation: Operation): Promise<RunnableOperation>;
  /**
   * The result of a query or mutation, with its cost in `extensions.cost`, so the author of a query sees how far from
   * the limit it is.
   */
  execute(runnable: RunnableOperation): Promise<ExecutionResult>;
  /** The same, as JSON if the result could be written without making its objects. */
  executeAsText(runnable: RunnableOperation): Promise<Answer>;
  /** The events do not repeat the cost; the error that refuses a subscription for its cost has it. */
  subscribe(runnable: RunnableOperation & Pick<SubscribeArgs, 'push'>): Promise<Subscribed>;
  /** The result of an operation that ends with `error` before it runs. `type`: if its document was read. */
  refuse(error: unknown, operation: Operation, type?: OperationTypeNode): RefusedOperation;
  /** The error as a client may see it. */
  maskError(error: unknown): GraphQLError;
  /** The JSON of a result, with the errors as a client may see them. */
  textOf(result: Payload | Answer): Buffer;
}

export interface RefusedOperation {
  readonly errors: readonly GraphQLError[];
}

export function createEngine(options: EngineOptions): Engine {
  const { schema, context, introspection, limits, log, usage, subscribe, signedInOnly, memory, onLowMemory } =
    options;
  const prepare = createPrepare({
    schema,
    introspection,
    limits: limits.document,
    onNew: (holder, { length }) => charge(holder, objectsOfDocument(length)),
    onCache: options.onDocuments,
    ...(signedInOnly === true
      ? { anonymousLimits: { ...limits.document, ...limits.anonymousDocument } }
      : {}),
  });
  const execute = createCompiledExecution({ schema, compile: options.compile ?? (() => undefined) });

  function checkedCost({ costOf, type }: PreparedOperation, variables: Variables): Cost {
    const { objects: ofResult, eventObjects } = limits.document;
    const limit = type === 'subscription' ? eventObjects : ofResult;
    const objects = costOf(variables);
    if (objects <= limit) return { objects, limit };
    throw new GraphQLError(
      `The document asks for more than ${limit} objects: ${objects} if all pages are full. Ask for smaller pages.`,
      { extensions: { code: 'GRAPHQL_VALIDATION_FAILED', limit, cost: { objects, limit } } },
    );
  }

  function charge(holder: Holder, objects: number): void {
    const retryAfterMs = usage.read(holder, objects);
    if (retryAfterMs === 0) return;
    const message =
      'You have asked for too much in a short time. Try again in a moment, or ask for smaller pages.';
    throw new TsudoiError('RATE_LIMITED', message, { retryAfterMs });
  }

  const maskError = (error: unknown) => clientError(error, log);

  const masking: Masking = {
    next: (next) => (next.done === true ? next : { done: false, value: mask(next.value) }),
    fail(error) {
      throw maskError(error);
    },
  };

  function mask(result: ExecutionResult): ExecutionResult {
    const { errors } = result;
    return errors === undefined ? result : { ...result, errors: errors.map(maskError) };
  }

  function refuse(error: unknown, operation: Operation, type?: OperationTypeNode): RefusedOperation {
    const refused = error instanceof RefusedDocument ? error : { errors: [error], type };
    const result = { errors: refused.errors.map(maskError) };
    record(operation, refused.type, result);
    if (!isFault(codeOf(result))) operation.onRefused?.();
    return result;
  }

  const record: RecordOperation = (operation, type, result, span) => {
    options.record(operation, type, result, span);
    if (codeOf(result) === 'RATE_LIMITED') operation.onRefused?.();
  };

  async function executeAsText(runnable: RunnableOperation): Promise<Answer> {
    const { operation, type, cost, holder, work } = runnable;
    const finished = operation.hasPlace === true ? () => {} : usage.take('operations', holderOfPlace(holder));
    if (finished === undefined) return refuse(tooManyAtOnce(), operation, type);
    try {
      const run = () => execute(runnable, { onAgain: () => usage.read(holder, cost.objects) });
      const executed = await asWork(work, run);
      const { resultChars } = limits;
      if ('dataText' in executed) {
        if (executed.dataText.length > resultChars) return refuse(tooLong(resultChars), operation, type);
        record(operation, type, {}, work.span?.id);
        return `{"data":${executed.dataText},"extensions":{"cost":{"objects":${cost.objects},"limit":${cost.limit}}}}`;
      }
      const { extensions, ...result } = mask(executed);
      if (isLongerThan(result.data, resultChars)) return refuse(tooLong(resultChars), operation, type);
      work.span?.set({ code: codeOf(result) });
      record(operation, type, result, work.span?.id);
      return { ...result, extensions: extensions === undefined ? { cost } : { ...extensions, cost } };
    } finally {
      finished();
      work.span?.end();
    }
  }

  return {
    prepare,
    maskError,
    charge,

    async begin(prepared, variables, operation) {
      const { document, operationName, type, pattern } = prepared;
      const cost = checkedCost(prepared, variables);
      const { identify, network, requestId, acceptLanguage } = operation;
      const identifying = identify();
      const identity = identifying instanceof Promise ? await identifying : identifying;
      if (identity === null && signedInOnly === true && prepared.selectsData) throw unauthenticated();
      const isLarge = type === 'subscription' || cost.objects > limits.document.eventObjects;
      if (isLarge && memory?.isLow() === true) {
        onLowMemory?.();
        throw unavailable();
      }
      const holder: Holder = { user: identity?.sub ?? null, network };
      charge(holder, Math.max(cost.objects, LEAST_OBJECTS[type]));
      const attributes = { transport: operation.transport, type, requestId };
      const span = options.tracer?.begin(pattern, { attributes });
      const work: Work = { user: identity?.sub, pattern, span };
      const extra = { requestId, ...(acceptLanguage === undefined ? {} : { acceptLanguage }) };
      const creating = asWork(work, () => context(identity, extra));
      if (span !== undefined) creating.catch((error: unknown) => span.end(error));
      const contextValue = await creating;
      const variableValues = variables ?? null;
      return {
        schema,
        document,
        operationName,
        variableValues,
        contextValue,
        operation,
        type,
        cost,
        holder,
        work,
      };
    },

    async execute(runnable) {
      const answer = await executeAsText(runnable);
      return typeof answer === 'string' ? (JSON.parse(answer) as ExecutionResult) : answer;
    },
    executeAsText,

    async subscribe(runnable) {
      const { operation, type, work } = runnable;
      const subscribed = await asWork(
        work,
        () => subscribe?.(runnable, graphqlSubscribe) ?? graphqlSubscribe(runnable),
      );
      const span = work.span?.id;
      // What it sends later is not part of it.
      endSpan(work);
      if (Symbol.asyncIterator in subscribed) {
        record(operation, type, {}, span);
        return new MaskedStream(subscribed, masking);
      }
      const result = mask(subscribed);
      record(operation, type, result, span);
      return result;
    },

    refuse,

    textOf(result) {
      if (Buffer.isBuffer(result)) return result;
      if (typeof result === 'string') return Buffer.from(result);
      const { errors, ...rest } = result;
      const masked = errors?.map((error) => maskError(error).toJSON());
      return Buffer.from(JSON.stringify(masked === undefined ? rest : { ...rest, errors: masked }));
    },
  };
}

/** Not the client's. */
const isFault = (code: string): boolean => code === 'UNAVAILABLE' || code === 'INTERNAL';

const codeOf = ({ errors }: Pick<ExecutionResult, 'errors'>): string =>
  String(errors?.[0]?.extensions.code ?? 'OK');

const tooLong = (limit: number) =>
  new GraphQLError(`The result is longer than ${limit} characters. Ask for smaller pages.`, {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', limit },
  });

/** After one operation of usual length has ended. */
const AGAIN_MS = 500;

export const tooManyAtOnce = () =>
  new TsudoiError('RATE_LIMITED', 'Too many of your operations are running. Try again in a moment.', {
    retryAfterMs: AGAIN_MS,
  });

/**
 * The results of a subscription without what a client may not see. A class, because a server holds two for each socket.
 */
class MaskedStream implements AsyncIterableIterator<ExecutionResult> {
  readonly #results: AsyncIterator<ExecutionResult>;
  readonly #masking: Masking;

  constructor(stream: AsyncIterable<ExecutionResult>, masking: Masking) {
    this.#results = stream[Symbol.asyncIterator]();
    this.#masking = masking;
  }

  /** Not an async function: what that holds while it waits would be held for each open subscription. */
  next(): Promise<IteratorResult<ExecutionResult>> {
    return this.#results.next().then(this.#masking.next, this.#masking.fail);
  }

  /** At once, although `next` may wait for the source: not an async generator, which would wait for it. */
  async return(): Promise<IteratorResult<ExecutionResult>> {
    return (await this.#results.return?.()) ?? { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/**
 * The handlers of a stream's `next`. All streams share them: a `next` that waits keeps its handlers as long as the
 * stream is open.
 */
interface Masking {
  readonly next: (next: IteratorResult<ExecutionResult>) => IteratorResult<ExecutionResult>;
  readonly fail: (error: unknown) => never;
}
