import { CloseCode as Protocol } from 'graphql-ws';

/**
 * Why a websocket was closed. 1012 and 1013 mean: come back (graphql-ws' client does so by itself); 4403
 * means: come back with a good token; after the others a client has something to mend.
 * The 44xx are the protocol's own: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export const CloseCode = {
  /** A frame over the limit (closed by `ws`). */
  MessageTooBig: 1009,
  /** The server is stopping. */
  ServiceRestart: 1012,
  /** The token could not be checked just now. */
  TryAgainLater: 1013,
  /** Not a message of the protocol. */
  BadRequest: Protocol.BadRequest,
  /** An operation before the acknowledgement. */
  Unauthorized: Protocol.Unauthorized,
  /** The token is not, or no longer, good. */
  Forbidden: Protocol.Forbidden,
  /** The client does not speak `graphql-transport-ws`. */
  SubprotocolNotAcceptable: Protocol.SubprotocolNotAcceptable,
  /** No `connection_init` in time. */
  ConnectionInitialisationTimeout: Protocol.ConnectionInitialisationTimeout,
  /** An operation with the id of one that is open. */
  SubscriberAlreadyExists: Protocol.SubscriberAlreadyExists,
  /** A second `connection_init`; and, with the same meaning ("too many"), too many operations at once. */
  TooManyRequests: Protocol.TooManyInitialisationRequests,
  /** A fault of the server. */
  InternalServerError: Protocol.InternalServerError,
} as const;
