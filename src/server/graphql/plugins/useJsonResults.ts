import type { ServerPlugin } from '../operation.ts';

const JSON_TYPES = ['application/graphql-response+json', 'application/json', 'application/*', '*/*'];

/**
 * Answers with JSON alone. Yoga prefers that by itself, but to who accepts nothing else it would send an event
 * stream or multipart. https://graphql.github.io/graphql-over-http/draft/#sec-Accept
 */
export function useJsonResults(): ServerPlugin {
  return {
    onResultProcess({ request, setResultProcessor }) {
      const accept = request.headers.get('accept') ?? '*/*';
      if (accept.split(',').some((range) => JSON_TYPES.includes(typeOf(range)))) return;
      setResultProcessor((_result, { Response }) => new Response(null, { status: 406 }), 'application/json');
    },
  };
}

const typeOf = (range: string) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '';
