import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationTypeNode } from 'graphql';
import { defined } from '../../core/defined.ts';
import type { Identity } from '../../core/identity.ts';
import {
  type AnonymousLimit,
  type GiveBack,
  type Holder,
  holderOfPlace,
  type UserUsage,
} from '../../core/rateLimits.ts';
import type { Answer } from '../../core/subscribe.ts';
import { chargeAnonymous, isAnonymous, networkOf, requestsOf, requestsOfBody } from '../access/anonymous.ts';
import { type Authenticator, bearerToken } from '../access/auth.ts';
import { objectsOfBody } from '../graphql/charges.ts';
import { type Engine, tooManyAtOnce } from '../graphql/engine.ts';
import { runHttpOperation } from '../graphql/httpOperation.ts';
import {
  acceptsOnlyEvents,
  type HttpResponse,
  type MediaType,
  mediaTypeOf,
  mediaTypeOfRefusal,
  responseTo,
} from '../graphql/httpResponse.ts';
import type { Operation } from '../graphql/operation.ts';
import { isJson, readParams } from '../graphql/requestParams.ts';
import { holdUnsent, holdUntilClosed } from '../graphql/unsentResult.ts';
import type { Yoga } from '../graphql/yoga.ts';
import type { ServerLimits } from '../limits.ts';
import type { EventStreams } from '../sse/eventStreams.ts';
import { createBodyTurns } from './bodyTurns.ts';
import { encodedText } from './encoding.ts';
import { type BaseHeaders, type GraphQLRoute, setHeaders } from './httpListener.ts';
import { type Page, sendPage } from './pages.ts';
import { isForPerson, refuseAsJson } from './refusals.ts';

export interface GraphQLRouteOptions {
  readonly engine: Engine;
  readonly yoga: Yoga;
  readonly eventStreams: EventStreams;
  readonly limits: ServerLimits;
  readonly authenticator: Authenticator;
  /** See `ServerOptions`. */
  readonly anonymous?: AnonymousLimit;
  readonly usage: UserUsage;
  readonly trustedProxies: number;
  /** Undefined if GraphiQL is off. */
  readonly graphiql: (() => Promise<Page>) | undefined;
}

/**
 * GraphQL over HTTP and server-sent events, and GraphiQL for browsers at the same path. Requests as almost all clients
 * send them are served here, all others by Yoga, with the same responses: `test/server/graphqlRoute.test.ts` compares
 * them.
 */
