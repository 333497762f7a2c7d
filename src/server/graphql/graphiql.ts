import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createPage, type Page } from '../http/pages.ts';

export interface GraphiQLOptions {
  /** The query that the editor shows on the first visit. */
  readonly defaultQuery: string;
  /** The content of the variables editor on the first visit: JSON. */
  readonly variables?: string;
  /** The content of the headers editor: JSON. */
  readonly headers: string;
  /** The content of the headers editor at `/graphql?as=name`, by name. */
  readonly headersAs?: Readonly<Record<string, string>>;
  /** At `/graphql?as=name` with any other name. Absent: as without a name. */
  readonly unknownName?: {
    readonly headers: string;
    /** A line above the editors. `NAME` in it is replaced by the name. */
    readonly says: string;
  };
}

const START_CALL = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * The GraphiQL page: one file that loads nothing from other servers. It is created for the first request, because it
 * has 9 MB, and kept.
 */
export function createGraphiQL(options: GraphiQLOptions): () => Promise<Page> {
  let page: Promise<Page> | undefined;
  return () => {
    page ??= render(options);
    page.catch(() => {
      page = undefined;
    });
    return page;
  };
}

async function render(options: GraphiQLOptions): Promise<Page> {
  const { defaultQuery, variables = '', headers, headersAs = {}, unknownName } = options;
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({ title: 'Tsudoi' });
  // The page ends with the call that starts GraphiQL. Yoga passes its options as JSON, which cannot contain a fetcher.
  const start = html.lastIndexOf(START_CALL);
  if (start === -1) throw new Error('The GraphiQL page does not end as expected.');
  return createPage(`${html.slice(0, start)}${await websocketClient()}${FETCHER}${STORAGE}${ALERT}
const headersAs = new Map(${literal(Object.entries(headersAs))});
const unknownName = as === '' || headersAs.has(as) ? null : ${literal(unknownName ?? null)};
if (unknownName !== null) alertAbove(unknownName.says.replaceAll('NAME', () => as.slice(0, 40)));
const defaultQuery = ${literal(defaultQuery)};
// GraphiQL finds its tab by the content that it stored last, and it stores the content only after an edit.
if (storage.getItem('graphiql:tabState') === null) {
  storage.setItem('graphiql:query', defaultQuery);
  storage.setItem('graphiql:variables', ${literal(variables)});
}
document.title = as === '' || unknownName !== null ? 'Tsudoi' : 'Tsudoi, as ' + as;
${START_CALL}document.getElementById('root'), {
  title: 'Tsudoi',
  defaultQuery,
  headers: headersAs.get(as) ?? unknownName?.headers ?? ${literal(headers)},
  // Tokens are not stored in the browser, and queries are not put into its address bar.
  shouldPersistHeaders: false,
  onEditQuery() {},
  storage,
  fetcher,
});
</script></body></html>`);
}

/** A value as a literal in a script. `<` is escaped, so the value cannot end the script. */
const literal = (value: string | object | null) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** graphql-ws as a script that defines `graphqlWs`. Its package has one that needs no bundler. */
const websocketClient = () =>
  readFile(join(createRequire(import.meta.url).resolve('graphql-ws'), '../../umd/graphql-ws.min.js'), 'utf8');

/**
 * Sends queries and mutations over HTTP and subscriptions over a websocket each, both with the content of the headers
 * editor. By hand, because the fetcher in Yoga's page sends no headers over the websocket, and `@graphiql/toolkit` has
 * no script that a page can use without a bundler.
 */
const FETCHER = `
function fetcher(params, { headers, documentAST } = {}) {
  const isSubscription = documentAST?.definitions.some(
    ({ kind, operation, name }) =>
      kind === 'OperationDefinition' &&
      operation === 'subscription' &&
      (!params.operationName || name?.value === params.operationName),
  );
  return isSubscription ? subscribe(params, headers) : request(params, headers);
}

async function request(params, headers) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { accept: 'application/graphql-response+json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  return response.json();
}

function subscribe(params, connectionParams) {
  const url = location.href.replace(/^http/, 'ws').replace(/[?#].*/s, '');
  const client = graphqlWs.createClient({ url, connectionParams, retryAttempts: 0 });
  return {
    subscribe(observer) {
      const unsubscribe = client.subscribe(params, {
        next: (result) => observer.next(result),
        complete: () => observer.complete(),
        error(error) {
          // GraphiQL shows errors of the operation like any other result.
          if (!Array.isArray(error)) return observer.error(closed(error));
          observer.next({ errors: error });
          observer.complete();
        },
      });
      return { unsubscribe };
    },
  };
}

const closed = ({ code, reason }) =>
  new Error('The websocket was closed' + (code === undefined ? '.' : ': ' + code + ' ' + reason));
`;

/**
 * The storage of GraphiQL's tabs and history, separate for each user of `/graphql?as=name`. All windows share one
 * `localStorage`, so GraphiQL would otherwise show one user's tabs to the other.
 */
const STORAGE = `
const as = new URLSearchParams(location.search).get('as') ?? '';
const prefix = as === '' ? '' : 'as:' + as + ':';
const ownKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
const storage = {
  getItem: (key) => localStorage.getItem(prefix + key),
  setItem: (key, value) => localStorage.setItem(prefix + key, value),
  removeItem: (key) => localStorage.removeItem(prefix + key),
  clear: () => ownKeys().forEach((key) => localStorage.removeItem(key)),
  get length() {
    return ownKeys().length;
  },
};
`;

/** A line above GraphiQL, which otherwise has the height of the window. */
const ALERT = `
function alertAbove(text) {
  const style = document.createElement('style');
  style.textContent =
    'body { display: flex; flex-direction: column; height: 100vh }' +
    '#root { flex: 1; min-height: 0 }' +
    '#root .graphiql-container { height: 100% }' +
    '#alert { margin: 0; padding: 12px 16px; background: #fff3c4; color: #3d2f00; font: 15px/1.4 system-ui }';
  const line = document.createElement('p');
  line.id = 'alert';
  line.setAttribute('role', 'alert');
  line.textContent = text;
  document.head.append(style);
  document.body.prepend(line);
}
`;
