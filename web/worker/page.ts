/**
 * The page and its scripts, for the time without the server. Only these two kinds of requests are handled: a page that is
 * opened, and files whose names have a hash of their content. Requests of the API never come through here.
 */
declare const self: ServiceWorkerGlobalScope;

const CACHE = 'tsudoi:page';
const PAGE = '/';
const FILES = '/assets/';
/** Several releases. The oldest files are deleted first. */
const FILES_MAX = 400;
/** What the server writes into the page for this visit, tokens of demo users among it. */
const DATA = /(<script id="server" type="application\/json">)[^<]*(?=<\/script>)/;
/** The headers of the page that are kept with it. */
const HEADERS = [
  'content-type',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
];
/** Pages of the server that are not the client. */
const OTHER_PAGES = /^\/(graphql|graphiql|unsubscribe|healthz|readyz|metrics)\b/;

/** The answer to a request of a page; undefined if it is none of ours. */
export function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return undefined;
  if (request.mode === 'navigate') return OTHER_PAGES.test(pathname) ? undefined : pageFor(request);
  return pathname.startsWith(FILES) && search === '' ? file(event) : undefined;
}

/** The server's page, which is the newest. Only if the server cannot be reached it is the one that was kept. */
async function pageFor(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE, { cacheName: CACHE });
    if (kept === undefined) throw error;
    return kept;
  }
}

/** The name says which content it is, so a file that is kept is never old. */
async function file(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const kept = await caches.match(request.url, { cacheName: CACHE });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    const put = async () => (await caches.open(CACHE)).put(request.url, copy);
    // A browser without space keeps nothing.
    event.waitUntil(put().catch(() => {}));
  }
  return response;
}

/** Keeps the page with the files that an open one has loaded. If the server has another release by now, the next one does. */
export async function keepPage(files: readonly string[]): Promise<void> {
  const response = await fetch(PAGE, { cache: 'no-store' });
  if (!response.ok) return;
  const html = (await response.text()).replace(DATA, '$1{}');
  const needed = [...html.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  if (!needed.every((path) => files.includes(path))) return;
  const cache = await caches.open(CACHE);
  const missing = [];
  for (const path of files) if ((await cache.match(path)) === undefined) missing.push(path);
  await cache.addAll(missing);
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  await cache.put(PAGE, new Response(html, { headers }));
  const kept = (await cache.keys()).filter(({ url }) => !files.includes(new URL(url).pathname));
  const old = kept.filter(({ url }) => new URL(url).pathname !== PAGE);
  for (const entry of old.slice(0, Math.max(0, old.length + files.length - FILES_MAX)))
    await cache.delete(entry);
}
