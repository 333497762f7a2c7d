import { processRegularResult } from 'graphql-yoga';
import type { ServerPlugin } from '../operation.ts';

const RESPONSE_JSON = 'application/graphql-response+json';
const PLAIN_JSON = 'application/json';

/**
 * Answers with JSON alone: no event streams, no multipart, whatever the client would also accept.
 * https://graphql.github.io/graphql-over-http/draft/#sec-Accept
 */
export function useJsonResults(): ServerPlugin {
  return {
    onResultProcess({ request, setResultProcessor }) {
      const type = answeredType(request.headers.get('accept') ?? '*/*');
      if (type !== undefined) return setResultProcessor(processRegularResult, type);
      setResultProcessor((_result, { Response }) => new Response(null, { status: 406 }), PLAIN_JSON);
    },
  };
}

function answeredType(accept: string): string | undefined {
  for (const range of accept.toLowerCase().split(',')) {
    const type = range.split(';', 1)[0]?.trim();
    if (type === RESPONSE_JSON || type === PLAIN_JSON) return type;
    if (type === '*/*' || type === 'application/*') return PLAIN_JSON;
  }
  return undefined;
}
