import { GraphQLError, type OperationTypeNode } from 'graphql';
import { makeServer, type ServerOptions, type SubscribePayload } from 'graphql-ws';
import { unavailable } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import type { Log } from '../../core/log.ts';
import type { Metrics } from '../../core/metrics.ts';
import {
  type AnonymousLimit,
  type GiveBack,
  type Holder,
  holderOfPlace,
  type UserUsage,
} from '../../core/rateLimits.ts';
import type { PushResult } from '../../core/subscribe.ts';
import { chargeAnonymous, isFinallyRefused, requestsOf } from '../access/anonymous.ts';
import { type Authenticator, bearerToken } from '../access/auth.ts';
import { whenExpired } from '../access/tokenExpiry.ts';
import { BYTES_PER_OBJECT, CONNECTION_OBJECTS, isShort, MESSAGE_OBJECTS } from '../graphql/charges.ts';
import type { Engine, RunnableOperation } from '../graphql/engine.ts';
import type { Operation } from '../graphql/operation.ts';
import { holdUnsent } from '../graphql/unsentResult.ts';
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
  /** Also used for the results of subscriptions, which do not pass through graphql-ws. */
  readonly connection: Connection;
  /** Null before `connection_init`, and if it had no valid token. */
  identity: Identity | null;
  /** The number of operations since the websocket was opened. */
  count: number;
  /** The number of operations that have not ended, including those that the client has completed. */
  active: number;
  /** The queries and mutations that are running. Undefined before the first one. */
  running: Set<Promise<unknown>> | undefined;
  /** Whether it has received nothing yet. */
  isNew: boolean;
  /** How many of the bytes that its connection has received were paid for. */
  charged: number;
  /** How many short messages were accepted beyond the limit. Each one within it lowers the number by one. */
  unpaid: number;
  /** The server is stopping: new operations are refused. */
  draining: boolean;
  closed: boolean;
  /** Gives back what the websocket holds of its user's limits, when it is closed. */
  readonly held: Set<() => void>;
  /** Stops the timer that closes the websocket when the token expires. */
  stopExpiry: (() => void) | undefined;
}

export interface SocketOperationsOptions {
  readonly engine: Engine;
  readonly authenticator: Authenticator;
  /** See `ServerOptions`. */
  readonly anonymous?: AnonymousLimit;
  readonly usage: UserUsage;
  readonly limits: ServerLimits;
  readonly log: Log;
  readonly metrics: Metrics;
}

type Extra = { readonly session: Session };
/** What graphql-ws passes from `onSubscribe` to `execute` or `subscribe`. */
type Executable = RunnableOperation & Extra & { readonly push: PushResult };

const holderOf = ({ identity, network }: Session): Holder => ({ user: identity?.sub ?? null, network });

