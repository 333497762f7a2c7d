import type { GraphQLParams } from 'graphql-yoga';
import type { ServerLimits } from '../../limits.ts';
import type { ServerPlugin } from '../operation.ts';
import { httpError, readJson } from '../requestBody.ts';

/**
 * Reads operations from a GET's query string and from a POST's JSON, and from nothing else: a foreign page can send
 * forms, multipart and plain text without a preflight request. Answers with JSON only.
 */
export function useJson(limits: ServerLimits): ServerPlugin {
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      if (request.method === 'GET') return setRequestParser(({ url }) => fromQueryString(url));
      const { incoming } = serverContext;
      if (request.method !== 'POST' || incoming === undefined) {
        throw httpError(405, 'Operations are accepted by GET or POST.', { allow: 'GET, POST' });
      }
      if (!isJson(incoming.headers['content-type'])) {
        throw httpError(415, 'The content type must be application/json.');
      }
      // Yoga checks the type of each property next.
      setRequestParser(async () => (await readJson(incoming, limits)) as GraphQLParams);
    },
    // If a client accepts neither JSON type, Yoga would send it an event stream or multipart.
    // https://graphql.github.io/graphql-over-http/draft/#sec-Accept
    onResultProcess({ request, setResultProcessor }) {
      const accept = request.headers.get('accept') ?? '*/*';
      if (accept.split(',').some((range) => JSON_RANGES.includes(typeOf(range)))) return;
      setResultProcessor((_result, { Response }) => new Response(null, { status: 406 }), 'application/json');
    },
  };
}

const JSON_RANGES = ['application/graphql-response+json', 'application/json', 'application/*', '*/*'];

const typeOf = (range: string) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '';

function isJson(contentType = ''): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((one) => one.startsWith('charset='));
  return type.trim() === 'application/json' && /^(charset="?utf-?8"?)?$/.test(charset ?? '');
}

function fromQueryString(url: string): GraphQLParams {
  const start = url.indexOf('?');
  const search = new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
  const text = (name: string) => {
    const value = search.get(name);
    return value === null || value === '' ? {} : { [name]: value };
  };
  const json = (name: string) => {
    const value = search.get(name);
    if (value === null || value === '') return {};
    try {
      return { [name]: JSON.parse(value) as Record<string, unknown> };
    } catch {
      throw httpError(400, `The parameter ${name} is not JSON.`);
    }
  };
  return { ...text('query'), ...text('operationName'), ...json('variables'), ...json('extensions') };
}
