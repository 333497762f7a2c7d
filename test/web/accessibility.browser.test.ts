import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { findings } from './support/axe.ts';
import { demoIsDelivered } from './support/notificationState.ts';
import { comesTo, composerOf, hasFocus, message, open, roomLink, startWeb } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, accessibility', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
    await demoIsDelivered(app);
  });
  afterAll(() => app?.stop());

  it.each([
    ['light', 'en-GB', { width: 1280, height: 800 }],
    ['dark', 'ja-JP', { width: 1280, height: 800 }],
    ['light', 'ja-JP', { width: 360, height: 740 }],
  ] as const)('views: have no axe findings in %s, %s, at %o', async (colorScheme, locale, viewport) => {
    const options = { colorScheme, locale, viewport, reducedMotion: 'reduce' } as const;
    const { page } = await open({ browser: browser(), url: app.url, as: 'no-demo-user', fresh: options });
    await page.getByRole('button', { name: /Ben|石田健司/ }).waitFor();
    expect(await findings(page)).toEqual([]);

    await page.goto(`${app.url}/settings?as=aki`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto(app.url);
    await roomLink(page, 'Lobby').waitFor();
    expect(await findings(page)).toEqual([]);
    await roomLink(page, 'Lobby').click();
    await message(page, 'Did the release').getByRole('link').click();
    await message(page, 'It did, at 23:40').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);

    await page.keyboard.press('Escape');
    await page
      .locator('header')
      .getByRole('button', { name: /4 members|メンバー 4 人/ })
      .click();
    await page.getByText('@chie').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it.each([
    ['light', 'en-GB', { width: 1280, height: 800 }],
    ['dark', 'ja-JP', { width: 1280, height: 800 }],
    ['light', 'ja-JP', { width: 360, height: 740 }],
  ] as const)(
    'saved messages: have no axe findings in %s, %s, at %o',
    async (colorScheme, locale, viewport) => {
      const options = { colorScheme, locale, viewport, reducedMotion: 'reduce' } as const;
      const { page } = await open({
        browser: browser(),
        url: app.url,
        as: 'aki',
        path: '/saved',
        fresh: options,
      });
      const rows = page.locator('li[data-index]');
      await rows.first().waitFor();
      const tag = page.locator('a[href*="/saved/tags/"]').first();
      await tag.waitFor({ state: 'attached' });
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
      await page.goto(new URL((await tag.getAttribute('href')) ?? '', page.url()).href);
      await rows.first().waitFor();
      expect(await findings(page)).toEqual([]);
      await rows.first().getByRole('checkbox').click();
      expect(await findings(page)).toEqual([]);
      for (const name of [/^Change “|」を変更$/, /^Download…$|^ダウンロード…$/]) {
        await page.getByRole('button', { name }).first().click();
        await page.getByRole('dialog').waitFor();
        expect(await findings(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    },
  );

  it('dialogs and menus: have no axe findings', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    for (const name of ['Browse rooms', 'Create room']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog', { name }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menu').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('keyboard: reaches rooms, messages, a thread and the composer', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'ben' });
    await roomLink(page, 'Tea').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('heading', { level: 1, name: 'Engineering' }).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    await message(page, 'Osaka team').focus();
    const focused = () => page.evaluate('document.activeElement?.textContent');
    const focusComesTo = (text: string) => eventually(async () => expect(await focused()).toContain(text));
    // A key of the browser, which the list must not handle.
    await page.keyboard.press('Control+ArrowUp');
    expect(await focused()).toContain('Osaka team');
    await page.keyboard.press('k');
    await focusComesTo('New here, hello');
    await page.keyboard.press('j');
    await focusComesTo('Osaka team');
    await page.keyboard.press('ArrowUp');
    await focusComesTo('New here, hello');
    await page.keyboard.press('t');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('Welcome, Dana!').waitFor();
    await comesTo(() => hasFocus(thread.getByRole('textbox')), true);
    await thread.getByRole('button', { name: 'Close thread' }).press('Enter');
    await thread.waitFor({ state: 'detached' });
    await focusComesTo('New here, hello');
    await page.keyboard.press('t');
    await thread.getByRole('textbox').waitFor();
    await page.keyboard.press('Escape');
    await thread.waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await comesTo(() => hasFocus(composerOf(page)), true);
    expect(complaints).toEqual([]);
  });

  it('single-key shortcuts: can be turned off and on, in this browser', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await roomLink(page, 'Lobby').click();
    const row = message(page, 'Osaka team');
    await row.focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const theSwitch = keys.getByRole('switch', { name: 'Single-key shortcuts', checked: true });
    await theSwitch.press('Space');
    await theSwitch.waitFor({ state: 'detached' });
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });

    // The setting is stored in the browser, so it survives a reload.
    await page.reload();
    await row.focus();
    const address = page.url();
    for (const key of ['?', 'c', 't', 'l', 'e', 'u', 's', 'k']) await page.keyboard.press(key);
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(page.url()).toBe(address);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
    await roomLink(page, 'Tea').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('heading', { level: 1, name: 'Tea' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByText('New', { exact: true }).count()).toBe(0);

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await keys.getByRole('switch', { checked: false }).click();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await message(page, 'hojicha').focus();
    await page.keyboard.press('c');
    await comesTo(() => hasFocus(composerOf(page)), true);
    expect(complaints).toEqual([]);
  });
});
