import {
  type AnyVariables,
  Client,
  type CombinedError,
  fetchExchange,
  type OperationResult,
  type TypedDocumentNode,
} from '@urql/core';
import { filter, pipe, type Source, take, toPromise } from 'wonka';
import type { Tokens } from '../session/tokens.ts';
import { createCache, UNCACHED } from './cache.ts';
import { type Connection, createConnection } from './connection.ts';
import { ApiError, apiErrorOf } from './errors.ts';

type Request = <TData, TVariables extends AnyVariables>(
  document: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
) => Promise<TData>;

/** A mutation whose answer has no errors succeeded: none of its fields is null. */
type Done<TData> = { readonly [Field in keyof TData]: NonNullable<TData[Field]> };

type Mutate<Options extends unknown[] = []> = <TData, TVariables extends AnyVariables>(
  document: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
  ...options: Options
) => Promise<Done<TData>>;

export interface MutationOptions {
  /** The request goes on if the page is closed or reloaded. The browser refuses it above 64 KiB. */
  readonly keepalive?: boolean;
}

/** The connection to the server, as one user. Each request rejects with `ApiError`. */
export interface Api {
  /** The only HTTP client, with the normalised cache of rooms, memberships and users. For `useQuery`. */
  readonly client: Client;
  readonly connection: Connection;
  /** Sends a query and keeps its answer in the cache. */
  readonly query: Request;
  /** Sends a mutation and keeps its answer in the cache. */
  readonly mutate: Mutate;
  /**
   * Sends a query whose answer bypasses the cache. Everything with messages does: the room store (`timeline/`) is
   * their only store. It keeps them by version and in bounded windows, which a cache of answers cannot do.
   */
  readonly queryUncached: Request;
  /** Sends a mutation whose answer bypasses the cache. */
  readonly mutateUncached: Mutate<[options?: MutationOptions]>;
  close(): void;
}

/** A request without an answer within this time has failed. */
const TIMEOUT_MS = 15_000;
const UNAUTHORIZED = 401;

export function createApi(tokens: Tokens): Api {
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: fetchAs(tokens),
    exchanges: [createCache(), fetchExchange],
  });
  const connection = createConnection(tokens);
  const network = { requestPolicy: 'network-only' } as const;
  return {
    client,
    connection,
    query: async (document, variables) => dataOf(await answerTo(client.query(document, variables, network))),
    mutate: async (document, variables) => doneOf(await client.mutation(document, variables)),
    queryUncached: async (document, variables) =>
      dataOf(await client.query(document, variables, { ...network, ...UNCACHED })),
    mutateUncached: async (document, variables, fetchOptions = {}) =>
      doneOf(await client.mutation(document, variables, { ...UNCACHED, fetchOptions })),
    close: connection.close,
  };
}

/**
 * The client passes each result of a query to all that ask for it. If `useRead` asks the cache while the request is on
 * its way, and the cache does not have all of it, that result has neither data nor an error. It is not the answer.
 */
const answerTo = <TData, TVariables extends AnyVariables>(
  results: Source<OperationResult<TData, TVariables>>,
): Promise<OperationResult<TData, TVariables>> =>
  pipe(
    results,
    filter(({ data, error, stale }) => !stale && (data !== null || error !== undefined)),
    take(1),
    toPromise,
  );

/** What the server has refused because of the token is sent again if there is another token. Nothing of it was done. */
const fetchAs =
  (tokens: Tokens): typeof fetch =>
  async (input, init) => {
    const send = (token: string) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetchWithTimeout(input, { ...init, headers });
    };
    const token = tokens.current();
    const response = await send(token);
    if (response.status !== UNAUTHORIZED) return response;
    const renewed = await tokens.renewed(token);
    return renewed === undefined ? response : send(renewed);
  };

const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    signal: AbortSignal.any([
      AbortSignal.timeout(TIMEOUT_MS),
      ...(init?.signal === undefined || init.signal === null ? [] : [init.signal]),
    ]),
  });

/** `dataOf` throws if there is any error. */
const doneOf = <TData>(result: Pick<OperationResult<TData>, 'data' | 'error'>) =>
  dataOf(result) as Done<TData>;

function dataOf<TData>({ data, error }: Pick<OperationResult<TData>, 'data' | 'error'>): TData {
  if (error !== undefined) throw errorOf(error);
  if (data === undefined) throw new ApiError('OFFLINE');
  return data;
}

/** Converts the client's error. A failure without GraphQL errors means that no answer came. */
export const errorOf = ({ networkError, graphQLErrors }: CombinedError): ApiError =>
  graphQLErrors.length === 0
    ? new ApiError('OFFLINE', {}, { cause: networkError })
    : apiErrorOf(graphQLErrors);
