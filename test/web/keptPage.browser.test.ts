import type { IncomingMessage } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Front, startFront } from './support/front.ts';
import { comesTo, open, roomLink } from './support/pages.ts';
import { useRooms } from './support/rooms.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PORTAL = { status: 200, headers: HTML, body: '<h1>Sign in to the Wi-Fi</h1>' };

const keptPage = (page: Page): Promise<string> =>
  page.evaluate(`caches.match('/', { cacheName: 'tsudoi:page' }).then((kept) => kept?.text() ?? '')`);

const isVisit = ({ headers }: IncomingMessage) => headers['sec-fetch-mode'] === 'navigate';

describe.skipIf(!browserAvailable)('web, the kept page behind a proxy', () => {
  const web = useRooms();
  let front: Front;
  beforeAll(async () => {
    front = await startFront(web.app.url);
  });
  afterAll(() => front?.stop());

  const clientPage = async (): Promise<string> => (await fetch(web.app.url)).text();

  /** A page whose worker has kept it, and answers its requests. */
  async function visit(): Promise<Page> {
    front.answer(() => undefined);
    const { page } = await open({
      browser: web.browser,
      url: front.url,
      as: 'aki',
      fresh: { serviceWorkers: 'allow' },
    });
    await comesTo(async () => (await keptPage(page)) !== '', true);
    await page.reload();
    await roomLink(page, 'Lobby').waitFor();
    expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    // The page has the worker keep the files that it has loaded: none that a test requests is among them.
    await page.evaluate('performance.setResourceTimingBufferSize(0)');
    return page;
  }

  /** Has the worker keep the page, and waits until it has done so or not. */
  const keepAgain = async (page: Page): Promise<void> => {
    // The browser ends workers that have nothing to do.
    await page.evaluate(`fetch('/assets/none.js')`);
    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));
    // An event that a script makes cannot be extended.
    await worker.evaluate(`(async () => {
      const files = (await (await caches.open('tsudoi:page')).keys()).map(({ url }) => new URL(url).pathname);
      const event = new ExtendableMessageEvent('message', {
        data: { type: 'keepPage', files: files.filter((path) => path !== '/') },
      });
      let work;
      event.waitUntil = (promise) => { work = promise; };
      dispatchEvent(event);
      if (work === undefined) throw new Error('The worker did not handle the message.');
      await work;
    })()`);
  };

  it('is shown for 502, 503 and 504, and not for other answers', async () => {
    const page = await visit();
    for (const status of [502, 503, 504]) {
      front.answer((request) =>
        isVisit(request) ? { status, headers: HTML, body: 'Bad gateway' } : undefined,
      );
      await page.reload();
      await roomLink(page, 'Lobby').waitFor();
    }
    // Only the server's page can sign in another user of the demo.
    await page.goto(`${front.url}/?as=ben`);
    await page.getByText('Bad gateway').waitFor();
    front.answer((request) => (isVisit(request) ? PORTAL : undefined));
    // The worker answers here. On a slow machine the page of the portal may come after it has given up.
    await eventually(async () => {
      await page.goto(front.url);
      expect(await page.locator('h1').allTextContents()).toEqual(['Sign in to the Wi-Fi']);
    });
  });

  it('is shown if the server does not answer', async () => {
    const page = await visit();
    front.answer((request) => (isVisit(request) ? 'none' : undefined));
    await page.reload();
    await roomLink(page, 'Lobby').waitFor();
  });

  it('says that the server has a newer release as soon as it is connected', async () => {
    const page = await visit();
    const html = await clientPage();
    const next = html.replace('/assets/index-', '/assets/index-next-');
    expect(next).not.toBe(html);
    front.answer((request) => {
      if (isVisit(request)) return { status: 503, headers: HTML, body: 'Unavailable' };
      return request.url === '/' ? { status: 200, headers: HTML, body: next } : undefined;
    });
    await page.reload();
    await page.getByText('A new version is ready.').waitFor();
  });

  it('is not replaced by a page of a proxy', async () => {
    const page = await visit();
    const before = await keptPage(page);
    front.answer(({ url }) => (url === '/' ? PORTAL : undefined));
    await keepAgain(page);
    expect(await keptPage(page)).toBe(before);
    front.answer(({ url }) =>
      url === '/' ? { status: 302, headers: { location: '/rooms/moved' } } : undefined,
    );
    await keepAgain(page);
    expect(await keptPage(page)).toBe(before);
    const next = `${await clientPage()}<!-- next -->`;
    front.answer(({ url }) => (url === '/' ? { status: 200, headers: HTML, body: next } : undefined));
    // The page may be keeping the one before at this moment.
    await comesTo(async () => {
      await keepAgain(page);
      return (await keptPage(page)).includes('<!-- next -->');
    }, true);
  });

  it('files: only what the name says is kept, and not what the server redirects to', async () => {
    const page = await visit();
    const typeOf = (path: string): Promise<string> =>
      page.evaluate(
        `fetch('${path}', { cache: 'no-store' }).then(({ headers }) => headers.get('content-type'))`,
      );
    const script = { status: 200, headers: { 'content-type': 'text/javascript' }, body: 'export {};' };
    const answers = [PORTAL, { status: 302, headers: { location: '/assets/other.js' } }, script];
    let asked = 0;
    front.answer(({ url }) => {
      if (url === '/assets/late.js') return answers[asked++];
      return url === '/assets/other.js'
        ? { ...script, headers: { 'content-type': 'text/javascript;v=2' } }
        : undefined;
    });
    expect(await typeOf('/assets/late.js')).toContain('text/html');
    expect(await typeOf('/assets/late.js')).toBe('text/javascript;v=2');
    expect(await typeOf('/assets/late.js')).toBe('text/javascript');
    await comesTo(
      () =>
        page.evaluate(`caches.match('/assets/late.js').then((kept) => kept?.headers.get('content-type'))`),
      'text/javascript',
    );
    expect(await typeOf('/assets/late.js')).toBe('text/javascript');
    expect(asked).toBe(3);
  });
});
