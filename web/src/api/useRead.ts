import { type AnyVariables, stringifyVariables, type TypedDocumentNode } from '@urql/core';
import { useState } from 'react';
import { useQuery } from 'urql';

/**
 * The last answer to a query that something else sends. Sends no request. A failed request, which the client passes on
 * to everything that shows the query, says nothing about its subject: the answer before it stays.
 */
export function useRead<TData, TVariables extends AnyVariables>(
  query: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
): TData | undefined {
  const [{ data, error }] = useQuery<TData, AnyVariables>({
    query,
    variables,
    requestPolicy: 'cache-only',
  });
  const key = stringifyVariables(variables ?? {});
  const [last, setLast] = useState<{ readonly key: string; readonly data: TData }>();
  const answer = error === undefined ? (data ?? undefined) : undefined;
  if (answer !== undefined && (last?.key !== key || last.data !== answer)) setLast({ key, data: answer });
  return answer ?? (last?.key === key ? last.data : undefined);
}
