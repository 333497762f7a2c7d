import { GRAPHIQL_FETCHER } from './graphiqlFetcher.ts';
import { createPage, type Page } from './pages.ts';

export interface GraphiQLOptions {
  /** What the editor shows to who comes for the first time. */
  readonly defaultQuery: string;
  /** What the headers editor shows: JSON. */
  readonly headers: string;
}

const START = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * The GraphiQL page, all of it in one file that asks for nothing from elsewhere. Made when it is first
 * asked for, as it weighs 9 MB; the promise is kept.
 */
export function createGraphiQL({ defaultQuery, headers }: GraphiQLOptions): () => Promise<Page> {
  let page: Promise<Page> | undefined;
  return () => {
    page ??= render({ defaultQuery, headers });
    page.catch(() => {
      page = undefined;
    });
    return page;
  };
}

async function render(options: GraphiQLOptions): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({ title: 'Tsudoi' });
  // The page ends with the call that starts GraphiQL, whose options are JSON. A fetcher is not, and ours is
  // needed for subscriptions: the library's own sends nothing from the headers editor over the websocket.
  const start = html.lastIndexOf(START);
  if (start === -1) throw new Error('The GraphiQL page does not end as expected.');
  return createPage(`${html.slice(0, start)}${GRAPHIQL_FETCHER}
${START}document.getElementById('root'), {
  title: 'Tsudoi',
  defaultQuery: ${literal(options.defaultQuery)},
  headers: ${literal(options.headers)},
  // Tokens are not left behind in the browser, and queries not in its address bar.
  shouldPersistHeaders: false,
  onEditQuery() {},
  fetcher,
});
</script></body></html>`);
}

/** A text as a literal inside a script, in which nothing can end the script. */
const literal = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');
