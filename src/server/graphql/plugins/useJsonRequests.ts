import type { GraphQLParams } from 'graphql-yoga';
import type { Limits } from '../../limits.ts';
import type { ServerPlugin } from '../operation.ts';
import { httpError, readJson } from '../requestBody.ts';

/**
 * Takes operations from GET's query string and from POST's JSON, and from nothing else: forms, multipart
 * and plain text are what a foreign page can send without asking first.
 */
export function useJsonRequests(limits: Limits): ServerPlugin {
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      if (request.method === 'GET') return setRequestParser(({ url }) => fromQueryString(url));
      const { incoming } = serverContext;
      if (request.method !== 'POST' || incoming === undefined) {
        throw httpError(405, 'Operations come by GET or POST.', { allow: 'GET, POST' });
      }
      if (!isJson(incoming.headers['content-type'])) {
        throw httpError(415, 'The content type must be application/json.');
      }
      // A type assertion, for Yoga checks each part of it next.
      setRequestParser(async () => (await readJson(incoming, limits)) as GraphQLParams);
    },
  };
}

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
