import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { TsudoiError, unavailable } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { GiveBack, Holder, UserUsage } from '../../core/rateLimits.ts';
import type { Answer, Payload } from '../../core/subscribe.ts';
import { whenExpired } from '../access/tokenExpiry.ts';
import { createCorking } from '../corking.ts';
import { CONNECTION_OBJECTS } from '../graphql/charges.ts';
import { isRefusedRequest } from '../graphql/clientError.ts';
import type { Engine } from '../graphql/engine.ts';
import { prepareHttpOperation } from '../graphql/httpOperation.ts';
import { GRAPHQL_JSON, responseTo } from '../graphql/httpResponse.ts';
import type { Operation } from '../graphql/operation.ts';
import type { PreparedOperation } from '../graphql/preparedOperations.ts';
import { fromQueryString, type RequestParams, readParams } from '../graphql/requestParams.ts';
import { holdUnsent, holdUntilClosed } from '../graphql/unsentResult.ts';
import type { BaseHeaders } from '../http/httpListener.ts';
import type { ServerLimits } from '../limits.ts';
import { createPings } from '../pings.ts';
import { EventStream } from './eventStream.ts';

export interface EventStreamsOptions {
  readonly engine: Engine;
  readonly usage: UserUsage;
  readonly limits: ServerLimits;
  readonly metrics: Metrics;
}

/** One request for an event stream. */
export interface EventsRequest {
  /** A GET, or a POST of JSON. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: BaseHeaders;
  readonly operation: Operation;
  readonly holder: Holder;
  /** Gives back the place of an operation that the request has until its response is closed. */
  readonly giveBack: GiveBack;
  /** Resolves when the response may be sent: later if it is one of many refusals. */
  readonly mayRespond: () => Promise<void>;
}

export interface EventStreams {
  /** Runs the operation of the request, and sends its results as events. Resolves when it has ended. */
  serve(request: EventsRequest): Promise<void>;
  /** Ends the subscriptions of refused identities. */
  closeWhere(isRefused: (identity: Identity) => boolean): void;
  /** Opens no more subscriptions and ends the open ones, so that their clients connect to another server. */
  stop(): void;
}

/** A subscription that is being opened or is open. */
interface HeldSubscription {
  readonly identity: Identity | null;
  end(): void;
}

/**
 * Serves GraphQL as server-sent events: subscriptions, one on each connection, and also queries and mutations. The
 * engine and the limits are those of websockets. A subscription counts as a socket, too.
 */
