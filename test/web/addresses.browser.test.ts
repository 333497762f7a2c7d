/** The pages at addresses that are not rooms: their titles, and what is shown if there is none. */
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, addresses', () => {
  const web = useNotifications();

  it.each([
    ['en-GB', ['Threads', 'Saved', 'Settings', 'Notifications outside the page']],
    ['ja-JP', ['スレッド', '保存済み', '設定', 'ページを閉じているときの通知']],
  ])('titles: each page has its name in the window’s title (%s)', async (locale, names) => {
    const { page, complaints } = await web.as('ben', { fresh: { locale } });
    const paths = ['/threads', '/saved/reminders', '/settings', '/settings/notifications'];
    for (const [i, path] of paths.entries()) {
      await page.goto(`${web.app.url}${path}`);
      await comesTo(
        async () => (await page.title()).replace(/^\(\d+\) /, ''),
        `${names[i]} · Ben Okafor · Tsudoi`,
      );
    }
    expect(complaints).toEqual([]);
  });

  it('no page: has no name in the window’s title, and nothing at the side is the current page', async () => {
    const { page, complaints } = await web.as('ben');
    for (const path of ['/saved/nope', '/saved/tags', '/settings/nope']) {
      await page.goto(`${web.app.url}${path}`);
      await page.getByRole('heading', { level: 1, name: 'There is no page at this address.' }).waitFor();
      await comesTo(async () => (await page.title()).replace(/^\(\d+\) /, ''), 'Ben Okafor · Tsudoi');
      expect(await page.locator('[aria-current=page]').count()).toBe(0);
    }
    await page.goto(`${web.app.url}/saved/tags/trips`);
    await page.locator('nav [aria-current=page]', { hasText: 'Saved' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('a list of saved messages that does not exist: the page says so', async () => {
    const { page, complaints } = await web.as('ben', { path: '/saved/nope' });
    await page.getByRole('heading', { level: 1, name: 'There is no page at this address.' }).waitFor();
    await page.goto(`${web.app.url}/saved/reminders`);
    await page.getByRole('heading', { level: 1, name: 'Saved Reminders' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
