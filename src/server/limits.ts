/** What one server bears from its clients. Bytes, milliseconds, or counts, as the names say. */
export interface Limits {
  /** The largest request body. */
  readonly bodyBytes: number;
  /** How much of a larger body is read and thrown away, so that its sender gets to hear the answer. */
  readonly discardedBytes: number;
  /** The largest frame a websocket may send: an operation and its variables. */
  readonly frameBytes: number;
  /** Websockets that may be open. */
  readonly sockets: number;
  /** Operations, subscriptions included, that one websocket may have open. */
  readonly operationsPerSocket: number;
  /** From here on a socket's operations wait for their reader before they send more. */
  readonly waitingBytes: number;
  /** A socket that lets this much pile up is cut off. */
  readonly stalledBytes: number;
  /** How long a new websocket may take to say who it is. */
  readonly initMs: number;
  /** Between two pings; a client that has said nothing since the last one is gone. */
  readonly pingMs: number;
  /** How long work in flight may take to finish when the server stops. */
  readonly stopMs: number;
  /** How long a health check may take. */
  readonly healthMs: number;
  readonly document: DocumentLimits;
}

/** What a GraphQL document may contain, fragments counted wherever they are spread. */
export interface DocumentLimits {
  readonly tokens: number;
  /** Levels of fields. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fields of one name (their alias, where they have one) in one place of the answer. */
  readonly repeats: number;
  readonly fields: number;
  /** In the pages of one operation, all of them full. */
  readonly objects: number;
}

const KIB = 1_024;
const MIB = 1_024 * KIB;

export const LIMITS: Limits = {
  bodyBytes: MIB,
  discardedBytes: 8 * MIB,
  frameBytes: 256 * KIB,
  sockets: 20_000,
  operationsPerSocket: 100,
  waitingBytes: 64 * KIB,
  stalledBytes: 4 * MIB,
  initMs: 5_000,
  pingMs: 15_000,
  stopMs: 5_000,
  healthMs: 3_000,
  document: {
    tokens: 2_000,
    depth: 20,
    aliases: 100,
    directives: 50,
    repeats: 50,
    fields: 5_000,
    objects: 30_000,
  },
};
