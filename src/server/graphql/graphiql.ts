import { createPage, type Page } from '../http/pages.ts';
import { GRAPHIQL_FETCHER } from './graphiqlFetcher.ts';
import { GRAPHIQL_STORAGE } from './graphiqlStorage.ts';

export interface GraphiQLOptions {
  /** What the editor shows to who comes for the first time. */
  readonly defaultQuery: string;
  /** What the variables editor shows then: JSON. */
  readonly variables?: string;
  /** What the headers editor shows: JSON. */
  readonly headers: string;
  /** What it shows instead to who opens `/graphql?as=name`, by name. */
  readonly headersAs?: Readonly<Record<string, string>>;
}

const START = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * The GraphiQL page, all of it in one file that asks for nothing from elsewhere. Made when it is first
 * asked for, as it weighs 9 MB; the promise is kept.
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

async function render({
  defaultQuery,
  variables = '',
  headers,
  headersAs = {},
}: GraphiQLOptions): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({ title: 'Tsudoi' });
  // The page ends with the call that starts GraphiQL, whose options are JSON. A fetcher is not, and ours is
  // needed for subscriptions: the library's own sends nothing from the headers editor over the websocket.
  const start = html.lastIndexOf(START);
  if (start === -1) throw new Error('The GraphiQL page does not end as expected.');
  return createPage(`${html.slice(0, start)}${GRAPHIQL_FETCHER}${GRAPHIQL_STORAGE}
const headersAs = new Map(${literal(Object.entries(headersAs))});
const defaultQuery = ${literal(defaultQuery)};
// GraphiQL finds its tab again by what it showed last, which it notes only once that was edited.
if (storage.getItem('graphiql:tabState') === null) {
  storage.setItem('graphiql:query', defaultQuery);
  storage.setItem('graphiql:variables', ${literal(variables)});
}
document.title = as === '' ? 'Tsudoi' : 'Tsudoi, as ' + as;
${START}document.getElementById('root'), {
  title: 'Tsudoi',
  defaultQuery,
  headers: headersAs.get(as) ?? ${literal(headers)},
  // Tokens are not left behind in the browser, and queries not in its address bar.
  shouldPersistHeaders: false,
  onEditQuery() {},
  storage,
  fetcher,
});
</script></body></html>`);
}

/** A value as a literal inside a script, in which nothing can end the script. */
const literal = (value: string | readonly unknown[]) => JSON.stringify(value).replaceAll('<', '\\u003c');
