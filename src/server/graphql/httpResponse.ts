import type { Answer } from '../../core/subscribe.ts';
import { httpOf } from './clientError.ts';

export const GRAPHQL_JSON = 'application/graphql-response+json';
export const PLAIN_JSON = 'application/json';

/** The media types of GraphQL over HTTP: https://graphql.github.io/graphql-over-http/draft/#sec-Media-Types */
export type MediaType = typeof GRAPHQL_JSON | typeof PLAIN_JSON;

/** By the `accept` headers that clients send: programs that do not set it, browsers, and the usual libraries. */
const MEDIA_TYPES: ReadonlyMap<string | undefined, MediaType> = new Map<string | undefined, MediaType>([
  [undefined, PLAIN_JSON],
  ['*/*', PLAIN_JSON],
  [PLAIN_JSON, PLAIN_JSON],
  [GRAPHQL_JSON, GRAPHQL_JSON],
  [`${GRAPHQL_JSON}, ${PLAIN_JSON}`, GRAPHQL_JSON],
  // Apollo's client, and urql's, which is the web client's.
  [`${GRAPHQL_JSON},${PLAIN_JSON};q=0.9`, GRAPHQL_JSON],
  [
    `${GRAPHQL_JSON}, application/graphql+json, ${PLAIN_JSON}, text/event-stream, multipart/mixed`,
    GRAPHQL_JSON,
  ],
]);

/** The media type of the response; undefined for an `accept` that is not known here. */
export const mediaTypeOf = (accept: string | undefined): MediaType | undefined => MEDIA_TYPES.get(accept);

/** Of a refusal, for each `accept`: plain JSON if the client names it and not the other type. */
export function mediaTypeOfRefusal(accept = '*/*'): MediaType {
  const types = typesIn(accept);
  const isPlain = types.includes(PLAIN_JSON) && !types.includes(GRAPHQL_JSON);
  return mediaTypeOf(accept) ?? (isPlain ? PLAIN_JSON : GRAPHQL_JSON);
}

const JSON_RANGES = [GRAPHQL_JSON, PLAIN_JSON, 'application/*', '*/*'];
const EVENT_STREAM = 'text/event-stream';

/** A weight of 0 means “not acceptable”: https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2 */
const REFUSED = /;\s*q=0(\.0*)?\s*(;|$)/i;

const typesIn = (accept: string): string[] =>
  accept
    .split(',')
    .filter((range) => !REFUSED.test(range))
    .map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '');

export const acceptsJson = (accept: string): boolean =>
  typesIn(accept).some((type) => JSON_RANGES.includes(type));

/** Whether the client accepts an event stream and no JSON. Many clients that want JSON name both. */
export const acceptsOnlyEvents = (accept = ''): boolean =>
  typesIn(accept).includes(EVENT_STREAM) && !acceptsJson(accept);

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response with a result. Its errors are those that a client may see, and decide the status. */
export function responseTo(result: Answer, mediaType: MediaType): HttpResponse {
  const headers: Record<string, string> = { 'content-type': `${mediaType}; charset=utf-8` };
  if (typeof result === 'string') return { status: 200, headers, body: result };
  let status = 0;
  for (const error of result.errors ?? []) {
    const http = httpOf(error);
    Object.assign(headers, http?.headers);
    if (http?.spec === true && mediaType === PLAIN_JSON) continue;
    status = Math.max(status, http?.status ?? 0);
  }
  return { status: status === 0 ? 200 : status, headers, body: JSON.stringify(result) };
}
