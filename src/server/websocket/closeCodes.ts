import { CloseCode as Protocol } from 'graphql-ws';

/**
 * Why a websocket was closed. After 1012 and 1013 a client connects again (graphql-ws' client does so by itself), and
 * after 4403 with a new token. The other codes mean that the client has a bug or exceeds a limit.
 * The codes 44xx are the protocol's: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export const CloseCode = {
  /** A frame exceeded the limit (closed by `ws`). */
  MessageTooBig: 1009,
  /** The server is stopping. */
  ServiceRestart: 1012,
  /** The token could not be verified at the moment. */
  TryAgainLater: 1013,
  /** The client sent something that is not a message of the protocol. */
  BadRequest: Protocol.BadRequest,
  /** The client sent an operation before the acknowledgement. */
  Unauthorized: Protocol.Unauthorized,
  /** The token is invalid, expired or revoked, or belongs to a deleted account. */
  Forbidden: Protocol.Forbidden,
  /** The client does not speak `graphql-transport-ws`. */
  SubprotocolNotAcceptable: Protocol.SubprotocolNotAcceptable,
  /** The client did not send `connection_init` in time. */
  ConnectionInitialisationTimeout: Protocol.ConnectionInitialisationTimeout,
  /** The client sent an operation with the id of an open one. */
  SubscriberAlreadyExists: Protocol.SubscriberAlreadyExists,
  /** A second `connection_init`. Also used for too many operations, and for too many requests without a token. */
  TooManyRequests: Protocol.TooManyInitialisationRequests,
  /** The server has a fault. */
  InternalServerError: Protocol.InternalServerError,
} as const;