export function createEventStreams({ engine, usage, limits, metrics }: EventStreamsOptions): EventStreams {
  const corking = createCorking();
  const pings = createPings(limits.pingMs, {
    onSilent: () => metrics.droppedReaders.inc({ reason: 'silent' }),
  });
  const held = new Set<HeldSubscription>();
  let stopping = false;

  const openStream = ({ response, headers }: EventsRequest): EventStream =>
    new EventStream({ response, headers, corking, limits, onAlive: pings.markAlive });

  async function sendResult(request: EventsRequest, result: Answer, type?: OperationTypeNode): Promise<void> {
    await request.mayRespond();
    if (request.response.destroyed) return;
    if (typeof result !== 'string' && result.errors?.some(hasStatus)) {
      const { status, headers, body } = responseTo(result, GRAPHQL_JSON);
      request.response.writeHead(status, { ...request.headers, ...headers }).end(body);
      return;
    }
    const text = engine.textOf(result);
    let giveBack: GiveBack;
    try {
      giveBack = holdUnsent(usage, { holder: request.holder, type, bytes: text.length });
    } catch (error) {
      // The operation has been counted already.
      return sendResult(request, { errors: [engine.maskError(error)] });
    }
    holdUntilClosed(request.response, giveBack);
    const stream = openStream(request);
    void stream.next(text);
    stream.complete();
  }

  /** Takes what a websocket with one subscription takes. Throws RATE_LIMITED. */
  function takePlaces(holder: Holder): () => void {
    const socket = usage.take('sockets', holder);
    const subscription = socket === undefined ? undefined : usage.take('subscriptions', holder);
    if (subscription === undefined) {
      socket?.();
      throw tooManySubscriptions();
    }
    return () => {
      subscription();
      socket?.();
    };
  }

  /** Resolves when the subscription has ended. Rejects if it is refused. */
  async function subscribe(request: EventsRequest, { prepared, variables }: Prepared): Promise<void> {
    const { response, operation } = request;
    const identity = await operation.identify();
    if (stopping || held.size >= limits.eventStreams) throw unavailable();
    const holder = { user: identity?.sub ?? null, network: operation.network };
    engine.charge(holder, CONNECTION_OBJECTS);
    const giveBack = takePlaces(holder);
    let ended = response.destroyed;
    let stop = () => {};
    const subscription: HeldSubscription = {
      identity,
      end() {
        ended = true;
        stop();
      },
    };
    // From here on the end of the token, the connection or the server ends it, also while it is being opened.
    held.add(subscription);
    response.once('close', subscription.end);
    const stopExpiry = identity === null ? () => {} : whenExpired(identity, subscription.end);
    const release = () => {
      giveBack();
      held.delete(subscription);
      stopExpiry();
    };
    response.once('close', release);
    try {
      let stream: EventStream | undefined;
      const push = (result: Payload) => stream?.next(engine.textOf(result));
      const runnable = await engine.begin(prepared, variables, operation);
      const results = await engine.subscribe({ push, ...runnable });
      if (!(Symbol.asyncIterator in results)) return sendResult(request, results);
      // It keeps the places of a subscription, which is open much longer. A refusal has that of the operation while it
      // waits.
      request.giveBack();
      const iterator = results[Symbol.asyncIterator]();
      if (ended) {
        await iterator.return?.();
        throw unavailable();
      }
      const opened = openStream(request);
      stream = opened;
      stop = () => {
        void iterator.return?.();
        opened.end();
      };
      await sendAll(iterator, opened);
    } finally {
      release();
    }
  }

  /** Sends the results that are not pushed. Resolves after the last one of all. */
  async function sendAll(results: AsyncIterator<ExecutionResult>, stream: EventStream): Promise<void> {
    pings.add(stream);
    metrics.openSubscriptions.inc();
    try {
      for (let result = await results.next(); result.done !== true; result = await results.next()) {
        await stream.next(engine.textOf(result.value));
      }
    } catch (error) {
      void stream.next(engine.textOf({ errors: [engine.maskError(error)] }));
    } finally {
      metrics.openSubscriptions.dec();
    }
    stream.complete();
  }

  async function paramsOf({ request, operation }: EventsRequest): Promise<RequestParams> {
    return request.method === 'GET'
      ? fromQueryString(request.url ?? '')
      : readParams(request, limits, operation);
  }

  return {
    async serve(request) {
      const { operation } = request;
      let type: OperationTypeNode | undefined;
      try {
        const params = await paramsOf(request);
        const method = request.request.method ?? '';
        const prepared = await prepareHttpOperation(engine, { params, operation, method });
        type = prepared.type;
        if (type === 'subscription') {
          return await subscribe(request, { prepared, variables: params.variables });
        }
        const runnable = await engine.begin(prepared, params.variables, operation);
        await sendResult(request, await engine.executeAsText(runnable), type);
      } catch (error) {
        await sendResult(request, engine.refuse(error, operation, type));
      }
    },
    closeWhere(isRefused) {
      for (const { identity, end } of held) if (identity !== null && isRefused(identity)) end();
    },
    stop() {
      stopping = true;
      for (const { end } of held) end();
    },
  };
}

interface Prepared {
  readonly prepared: PreparedOperation;
  readonly variables: RequestParams['variables'];
}

/** After a subscription of usual length has ended. */
const AGAIN_MS = 5_000;

const tooManySubscriptions = () =>
  new TsudoiError('RATE_LIMITED', 'Too many subscriptions of one user or network are open.', {
    retryAfterMs: AGAIN_MS,
  });

/**
 * Whether the response to an error is a status instead of an event: the request itself is refused, as for other media
 * types, or the same one can succeed later or with another token. Clients of the protocol repeat a request after any
 * status that is not 200, so errors about the document and its values are events, as the protocol asks for.
 */
const hasStatus = (error: GraphQLError): boolean =>
  isRefusedRequest(error) || (error.path === undefined && isRepeated(error.extensions.code));

const isRepeated = (code: unknown): boolean =>
  code === 'UNAUTHENTICATED' ||
  code === 'ACCOUNT_DELETED' ||
  code === 'RATE_LIMITED' ||
  code === 'UNAVAILABLE';