export function createGraphQLRoute(options: GraphQLRouteOptions): GraphQLRoute {
  const { engine, yoga, eventStreams, limits, authenticator, graphiql, anonymous, usage, trustedProxies } =
    options;
  const bodies = createBodyTurns(limits);

  async function identify({ headers }: IncomingMessage): Promise<Identity | null> {
    const token = bearerToken(headers.authorization);
    return token === undefined ? null : authenticator.verify(token);
  }

  async function resultOf(request: IncomingMessage, operation: Operation): Promise<Answer> {
    try {
      const params = await readParams(request, limits, operation);
      // The body may have taken long.
      const identity = await operation.identify();
      if (identity !== null) authenticator.checkRevoked(identity);
      return await runHttpOperation(engine, { params, operation, method: 'POST' }, engine.executeAsText);
    } catch (error) {
      return { errors: [engine.maskError(error)] };
    }
  }

  async function yogaResponse(request: IncomingMessage, response: ServerResponse, operation: Operation) {
    const yogaResponse = await yoga.handleNodeRequestAndResponse(request, response, operation);
    const headers = Object.fromEntries(yogaResponse.headers);
    return { status: yogaResponse.status, headers, body: await yogaResponse.text() };
  }

  /** Charges for a body by its length, and resolves when it may be parsed. Throws RATE_LIMITED. */
  async function chargeBody(holder: Holder, bytes: number): Promise<void> {
    engine.charge(holder, objectsOfBody(bytes));
    if (holder.user === null) {
      const refusal = await chargeAnonymous(anonymous, holder.network, requestsOfBody(bytes));
      if (refusal !== undefined) throw refusal;
    }
    return bodies.parse(holder, bytes);
  }

  /**
   * Resolves when the response may be sent: that is later for a refusal of a client that got many of them lately.
   * Without it a client in a loop has the server read and refuse requests as fast as it can, before those of others.
   * Each one keeps the place of its operation, also if its client leaves. Without a place it is sent at once, and its
   * connection serves nothing after it, unless it is a proxy's: the client may be one of a whole office, and has to
   * learn why.
   */
  async function holdRefusal(sent: Sent): Promise<void> {
    const waitMs = sent.isRefused ? usage.refuse(sent.holder) : 0;
    if (waitMs === 0) return;
    if (!sent.hasPlace) {
      if (trustedProxies === 0) sent.response.setHeader('connection', 'close');
      return;
    }
    sent.held = wait(waitMs, undefined, { ref: false });
    return sent.held;
  }

  async function send(sent: Sent, result: HttpResponse): Promise<void> {
    const { request, response, base, holder, type } = sent;
    const { status, headers, body } = result;
    sent.isRefused ||= status >= 400 && status < 500;
    if (sent.isRefused) await holdRefusal(sent);
    if (response.destroyed) return;
    const { body: text, encoding } = await encodedText(body, request.headers['accept-encoding']);
    const length = Buffer.byteLength(text);
    let giveBack: GiveBack;
    try {
      giveBack = holdUnsent(usage, { holder, type, bytes: length });
    } catch (error) {
      // Short enough to be held. The operation has been counted already.
      return send(sent, responseTo({ errors: [engine.maskError(error)] }, sent.mediaType));
    }
    holdUntilClosed(response, giveBack);
    if (response.destroyed) return;
    response
      .writeHead(status, {
        ...base,
        ...headers,
        vary: base.vary === undefined ? 'accept-encoding' : `${base.vary}, accept-encoding`,
        ...defined({ 'content-encoding': encoding }),
        'content-length': length,
      })
      .end(inBytes(text, length), 'latin1');
  }

  return async (request, response, base) => {
    if (graphiql !== undefined && wantsPage(request)) {
      const page = await graphiql();
      setHeaders(response, base);
      return sendPage(request, response, page);
    }
    const identity = identify(request);
    // If the request is refused before its identity is needed, a rejection has no other handler.
    identity.catch(() => {});
    const network = networkOf(request, trustedProxies);
    const holder: Holder = { user: await subjectOf(identity), network };
    const giveBack = usage.take('operations', holderOfPlace(holder));
    const mediaType = directMediaType(request);
    const asEvents = mediaType === undefined && wantsEvents(request);
    const sent: Sent = {
      request,
      response,
      base,
      holder,
      mediaType: mediaType ?? mediaTypeOfRefusal(request.headers.accept),
      type: undefined,
      isRefused: false,
      hasPlace: giveBack !== undefined,
      held: undefined,
    };
    // A body that arrives slowly and a response that is not read occupy memory as long as the operation itself, or
    // longer.
    if (giveBack !== undefined) {
      holdUntilClosed(response, () => {
        if (sent.held === undefined) giveBack();
        else void sent.held.then(giveBack);
      });
    }
    if (response.destroyed) return;
    const operation: Operation = {
      transport: asEvents ? 'sse' : 'http',
      requestId: base['x-request-id'],
      acceptLanguage: request.headers['accept-language'],
      startedAt: performance.now(),
      incoming: request,
      // A token that is revoked while the body is being sent is refused: see also `resultOf`.
      identify: mediaType === undefined ? () => identify(request) : () => identity,
      network,
      hasPlace: true,
      onPrepared(type) {
        sent.type = type;
      },
      onRefused() {
        sent.isRefused = true;
      },
      beginBody: () => bodies.begin(holder, request),
      chargeBody: (bytes) => chargeBody(holder, bytes),
      async chargeDocument(document) {
        // One request was charged before its body was read.
        const refusal = await chargeAnonymous(anonymous, network, requestsOf(document) - 1);
        if (refusal !== undefined) throw refusal;
      },
    };
    if (giveBack === undefined) {
      return send(sent, responseTo(engine.refuse(tooManyAtOnce(), operation), sent.mediaType));
    }
    if (anonymous !== undefined && (await isAnonymous(identity))) {
      const refusal = await chargeAnonymous(anonymous, network);
      if (refusal !== undefined) {
        sent.isRefused = true;
        await holdRefusal(sent);
        if (response.destroyed) return;
        setHeaders(response, base);
        return refuseAsJson(response, { error: refusal });
      }
    }
    if (asEvents) {
      const mayRespond = () => holdRefusal(sent);
      return eventStreams.serve({
        request,
        response,
        headers: base,
        operation,
        holder,
        giveBack,
        mayRespond,
      });
    }
    return send(
      sent,
      mediaType === undefined
        ? await yogaResponse(request, response, operation)
        : responseTo(await resultOf(request, operation), mediaType),
    );
  };
}

/** The request that a response belongs to, and its sender. */
interface Sent {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly base: BaseHeaders;
  readonly holder: Holder;
  /** A refusal in the place of the result has this type. */
  readonly mediaType: MediaType;
  /** Undefined until the document has been read. */
  type: OperationTypeNode | undefined;
  /** Whether the client is the reason that it gets no result. */
  isRefused: boolean;
  /** Whether it has the place of an operation. */
  readonly hasPlace: boolean;
  /** Resolves when its refusal may be sent. Undefined if it is not refused, or at once. */
  held: Promise<void> | undefined;
}

/** Null without a valid token. */
const subjectOf = (identity: Promise<Identity | null>): Promise<string | null> =>
  identity.then(
    (known) => known?.sub ?? null,
    () => null,
  );

/**
 * The body as a string with one character for each byte. Node writes such a string together with the headers, at once.
 * A buffer it writes apart, and for a string in UTF-8 it reserves three times its length.
 */
function inBytes(body: string | Buffer, length: number): string {
  if (typeof body !== 'string') return body.toString('latin1');
  const isAscii = body.length === length;
  return isAscii ? body : Buffer.from(body).toString('latin1');
}

/** The media type of the response, if the request can be served without Yoga. */
function directMediaType({ method, headers }: IncomingMessage): MediaType | undefined {
  return method === 'POST' && isJson(headers['content-type']) ? mediaTypeOf(headers.accept) : undefined;
}

/** A request that Yoga would refuse for its method or content type is left to Yoga. */
const wantsEvents = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || (method === 'POST' && isJson(headers['content-type']))) &&
  acceptsOnlyEvents(headers.accept);

const wantsPage = (request: IncomingMessage) => request.method === 'GET' && isForPerson(request);
