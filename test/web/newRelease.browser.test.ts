import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { freshWindow } from '../support/clients/windows.ts';
import { inTime } from '../support/time/eventually.ts';
import { findings } from './support/axe.ts';
import { type Front, startFront } from './support/front.ts';
import { useRooms } from './support/rooms.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const isCheck = ({ url, headers }: IncomingMessage) => url === '/' && headers['sec-fetch-mode'] === 'cors';

describe.skipIf(!browserAvailable)('web, a new release', () => {
  const web = useRooms();
  let front: Front;
  beforeAll(async () => {
    front = await startFront(web.app.url);
  });
  afterAll(() => front?.stop());

  it.each([
    ['en-GB', 'A new version is ready.', 'Reload', 'Not now', { width: 1280, height: 720 }],
    ['ja-JP', '新しいバージョンがあります。', '再読み込み', '後で', { width: 360, height: 740 }],
  ] as const)(
    'is announced in %s when the server is back',
    async (locale, ready, reload, later, viewport) => {
      front.answer(() => undefined);
      const fresh = { locale, viewport, reducedMotion: 'reduce' } as const;
      const page = await freshWindow(web.browser, fresh);
      // Only a page that has been connected can lose the connection.
      const connected = new Promise<void>((resolve) => {
        page.on('websocket', (socket) => socket.once('framereceived', () => resolve()));
      });
      await page.goto(`${front.url}/settings?as=aki`);
      await inTime(connected, () => 'The page was not connected.');
      await page.locator('[data-release]').waitFor({ state: 'attached' });
      const notice = page.getByText(ready);

      let restarts = 0;
      /** The server is away, and has this page when it is back. */
      const restart = async (body: string) => {
        // A check may still be under way, and scripts that are loaded late ask whether the server is up.
        const headers = { ...HTML, 'x-restart': String(++restarts) };
        const checked = page.waitForResponse(
          (response) =>
            response.headers()['x-restart'] === headers['x-restart'] && response.request().method() === 'GET',
        );
        front.answer((request) => (isCheck(request) ? { status: 200, headers, body } : undefined));
        front.drop();
        await (await checked).finished();
      };
      const html = await (await fetch(front.url)).text();
      await restart(html);
      await restart('<h1>Sign in to the Wi-Fi</h1>');
      // By this check, the page has handled the previous answer.
      await restart(html);
      expect(await notice.count()).toBe(0);
      const next = html.replace('/assets/index-', '/assets/index-next-');
      expect(next).not.toBe(html);
      await restart(next);
      await notice.waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);

      await page.getByRole('button', { name: later }).click();
      await notice.waitFor({ state: 'detached' });
      await restart(next);
      // A new page that loses the connection must not find another release.
      front.answer(() => undefined);
      await Promise.all([
        page.waitForEvent('domcontentloaded'),
        page.getByRole('button', { name: reload }).click(),
      ]);
      await notice.waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await notice.count()).toBe(0);
    },
  );
});
