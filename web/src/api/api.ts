import {
  type AnyVariables,
  Client,
  type CombinedError,
  fetchExchange,
  type OperationResult,
  type TypedDocumentNode,
} from '@urql/core';
import { createCache } from './cache.ts';
import { type Connection, createConnection } from './connection.ts';
import { ApiError, apiErrorOf } from './errors.ts';

/** The way to the server, as one person. */
export interface Api {
  /** With the normalised cache: rooms, memberships, people. For `useQuery`, and for `ask` and `tell`. */
  readonly client: Client;
  readonly connection: Connection;
  /** A query whose answer is kept in the cache. Rejects with `ApiError`. */
  ask<TData, TVariables extends AnyVariables>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
  ): Promise<TData>;
  /** A mutation whose answer is kept in the cache. Rejects with `ApiError`. */
  tell<TData, TVariables extends AnyVariables>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
  ): Promise<TData>;
  /**
   * A query or mutation past the cache: messages are kept by version and in bounded windows (`timeline/`).
   * Rejects with `ApiError`.
   */
  fetch<TData, TVariables extends AnyVariables>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
  ): Promise<TData>;
  close(): void;
}

/** No answer within this time is none. */
const ANSWER_WITHIN_MS = 15_000;

export function createApi(token: string): Api {
  const options = {
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    fetch: fetchInTime,
  } as const;
  const client = new Client({ ...options, exchanges: [createCache(), fetchExchange] });
  const plain = new Client({ ...options, exchanges: [fetchExchange] });
  const connection = createConnection(token);
  return {
    client,
    connection,
    ask: async (document, variables) =>
      dataOf(await client.query(document, variables, { requestPolicy: 'network-only' })),
    tell: async (document, variables) => dataOf(await client.mutation(document, variables)),
    fetch: async (document, variables) =>
      dataOf(
        isMutation(document)
          ? await plain.mutation(document, variables)
          : await plain.query(document, variables, { requestPolicy: 'network-only' }),
      ),
    close: connection.close,
  };
}

const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    signal: AbortSignal.any([
      AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(init?.signal === undefined || init.signal === null ? [] : [init.signal]),
    ]),
  });

const isMutation = ({ definitions }: Pick<TypedDocumentNode, 'definitions'>): boolean =>
  definitions.some(
    (definition) => definition.kind === 'OperationDefinition' && definition.operation === 'mutation',
  );

function dataOf<TData>({ data, error }: Pick<OperationResult<TData>, 'data' | 'error'>): TData {
  if (error !== undefined) throw errorOf(error);
  if (data === undefined) throw new ApiError('OFFLINE');
  return data;
}

/** Of what the client for GraphQL says went wrong. */
export const errorOf = ({ networkError, graphQLErrors }: CombinedError): ApiError =>
  graphQLErrors.length === 0
    ? new ApiError('OFFLINE', {}, { cause: networkError })
    : apiErrorOf(graphQLErrors);
