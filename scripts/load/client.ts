/** GraphQL over HTTP, as a client of the installation. */
interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly extensions?: { readonly code?: string };
  }>;
}

/** An operation failed. `code`: of the error, or `HTTP 502`, or the name of what failed. */
class OperationFailed extends Error {
  override readonly name = 'OperationFailed';
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

const TIMEOUT_MS = 30_000;

export async function ask<T>(
  { origin, token }: { readonly origin: string; readonly token: string },
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const name = error instanceof Error ? error.name : 'Error';
    throw new OperationFailed(name === 'TypeError' ? 'CONNECTION' : name, 'There was no response.');
  });
  const { data, errors } = (await response.json().catch(() => ({}))) as Answer<T>;
  const [error] = errors ?? [];
  if (error !== undefined) throw new OperationFailed(error.extensions?.code ?? 'ERROR', error.message);
  if (data === undefined || data === null) throw new OperationFailed(`HTTP ${response.status}`, 'No data.');
  return data;
}

export const codeOf = (error: unknown): string =>
  error instanceof OperationFailed ? error.code : error instanceof Error ? error.name : 'SOCKET';
