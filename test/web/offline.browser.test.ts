import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, composerOf, message, roomLink } from './support/pages.ts';

/** The addresses of everything that this browser keeps, by the names of its caches. */
const keptIn = (page: Page): Promise<Readonly<Record<string, readonly string[]>>> =>
  page.evaluate(`(async () => {
    const found = {};
    for (const name of await caches.keys()) {
      const entries = await (await caches.open(name)).keys();
      found[name] = entries.map(({ url }) => new URL(url).pathname);
    }
    return found;
  })()`);

const keptPage = (page: Page): Promise<string> =>
  page.evaluate(`caches.match('/', { cacheName: 'tsudoi:page' }).then((kept) => kept?.text() ?? '')`);

const keptRooms = async (page: Page): Promise<number> =>
  Object.entries(await keptIn(page))
    .filter(([name]) => name.startsWith('tsudoi:rooms:'))
    .flatMap(([, paths]) => paths)
    .filter((path) => path.startsWith('/offline/rooms/')).length;

describe.skipIf(!browserAvailable)('web, without the server', () => {
  const web = useNotifications();
  const asAki = () => web.as('aki', { fresh: { serviceWorkers: 'allow' } });

  it('manifest: browsers can install the page', async () => {
    const { page } = await web.as('aki');
    await page.getByRole('navigation').first().waitFor();
    const session = await page.context().newCDPSession(page);
    const { url, errors: wrong, data } = await session.send('Page.getAppManifest');
    expect({ path: new URL(url).pathname, errors: wrong }).toEqual({
      path: '/manifest.webmanifest',
      errors: [],
    });
    const { icons } = JSON.parse(data ?? '{}') as { icons: { src: string; sizes: string }[] };
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(
        `fetch('${src}').then((file) => file.blob()).then(createImageBitmap).then(({ width, height }) => width + 'x' + height)`,
      );
      expect(size).toBe(sizes);
    }
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // The windows of tests are incognito.
    const errors = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
    expect(errors).toEqual([]);
  });

  it('page: opens offline with the rooms read last, goes on with the draft, and forgets them at sign-out', async () => {
    const alone = await web.room('Diary', ['aki']);
    await web.say(alone, 'aki', 'Only for **me**');
    const aki = await asAki();
    const { page } = aki;
    await aki.openRoom('Lobby');
    await comesTo(() => keptRooms(page), 1);
    await aki.openRoom('Diary');
    await message(page, 'Only for me').waitFor();
    await composerOf(page).fill('Half a thought');
    await comesTo(() => keptRooms(page), 2);
    await comesTo(async () => (await keptPage(page)) !== '', true);

    // Nothing of the API, and no token of the page.
    const kept = Object.values(await keptIn(page)).flat();
    expect(kept.filter((path) => !/^\/($|assets\/|offline\/)/.test(path))).toEqual([]);
    expect(await keptPage(page)).toContain('<script id="server" type="application/json">{}</script>');

    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('Tsudoi can’t be reached').waitFor();
    const diary = page.getByRole('region', { name: 'Messages in Diary' });
    await diary.getByText('Only for me').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Lobby' }).click();
    await page.getByRole('region', { name: 'Messages in Lobby' }).getByRole('listitem').first().waitFor();

    await page.context().setOffline(false);
    await message(page, 'Only for me').waitFor();
    await comesTo(() => composerOf(page).inputValue(), 'Half a thought');

    // Another user of this browser is not shown them.
    const other = await page.context().newPage();
    await other.goto(`${web.app.url}/?as=chie`);
    await roomLink(other, 'Lobby').waitFor();
    await page.context().setOffline(true);
    await other.reload();
    await other.getByText('Tsudoi can’t be reached').waitFor();
    expect(await other.getByText('Only for me').count()).toBe(0);
    await other.close();
    await page.context().setOffline(false);

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    // The page that was kept knows no demo users.
    await page.locator('input[type="password"]').waitFor();
    await comesTo(() => keptRooms(page), 0);
  });

  it('kept rooms: are without those that the viewer has left', async () => {
    const former = await web.room('Attic', ['ben', 'chie']);
    await web.say(former, 'ben', 'Dusty.');
    const { page, openRoom } = await web.as('chie', { fresh: { serviceWorkers: 'allow' } });
    await openRoom('Attic');
    await message(page, 'Dusty.').waitFor();
    await comesTo(() => keptRooms(page), 1);
    await page.getByRole('button', { name: 'More about Attic' }).click();
    await page.getByRole('menuitem', { name: 'Leave room' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave room' }).click();
    await comesTo(() => keptRooms(page), 0);
  });
});