/** The server of the protocol (graphql-ws). It runs operations by the engine, so HTTP has the same rules. */
export function createSocketOperations(options: SocketOperationsOptions) {
  const { engine, authenticator, anonymous, usage, limits, metrics } = options;

  /** The messages that opened the subscriptions that are open now. */
  const subscriptions = new WeakSet<SubscribePayload>();
  /** The place of the subscription that a message opened. */
  const places = new WeakMap<SubscribePayload, GiveBack>();

  /**
   * Takes a place of the user's and the network's, until `release` or until the websocket is closed. Closes it if there
   * is none. The websocket itself has a place of its network since it was opened.
   */
  function take(what: 'sockets' | 'subscriptions', session: Session): GiveBack | undefined {
    if (session.closed) return () => {};
    const { user, network } = holderOf(session);
    const giveBack = usage.take(what, { user, network: what === 'sockets' ? null : network });
    if (giveBack === undefined) {
      session.connection.close(CloseCode.TooManyRequests, tooMany(what));
      return undefined;
    }
    session.held.add(giveBack);
    return giveBack;
  }

  /** Gives back the place of the subscription that a message opened, if it has one. */
  function release({ extra: { session } }: { readonly extra: Extra }, message: SubscribePayload): void {
    const giveBack = places.get(message);
    if (giveBack === undefined) return;
    session.held.delete(giveBack);
    giveBack();
  }

  const operationOf = (session: Session): Operation => ({
    transport: 'websocket',
    requestId: `${session.requestId}-${++session.count}`,
    acceptLanguage: session.acceptLanguage,
    startedAt: performance.now(),
    identify: () => session.identity,
    network: session.network,
  });

  /**
   * Sends the results of one operation. graphql-ws would create an object, its text and a frame for each reader. This
   * puts the text that many readers share into a frame with the operation's id.
   */
  function pushOf({ connection }: Session, id: string): PushResult {
    const head = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    return (result) => connection.sendParts([head, engine.textOf(result), TAIL]);
  }

  /** Resolves when more may be sent. */
  async function pushHeld(text: Buffer, { type, holder }: RunnableOperation, push: PushResult) {
    let giveBack: GiveBack;
    try {
      giveBack = holdUnsent(usage, { holder, type, bytes: text.length });
    } catch (error) {
      // The operation has been counted already.
      return push(engine.textOf({ errors: [engine.maskError(error)] }));
    }
    try {
      await push(text);
    } finally {
      giveBack();
    }
  }

  const server: ServerOptions<Record<string, unknown>, Extra> = {
    connectionInitWaitTimeout: limits.initMs,

    async onConnect(context) {
      const { connectionParams, extra } = context;
      const { session } = extra;
      // graphql-ws would keep the token as long as the websocket is open.
      Object.assign(context, { connectionParams: undefined });
      /** Whether the network may open a websocket without a valid token. Closes it otherwise. */
      const isWithinLimit = async () => {
        const refusal = await chargeAnonymous(anonymous, session.network);
        if (refusal !== undefined) session.connection.close(CloseCode.TooManyRequests, 'Too many requests');
        return refusal === undefined;
      };
      try {
        const token = bearerToken(authorizationOf(connectionParams));
        if (token === undefined) return await isWithinLimit();
        session.identity = await authenticator.verify(token);
        if (take('sockets', session) === undefined) return false;
        if (usage.read(holderOf(session), CONNECTION_OBJECTS) > 0) {
          session.connection.close(CloseCode.TooManyRequests, 'Too many requests');
          return false;
        }
        if (session.closed) return true;
        session.stopExpiry = whenExpired(session.identity, () =>
          session.connection.close(CloseCode.Forbidden, 'The token has expired'),
        );
        return true;
      } catch (error) {
        if (isFinallyRefused(error)) await isWithinLimit();
        else session.connection.close(CloseCode.TryAgainLater, 'Try again later');
        return false; // graphql-ws closes it with 4403, unless it is closed already.
      }
    },

    async onSubscribe(context, id, payload) {
      const { session } = context.extra;
      if (session.active > limits.operationsPerSocket) {
        metrics.rateLimited.inc({ act: 'operationsPerSocket' });
        session.connection.close(CloseCode.TooManyRequests, 'Too many operations');
        return [new GraphQLError('Too many operations.')];
      }
      const operation = operationOf(session);
      let type: OperationTypeNode | undefined;
      try {
        if (session.draining) throw unavailable();
        if (session.identity === null) {
          const refusal = await chargeAnonymous(anonymous, session.network, requestsOf(payload.query));
          if (refusal !== undefined) throw refusal;
        }
        const prepared = engine.prepare(payload.query, payload.operationName, holderOf(session));
        type = prepared.type;
        // The message is kept while the operation is open. Thousands of them need not keep a text of their own.
        Object.assign(payload, { query: prepared.document.loc?.source.body ?? payload.query });
        if (type === 'subscription') {
          const place = take('subscriptions', session);
          if (place === undefined) return [new GraphQLError('Too many subscriptions.')];
          places.set(payload, place);
        }
        const runnable = await engine.begin(prepared, payload.variables, operation);
        return { session, push: pushOf(session, id), ...runnable };
      } catch (error) {
        release(context, payload);
        return engine.refuse(error, operation, type).errors;
      }
    },

    // The arguments are those that `onSubscribe` returned.
    async execute(args) {
      const { session, push, ...runnable } = args as Executable;
      const result = engine.executeAsText(runnable);
      session.running ??= new Set();
      const { running } = session;
      running.add(result);
      const settled = () => running.delete(result);
      result.then(settled, settled);
      const text = engine.textOf(await result);
      return pushed(() => pushHeld(text, runnable, push));
    },
    subscribe: (args) => engine.subscribe(args as Executable),

    onOperation(context, _id, payload, args, result) {
      if ((args as Executable).type !== 'subscription') return;
      if (!(Symbol.asyncIterator in result)) return release(context, payload);
      subscriptions.add(payload);
      metrics.openSubscriptions.inc();
    },

    onComplete(context, _id, payload) {
      release(context, payload);
      if (subscriptions.delete(payload)) metrics.openSubscriptions.dec();
    },
  };
  return {
    opened: makeServer(server).opened,
    /**
     * Charges for a message, or a ping or pong of the websocket protocol, before it is parsed, and for the bytes that
     * have arrived since the last one that was paid for: a short one that is accepted beyond the limit does not pay for
     * a long one that arrived with it. `received`: how many the connection has received in all. Closes the websocket if
     * its user or network has read too much for a long one. A short one is accepted, because clients do not connect
     * again after 4429, and a ping or `complete` is no reason for it: what it starts is limited by itself. In a loop it
     * closes the websocket, too. All websockets of a network without a token are one user, so they leave the rest of
     * the network's objects to its users. Their first message is charged to the network alone: it has the token, which
     * may be long, of a user who pays for the rest.
     */
    isAffordable(session: Session, bytes: number, received: number): boolean {
      const objects = Math.floor((received - session.charged) / BYTES_PER_OBJECT);
      const holder = holderOf(session);
      const payer = session.isNew ? holder : holderOfPlace(holder);
      session.isNew = false;
      if (usage.read(payer, MESSAGE_OBJECTS + objects) === 0) {
        session.charged += objects * BYTES_PER_OBJECT;
        session.unpaid = Math.max(0, session.unpaid - 1);
        return true;
      }
      const max = session.identity === null ? UNPAID_WITHOUT_TOKEN : UNPAID_MESSAGES;
      if (isShort(bytes) && ++session.unpaid <= max) return true;
      session.connection.close(CloseCode.TooManyRequests, 'Too many requests');
      return false;
    },
    /** Whether the client sends on after the websocket was closed. Call it for each message. */
    isFlooding: (session: Session): boolean => ++session.unpaid > 2 * UNPAID_MESSAGES,
  };
}

export const tooMany = (what: 'sockets' | 'subscriptions') => `Too many ${what} of one user or network`;

const TAIL = Buffer.from('}');

/** More than a page sends that closes all of its subscriptions at once. */
const UNPAID_MESSAGES = 1_000;
/** Enough to send a token, and then to ask for the schema. */
const UNPAID_WITHOUT_TOKEN = 10;

/**
 * A stream that pushes a result itself when graphql-ws asks for its first result, and has none. graphql-ws does not ask
 * if the client has completed the operation.
 */
const pushed = (push: () => Promise<void>): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({
    async next() {
      await push();
      return { done: true, value: undefined };
    },
  }),
});

/** The value of `authorization`, in upper or lower case. */
function authorizationOf(connectionParams: Readonly<Record<string, unknown>> = {}): unknown {
  const name = Object.keys(connectionParams).find((key) => key.toLowerCase() === 'authorization');
  return name === undefined ? undefined : connectionParams[name];
}
