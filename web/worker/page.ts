/**
 * The page and its scripts, for the time without the server. Only these two kinds of requests are handled: a page that
 * is opened, and files whose names have a hash of their content. Requests of the API never come through here.
 */
declare const self: ServiceWorkerGlobalScope;

const CACHE = 'tsudoi:page';
const PAGE = '/';
const FILES = '/assets/';
/** Several releases. The oldest files are deleted first. */
const FILES_MAX = 400;
/** What the server writes into the page for this visit, tokens of demo users among it. */
const DATA = /(<script id="server" type="application\/json">)([^<]*)(?=<\/script>)/;
/** The headers of the page that are kept with it. */
const HEADERS = [
  'content-type',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
];
/** A page that has not come in this time is shown as it was kept, in milliseconds. */
const WAIT_MS = 4_000;
/** A proxy or a load balancer answers with these while the server cannot be reached. */
const UNREACHABLE: ReadonlySet<number> = new Set([502, 503, 504]);
/** The types of files, by the ends of their names. Some proxies answer with a page of theirs, and the status 200. */
const TYPES: Readonly<Record<string, RegExp>> = {
  js: /^(text|application)\/javascript\b/,
  css: /^text\/css\b/,
  svg: /^image\/svg\+xml\b/,
};
const HTML = /^text\/html\b/;
/** Pages of the server that are not the client. */
const OTHER_PAGES = /^\/(graphql|graphiql|unsubscribe|healthz|readyz|metrics)\b/;

/** In the demo, `as` chooses a user, whose token only the server's page has. */
const isOther = ({ pathname, searchParams }: URL): boolean =>
  OTHER_PAGES.test(pathname) || searchParams.has('as');

/** The answer to a request of a page; undefined if it is none of ours. */
export function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  const url = new URL(request.url);
  const { origin, pathname, search } = url;
  if (request.method !== 'GET' || origin !== self.location.origin) return undefined;
  if (request.mode === 'navigate') return isOther(url) ? undefined : pageFor(request);
  return pathname.startsWith(FILES) && search === '' ? file(event) : undefined;
}

/** The server's page, which is the newest. If the server cannot be reached in time it is the one that was kept. */
async function pageFor(request: Request): Promise<Response> {
  const answer = fetch(request);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WAIT_MS));
  const inTime = await Promise.race([answer.catch(() => undefined), late]);
  if (inTime !== undefined && !UNREACHABLE.has(inTime.status)) return inTime;
  return (await caches.match(PAGE, { cacheName: CACHE })) ?? answer;
}

/** The name says which content it is, so a file that is kept is never old. */
async function file(event: FetchEvent): Promise<Response> {
  const { url } = event.request;
  const kept = await keptFile(url);
  if (kept !== undefined) return kept;
  const response = await fetch(event.request);
  if (isFile(response, url)) {
    const copy = response.clone();
    const put = async () => (await caches.open(CACHE)).put(url, copy);
    // A browser without space keeps nothing.
    event.waitUntil(put().catch(() => {}));
  }
  return response;
}

/** An earlier release kept any answer with the status 200. */
async function keptFile(path: string): Promise<Response | undefined> {
  const kept = await caches.match(path, { cacheName: CACHE });
  return kept !== undefined && isFile(kept, path) ? kept : undefined;
}

/** Whether the response is the file itself. A page in its place would stay there for good. */
function isFile(response: Response, path: string): boolean {
  const expected = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  const type = typeOf(response);
  return isDirect(response) && (expected?.test(type) ?? !HTML.test(type));
}

const isDirect = ({ status, redirected }: Response): boolean => status === 200 && !redirected;
const typeOf = ({ headers }: Response): string => headers.get('content-type') ?? '';

/** Users sign in at the same provider when the server is back. The tokens of demo users are not kept. */
function keptData(json: string): string {
  const { signIn } = JSON.parse(json) as { readonly signIn?: unknown };
  return JSON.stringify({ signIn }).replaceAll('<', '\\u003c');
}

/**
 * Keeps the page with the files that an open one has loaded. If the server has another release by now, the next one
 * does.
 */
export async function keepPage(files: readonly string[]): Promise<void> {
  const response = await fetch(PAGE, { cache: 'no-store' });
  const received = await response.text();
  if (!isDirect(response) || !HTML.test(typeOf(response)) || !DATA.test(received)) return;
  const html = received.replace(DATA, (_, element: string, data: string) => element + keptData(data));
  const needed = [...html.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  // Without files it is not the client: the server has a page that says how to build it.
  if (needed.length === 0 || !needed.every((path) => files.includes(path))) return;
  const cache = await caches.open(CACHE);
  for (const path of files) {
    if ((await keptFile(path)) !== undefined) continue;
    const loaded = await fetch(path);
    if (!isFile(loaded, path)) return;
    await cache.put(path, loaded);
  }
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
