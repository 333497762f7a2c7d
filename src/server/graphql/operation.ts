import type { IncomingMessage } from 'node:http';
import type { OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Identity } from '../access/auth.ts';
import type { Cost } from './operationCost.ts';

/** What the server knows of one operation, over either transport; the context that plugins see. */
export interface Operation {
  readonly transport: 'http' | 'websocket';
  readonly requestId: string;
  readonly acceptLanguage: string | undefined;
  /** `performance.now()` */
  readonly startedAt: number;
  /** Who asks; null where no token was sent. Throws UNAUTHENTICATED for a bad one. */
  readonly identify: () => Identity | null | Promise<Identity | null>;
  /** HTTP only. */
  readonly incoming?: IncomingMessage;
  /** Known once the document is parsed. */
  readonly type?: OperationTypeNode;
  readonly cost?: Cost;
}

/** A plugin of Yoga that sees the operation, while HTTP is handled and while GraphQL is. */
export type ServerPlugin = Plugin<Operation, Operation>;
