import { type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { makeServer, type ServerOptions, type SubscribePayload } from 'graphql-ws';
import { TsudoiError, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Metrics } from '../../core/metrics.ts';
import { type AnonymousLimit, isUnauthenticated, tooMany } from '../access/anonymous.ts';
import { type Authenticator, bearerToken, type Identity } from '../access/auth.ts';
import { clientError } from '../graphql/clientError.ts';
import type { Operation } from '../graphql/operation.ts';
import type { Outcomes } from '../graphql/plugins/useOutcomes.ts';
import type { PushResult, SubscribeArgs } from '../graphql/plugins/useSubscribe.ts';
import type { Yoga } from '../graphql/yoga.ts';
import type { Limits } from '../limits.ts';
import { CloseCode } from './closeCodes.ts';
import type { Connection } from './connection.ts';

/** What is known of one websocket while its operations run. */
export interface Session {
  /** Of the upgrade request; its operations' ids begin with it. */
  readonly requestId: string;
  readonly acceptLanguage: string | undefined;
  /** Where it comes from. */
  readonly network: string;
  readonly close: Connection['close'];
  /** For the results of subscriptions, which do not pass through graphql-ws. */
  readonly sendParts: Connection['sendParts'];
  /** Null until a good token came with `connection_init`, and where none did. */
  identity: Identity | null;
  /** Operations so far. */
  count: number;
  /** Operations under way, those that their client has completed included. */
  underWay: number;
  /** Queries and mutations that have not been answered. */
  readonly running: Set<Promise<unknown>>;
  readonly subscriptions: Set<SubscribePayload>;
  /** No new operations: the server is stopping. */
  draining: boolean;
  closed: boolean;
  /** Closes the websocket when the token expires. */
  expiry: NodeJS.Timeout | undefined;
}

export interface SocketOperationsOptions {
  readonly yoga: Yoga;
  readonly authenticator: Authenticator;
  /** As `ServerOptions` says. */
  readonly anonymous?: AnonymousLimit;
  readonly limits: Limits;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly outcomes: Outcomes;
}

type Extra = { readonly session: Session };
type Enveloped = ReturnType<Yoga['getEnveloped']>;
/** Yoga's functions are bound to one operation, so they travel with its arguments. */
type Executable = SubscribeArgs & Extra & Pick<Enveloped, 'execute' | 'subscribe'>;

/** The protocol's server (graphql-ws), with Yoga's pipeline inside: both transports have the same rules. */
export function createSocketOperations(options: SocketOperationsOptions) {
  const { yoga, authenticator, anonymous, limits, log, metrics, outcomes } = options;

  const operationOf = (session: Session): Operation => ({
    transport: 'websocket',
    requestId: `${session.requestId}-${++session.count}`,
    acceptLanguage: session.acceptLanguage,
    startedAt: performance.now(),
    identify: () => session.identity,
  });

  /** Throws RATE_LIMITED. */
  async function chargeNobody({ network }: Session): Promise<void> {
    const waitMs = (await anonymous?.(network)) ?? 0;
    if (waitMs > 0) throw tooMany(waitMs);
  }

  /**
   * Sends the results of one operation. graphql-ws would make an object, its text and a frame for each reader; here
   * the text that many readers share is framed with the operation's id.
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
      try {
        const token = bearerToken(authorizationOf(connectionParams));
        if (token === undefined) return await chargeNobody(session);
        session.identity = await authenticator.verify(token);
        if (!session.closed) closeOnExpiry(session, session.identity.expiresAt);
        return;
      } catch (thrown) {
        const error = isUnauthenticated(thrown)
          ? ((await chargeNobody(session).catch((limited: unknown) => limited)) ?? thrown)
          : thrown;
        if (error instanceof TsudoiError && error.code === 'RATE_LIMITED') {
          session.close(CloseCode.TooManyRequests, 'Too many requests');
        } else if (!isUnauthenticated(error)) {
          session.close(CloseCode.TryAgainLater, 'Try again later');
        }
        return false; // closes with 4403, unless closed already
      }
    },

    async onSubscribe({ extra: { session } }, id, payload) {
      if (session.underWay > limits.operationsPerSocket) {
        session.close(CloseCode.TooManyRequests, 'Too many operations');
        return [new GraphQLError('Too many operations.')];
      }
      const operation = operationOf(session);
      const context = { ...operation, params: payload };
      try {
        if (session.draining) throw unavailable();
        if (session.identity === null) await chargeNobody(session);
        return {
          ...(await prepare(yoga.getEnveloped(context), payload)),
          session,
          push: pushOf(session, id),
        };
      } catch (thrown) {
        const errors = (Array.isArray(thrown) ? thrown : [thrown]).map((error) => clientError(error, log));
        outcomes.record(context, { errors });
        return errors;
      }
    },

    // The arguments are those that `onSubscribe` made.
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
      outcomes.record(contextValue as Operation, isStream ? {} : (result as ExecutionResult));
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

/** Throws a GraphQLError, or an array of them, where the operation is refused before it runs. */
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

/** `authorization`, in whatever case. */
function authorizationOf(connectionParams: Readonly<Record<string, unknown>> = {}): unknown {
  const name = Object.keys(connectionParams).find((key) => key.toLowerCase() === 'authorization');
  return name === undefined ? undefined : connectionParams[name];
}

/** Timers hold 31 bits of milliseconds, not quite 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1;

function closeOnExpiry(session: Session, expiresAt: number | undefined): void {
  if (expiresAt === undefined) return;
  const left = expiresAt * 1_000 - Date.now();
  session.expiry =
    left > TIMER_MAX_MS
      ? setTimeout(() => closeOnExpiry(session, expiresAt), TIMER_MAX_MS)
      : setTimeout(() => session.close(CloseCode.Forbidden, 'The token has expired'), left);
}
