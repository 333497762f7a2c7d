import type { IncomingMessage } from 'node:http';
import type { OperationTypeNode } from 'graphql';
import type { Identity } from '../../core/identity.ts';
import type { Transport } from '../../core/metrics.ts';
import type { GiveBack } from '../../core/rateLimits.ts';

/** What the server knows about one operation before it reads the document. */
export interface Operation {
  readonly transport: Transport;
  readonly requestId: string;
  readonly acceptLanguage: string | undefined;
  /** The value of `performance.now()`. */
  readonly startedAt: number;
  /** The viewer's identity; null without a token. Throws UNAUTHENTICATED if the token is not valid. */
  readonly identify: () => Identity | null | Promise<Identity | null>;
  /** See `networkOf`. */
  readonly network: string;
  /** Charges an anonymous client for the size of its document. Throws RATE_LIMITED. */
  readonly chargeDocument?: (document: string) => Promise<void>;
  /** Returns, or resolves, when its body may be read: see `BodyTurns`. Present over HTTP. */
  readonly beginBody?: () => GiveBack | Promise<GiveBack>;
  /** Charges the sender for a body, and waits until it may be parsed. Throws RATE_LIMITED. Present over HTTP. */
  readonly chargeBody?: (bytes: number) => Promise<void>;
  /**
   * Whether its transport holds the place of an operation for it: from the end of its head until the result has been
   * sent.
   */
  readonly hasPlace?: boolean;
  /** Called when the document has been read. Present over HTTP. */
  readonly onPrepared?: (type: OperationTypeNode) => void;
  /**
   * Called if the client itself is the reason that the operation does not run, or that it was rate limited. Present
   * over HTTP.
   */
  readonly onRefused?: () => void;
  /** Present over HTTP. */
  readonly incoming?: IncomingMessage;
}
