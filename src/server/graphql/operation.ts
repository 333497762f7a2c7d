import type { IncomingMessage } from 'node:http';
import type { OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Identity } from '../../core/identity.ts';
import type { Cost } from './operationCost.ts';

/** What the server knows about one operation, over either transport. Plugins receive it as their context. */
export interface Operation {
  readonly transport: 'http' | 'websocket';
  readonly requestId: string;
  readonly acceptLanguage: string | undefined;
  /** The value of `performance.now()`. */
  readonly startedAt: number;
  /** The viewer's identity; null without a token. Throws UNAUTHENTICATED if the token is not valid. */
  readonly identify: () => Identity | null | Promise<Identity | null>;
  /** Present over HTTP. */
  readonly incoming?: IncomingMessage;
  /** Present after the document was parsed. */
  readonly type?: OperationTypeNode;
  /** Present after the document was parsed. */
  readonly cost?: Cost;
}

/** A plugin of Yoga, with the operation as the context of its HTTP hooks and of its GraphQL hooks. */
export type ServerPlugin = Plugin<Operation, Operation>;
