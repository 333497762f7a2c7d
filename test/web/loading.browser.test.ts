import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { demoIsDelivered } from './support/notificationState.ts';
import { message, open, roomLink, startWeb } from './support/pages.ts';

/**
 * The most that may move while a page loads, by the browser's own measure: a quarter of what counts as good. On a phone
 * the rooms with unread messages move to the top (0.013), and a header that appears late is 0.03 on a desk.
 */
const MOST = 0.025;

/** What a browser may receive until a room is shown that its address leads to: 300 kB. */
const MOST_BYTES = 300_000;

const OBSERVE = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const names = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80));
      if (!hadRecentInput) window.shifts.push({ value, names });
    }
  }).observe({ type: 'layout-shift', buffered: true })`;

const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

interface Shift {
  readonly value: number;
  readonly names: readonly string[];
}

/**
 * Shows the page of an address in small steps: the page without data is drawn as soon as it is known
 * who the viewer is, and each answer of the API before the next one.
 */
async function shiftsAt(
  page: Page,
  address: string,
  isShown: () => Promise<unknown>,
): Promise<readonly Shift[]> {
  // A late request of the page before, such as that it was read, is not the first one of this page.
  await page.goto('about:blank');
  let isFirst = true;
  let drawn: Promise<unknown> = Promise.resolve();
  await page.route('**/graphql', async (route) => {
    const needsPage = !isFirst;
    isFirst = false;
    const turn = drawn.then(async () => {
      if (needsPage) await page.locator('#main').waitFor();
      await page.evaluate(FRAMES);
      await route.fulfill({ response: await route.fetch() });
      await page.evaluate(FRAMES);
    });
    // The page that asked may be gone.
    drawn = turn.catch(() => {});
    await drawn;
  });
  await page.goto(address);
  await isShown();
  await page.evaluate(FRAMES);
  await page.unroute('**/graphql');
  return page.evaluate('window.shifts');
}

describe.skipIf(!browserAvailable)('web, loading a page', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
    await demoIsDelivered(app);
  });
  afterAll(() => app?.stop());

  it.each([
    ['en-GB', { width: 1280, height: 800 }],
    ['ja-JP', { width: 360, height: 740 }],
  ] as const)('layout: moves nothing that is shown already, in %s, at %o', async (locale, viewport) => {
    const { page, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'aki',
      fresh: { locale, viewport },
    });
    const lobby = (await roomLink(page, 'Lobby').getAttribute('href')) ?? '';
    await page.addInitScript(OBSERVE);
    const views: Readonly<Record<string, () => Promise<unknown>>> = {
      '/': () => roomLink(page, 'Tea').waitFor(),
      [lobby]: () => message(page, 'Osaka team').waitFor(),
      [`${lobby}/members`]: () => page.getByText('@chie').waitFor(),
      '/saved': async () => {
        await page.getByRole('article').first().waitFor();
        await page.getByRole('navigation').getByText('DynamoDB').waitFor();
      },
      '/threads': () => page.getByRole('main').getByRole('listitem').first().waitFor(),
    };
    for (const [path, isShown] of Object.entries(views)) {
      const shifts = await shiftsAt(page, `${app.url}${path}`, isShown);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect(sum, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(MOST);
    }
    expect(complaints).toEqual([]);
  });

  it('a room by its address: comes with at most 300 kB, compressed, as a browser without a cache receives it', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'aki', fresh: {} });
    const lobby = (await roomLink(page, 'Lobby').getAttribute('href')) ?? '';
    const token = await page.evaluate("sessionStorage.getItem('tsudoi:token')");
    const context = await browser().newContext({ serviceWorkers: 'block' });
    const first = await context.newPage();
    await first.addInitScript(`sessionStorage.setItem('tsudoi:token', ${JSON.stringify(token)})`);
    const network = await context.newCDPSession(first);
    await network.send('Network.enable');
    const bytes = new Map<string, number>();
    const names = new Map<string, string>();
    network.on('Network.requestWillBeSent', ({ requestId, request }) => names.set(requestId, request.url));
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
      bytes.set(requestId, encodedDataLength),
    );
    await first.goto(`${app.url}${lobby}`);
    await message(first, 'Osaka team').waitFor();
    await first.waitForLoadState('networkidle');
    const parts = [...bytes].map(([id, size]) => ({ name: names.get(id) ?? '', size }));
    const sum = parts.reduce((total, { size }) => total + size, 0);
    // The first script, styles and answers are among them.
    expect(parts.length).toBeGreaterThan(5);
    expect(sum, JSON.stringify(parts)).toBeLessThan(MOST_BYTES);
    await context.close();
    expect(complaints).toEqual([]);
  });

  it('scripts of menus and panels: are loaded when the pointer moves, and not before', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'aki', fresh: {} });
    const lobby = (await roomLink(page, 'Lobby').getAttribute('href')) ?? '';
    await page.clock.install();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await page.goto(`${app.url}${lobby}`);
    await message(page, 'Osaka team').waitFor();
    await page.clock.runFor(10_000);
    const isLate = (path: string) => /\/(Switcher|MembersPane|Panel)-/.test(path);
    expect(scripts.filter(isLate)).toEqual([]);
    const loaded = page.waitForRequest((request) => isLate(request.url()));
    await page.mouse.move(300, 300);
    await loaded;
    expect(complaints).toEqual([]);
  });
});
