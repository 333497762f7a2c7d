/** The limits of one server. The names say whether they are bytes, milliseconds or counts. */
export interface ServerLimits {
  /** The largest request body. */
  readonly bodyBytes: number;
  /** How much of a larger body is read and discarded, so that its sender receives the response. */
  readonly discardedBytes: number;
  /** A body that is not longer is read and parsed when it arrives. Longer ones take turns. */
  readonly shortBodyBytes: number;
  /** How long a longer body may take to arrive once it has its turn. */
  readonly bodyMs: number;
  /**
   * Of longer bodies: how much is read for one user in a network, and for one network with all of its users, at the
   * same time. The others wait.
   */
  readonly userBodyBytes: number;
  readonly networkBodyBytes: number;
  /** The largest frame that a client may send over a websocket: an operation and its variables. */
  readonly frameBytes: number;
  /** The longest JSON text of a query's or mutation's data, in characters. */
  readonly resultChars: number;
  /** Websockets that may be open at the same time. */
  readonly sockets: number;
  /** Subscriptions that may be open as event streams at the same time. */
  readonly eventStreams: number;
  /** Connections of one network that are open without a request. One more closes the one that is idle for longest. */
  readonly idleConnections: number;
  /** Requests that may wait on one connection for the responses of earlier ones. One more ends the connection. */
  readonly pipelinedRequests: number;
  /** Operations, including subscriptions, that one websocket may have open. */
  readonly operationsPerSocket: number;
  /** If more than this is not sent yet, the operations of a websocket or an event stream wait before they send more. */
  readonly waitingBytes: number;
  /** How long a client may read nothing of a complete HTTP response before it is cut off. */
  readonly unreadMs: number;
  /** If more than this is not sent yet, the websocket is cut off. */
  readonly stalledBytes: number;
  /** How long a client may take to send `connection_init`. */
  readonly initMs: number;
  /**
   * The time between two pings. A client that has sent nothing (or taken nothing of an event stream) since the last one
   * is disconnected.
   */
  readonly pingMs: number;
  /**
   * How long open requests may take to finish when the server stops. An optimistic write alone may take 7.5 s, and a
   * document may have several.
   */
  readonly stopMs: number;
  /** Milliseconds that a server that stops waits for a request on a connection that was opened or used just before. */
  readonly firstRequestMs: number;
  /** How long a health check may take. */
  readonly healthMs: number;
  readonly document: DocumentLimits;
  /** Of a client without a token, which can ask for nothing but the schema: GraphiQL's introspection is within them. */
  readonly anonymousDocument: Pick<DocumentLimits, 'tokens' | 'fragments'>;
}

/** The limits of a GraphQL document. A fragment counts each time that it is spread. */
export interface DocumentLimits {
  readonly tokens: number;
  /** Levels of fields. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Definitions of fragments. Validation compares them in pairs. */
  readonly fragments: number;
  /** Fields with the same name (or alias) in one place of the result. */
  readonly repeats: number;
  readonly fields: number;
  /** Objects in the pages of one operation, if all of them are full. */
  readonly objects: number;
  /** The same of a subscription, whose pages may be read for each event, and of every operation while memory is low. */
  readonly eventObjects: number;
}

const KIB = 1_024;
const MIB = 1_024 * KIB;

export const SERVER_LIMITS: ServerLimits = {
  bodyBytes: MIB,
  discardedBytes: 8 * MIB,
  shortBodyBytes: 16 * KIB,
  bodyMs: 10_000,
  userBodyBytes: 4 * MIB,
  networkBodyBytes: 32 * MIB,
  frameBytes: 256 * KIB,
  resultChars: 16 * MIB,
  sockets: 20_000,
  eventStreams: 5_000,
  idleConnections: 2_000,
  pipelinedRequests: 20,
  operationsPerSocket: 100,
  waitingBytes: 64 * KIB,
  unreadMs: 30_000,
  stalledBytes: 4 * MIB,
  initMs: 5_000,
  pingMs: 15_000,
  stopMs: 15_000,
  firstRequestMs: 1_000,
  healthMs: 3_000,
  document: {
    tokens: 2_000,
    depth: 20,
    aliases: 100,
    directives: 50,
    fragments: 50,
    repeats: 50,
    fields: 5_000,
    objects: 30_000,
    eventObjects: 1_000,
  },
  anonymousDocument: { tokens: 500, fragments: 5 },
};
