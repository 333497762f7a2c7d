import { type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { makeServer, type ServerOptions, type SubscribePayload } from 'graphql-ws';
import { unavailable } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import type { Log } from '../../core/log.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { AnonymousLimit } from '../../core/rateLimits.ts';
import type { PushResult, SubscribeArgs } from '../../core/subscribe.ts';
import { chargeAnonymous, isUnauthenticated } from '../access/anonymous.ts';
import { type Authenticator, bearerToken } from '../access/auth.ts';
import { clientError } from '../graphql/clientError.ts';
import type { Operation } from '../graphql/operation.ts';
import type { OperationMetrics } from '../graphql/plugins/useOperationMetrics.ts';
import type { Yoga } from '../graphql/yoga.ts';
import type { ServerLimits } from '../limits.ts';
import { CloseCode } from './closeCodes.ts';
import type { Connection } from './connection.ts';

/** The state of one websocket. */
export interface Session {
  /** The id of the upgrade request. The ids of its operations begin with it. */
  readonly requestId: string;
  readonly acceptLanguage: string | undefined;
  /** See `networkOf`. */
  readonly network: string;
  readonly close: Connection['close'];
  /** For the results of subscriptions, which do not pass through graphql-ws. */
  readonly sendParts: Connection['sendParts'];
  /** Null before `connection_init`, and if it had no valid token. */
  identity: Identity | null;
  /** The number of operations since the websocket was opened. */
  count: number;
  /** The number of operations that have not ended, including those that the client has completed. */
  active: number;
  /** The queries and mutations that are not answered yet. */
  readonly running: Set<Promise<unknown>>;
  readonly subscriptions: Set<SubscribePayload>;
  /** The server is stopping: new operations are refused. */
  draining: boolean;
  closed: boolean;
  /** Closes the websocket when the token expires. */
  expiry: NodeJS.Timeout | undefined;
}

export interface SocketOperationsOptions {
  readonly yoga: Yoga;
  readonly authenticator: Authenticator;
  /** See `ServerOptions`. */
  readonly anonymous?: AnonymousLimit;
  readonly limits: ServerLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly operationMetrics: OperationMetrics;
}

type Extra = { readonly session: Session };
type Enveloped = ReturnType<Yoga['getEnveloped']>;
/** Yoga's functions belong to one operation, so they are passed along with its arguments. */
type Executable = SubscribeArgs & Extra & Pick<Enveloped, 'execute' | 'subscribe'>;

/** The server of the protocol (graphql-ws). It runs operations in Yoga's pipeline, so HTTP has the same rules. */
export function createSocketOperations(options: SocketOperationsOptions) {
  const { yoga, authenticator, anonymous, limits, log, metrics, operationMetrics } = options;

  const operationOf = (session: Session): Operation => ({
    transport: 'websocket',
    requestId: `${session.requestId}-${++session.count}`,
    acceptLanguage: session.acceptLanguage,
    startedAt: performance.now(),
    identify: () => session.identity,
  });

  /**
   * Sends the results of one operation. graphql-ws would create an object, its text and a frame for each reader. This
   * puts the text that many readers share into a frame with the operation's id.
   */
  function pushOf({ sendParts }: Session, id: string): PushResult {
    const head = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    return (result) => sendParts([head, Buffer.isBuffer(result) ? result : textOf(result), TAIL]);
  }

  function textOf({ errors, ...result }: ExecutionResult): Buffer {
    const masked = errors?.map((error) => clientError(error, log).toJSON());
    return Buffer.from(JSON.stringify(masked === undefined ? result : { ...result, errors: masked }));
  }

  const server: ServerOptions<Record<string, unknown>, Extra> = {
    connectionInitWaitTimeout: limits.initMs,

    async onConnect({ connectionParams, extra: { session } }) {
      /** Whether the network may open a websocket without a valid token. Closes it otherwise. */
      const isWithinLimit = async () => {
        const refusal = await chargeAnonymous(anonymous, session.network);
        if (refusal !== undefined) session.close(CloseCode.TooManyRequests, 'Too many requests');
        return refusal === undefined;
      };
      try {
        const token = bearerToken(authorizationOf(connectionParams));
        if (token === undefined) return await isWithinLimit();
        session.identity = await authenticator.verify(token);
        if (!session.closed) closeOnExpiry(session, session.identity.expiresAt);
        return true;
      } catch (error) {
        if (isUnauthenticated(error)) await isWithinLimit();
        else session.close(CloseCode.TryAgainLater, 'Try again later');
        return false; // graphql-ws closes it with 4403, unless it is closed already.
      }
    },

    async onSubscribe({ extra: { session } }, id, payload) {
      if (session.active > limits.operationsPerSocket) {
        session.close(CloseCode.TooManyRequests, 'Too many operations');
        return [new GraphQLError('Too many operations.')];
      }
      const operation = operationOf(session);
      const context = { ...operation, params: payload };
      try {
        if (session.draining) throw unavailable();
        if (session.identity === null) {
          const refusal = await chargeAnonymous(anonymous, session.network);
          if (refusal !== undefined) throw refusal;
        }
        return {
          ...(await prepare(yoga.getEnveloped(context), payload)),
          session,
          push: pushOf(session, id),
        };
      } catch (thrown) {
        const errors = (Array.isArray(thrown) ? thrown : [thrown]).map((error) => clientError(error, log));
        operationMetrics.record(context, { errors });
        return errors;
      }
    },

    // The arguments are those that `onSubscribe` returned.
    execute(args) {
      const { execute, session } = args as Executable;
      const result = Promise.resolve(execute(args));
      session.running.add(result);
      const settled = () => session.running.delete(result);
      result.then(settled, settled);
      return result;
    },
    subscribe: (args) => (args as Executable).subscribe(args),

    onOperation({ extra: { session } }, _id, payload, { contextValue }, result) {
      const isStream = Symbol.asyncIterator in result;
      operationMetrics.record(contextValue as Operation, isStream ? {} : (result as ExecutionResult));
      if (!isStream) return;
      session.subscriptions.add(payload);
      metrics.openSubscriptions.inc();
    },

    onComplete({ extra: { session } }, _id, payload) {
      if (session.subscriptions.delete(payload)) metrics.openSubscriptions.dec();
    },

    onClose({ extra: { session } }) {
      session.closed = true;
      clearTimeout(session.expiry);
    },
  };
  return makeServer(server);
}

const TAIL = Buffer.from('}');

/** Throws a GraphQLError, or an array of them, if the operation is refused before it runs. */
async function prepare(enveloped: Enveloped, payload: SubscribePayload) {
  const { schema, parse, validate, contextFactory, execute, subscribe } = enveloped;
  const document = parse(payload.query);
  const errors = validate(schema, document);
  if (errors.length > 0) throw errors;
  if (getOperationAST(document, payload.operationName) == null) {
    throw new GraphQLError('The document has no such operation, or several and none is named.');
  }
  return {
    schema,
    document,
    operationName: payload.operationName,
    variableValues: payload.variables,
    contextValue: await contextFactory(),
    execute,
    subscribe,
  };
}

/** The value of `authorization`, in upper or lower case. */
function authorizationOf(connectionParams: Readonly<Record<string, unknown>> = {}): unknown {
  const name = Object.keys(connectionParams).find((key) => key.toLowerCase() === 'authorization');
  return name === undefined ? undefined : connectionParams[name];
}

/** The longest timer: 31 bits of milliseconds, almost 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1;

function closeOnExpiry(session: Session, expiresAt: number | undefined): void {
  if (expiresAt === undefined) return;
  const left = expiresAt * 1_000 - Date.now();
  session.expiry =
    left > TIMER_MAX_MS
      ? setTimeout(() => closeOnExpiry(session, expiresAt), TIMER_MAX_MS)
      : setTimeout(() => session.close(CloseCode.Forbidden, 'The token has expired'), left);
}
