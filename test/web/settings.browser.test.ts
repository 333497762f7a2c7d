import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { eventually } from '../support/time/eventually.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, message, open } from './support/pages.ts';
import { heading, useRooms } from './support/rooms.ts';

const attribute = (page: Page, name: string) => page.locator('html').getAttribute(name);
const colour = (page: Page) =>
  page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);

describe.skipIf(!browserAvailable)('web, settings', () => {
  const web = useRooms();

  it('opens from the account menu, and has no accessibility problems in both languages', async () => {
    const { page, complaints } = await web.as('aki');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click();
    await heading(page, 'Settings');
    await page.getByLabel('Handle').waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/settings');
    expect(await findings(page)).toEqual([]);
    // The language is not only this browser's.
    const languages = page.getByRole('group', { name: 'Language' });
    await languages.getByText('Saved in your account, too').waitFor();
    await page.getByText('Theme, density and time are saved in this browser.').waitFor();
    await page.getByLabel('日本語').check();
    await heading(page, '設定');
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(
      await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth),
    ).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByLabel('English').check();
    await heading(page, 'Settings');
    expect(complaints).toEqual([]);
  });

  it('a language that is still loading is shown as chosen', async () => {
    const { page, complaints } = await open({
      browser: web.browser,
      url: web.app.url,
      as: 'ben',
      path: '/settings',
      fresh: {},
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/ja[^/]*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    // The page loads the texts ahead, and may have done so already.
    await page.reload({ waitUntil: 'commit' });
    await page.getByLabel('日本語').click();
    expect(await page.getByLabel('日本語').isChecked()).toBe(true);
    await heading(page, 'Settings');
    release();
    await heading(page, '設定');
    expect(await page.getByLabel('日本語').isChecked()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('nothing moves when the profile is there', async () => {
    const { page, complaints } = await web.as('chie', '/settings');
    await page.getByLabel('Handle').waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/graphql/, async (route) => {
      if (/OwnProfile/.test(`${route.request().url()}${route.request().postData()}`)) await released;
      await route.continue();
    });
    await page.reload();
    const handle = page.getByLabel('Handle');
    await handle.waitFor();
    expect(await handle.isDisabled()).toBe(true);
    const choice = page.getByLabel('English');
    const before = await choice.boundingBox();
    release();
    await comesTo(() => handle.isDisabled(), false);
    expect(await choice.boundingBox()).toEqual(before);
    await page.unrouteAll({ behavior: 'wait' });
    expect(complaints).toEqual([]);
  });

  it('the profile: what was changed is saved and shown at once, and what is wrong is named', async () => {
    const { page, complaints } = await web.as('chie', '/settings');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Name', { exact: true }).fill('Chi Chi');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await save.click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Account' }).getByText('Chi Chi').waitFor();
    expect(await save.isDisabled()).toBe(true);
    const stored = await web.app.dynamo.get(keys.user(await web.idOf('chie')));
    expect(stored).toMatchObject({ displayName: 'Chi Chi', timeZone: 'Asia/Tokyo' });

    await page.getByLabel('Handle').fill('no');
    await save.click();
    await page.getByRole('alert').getByText('A handle has 3 to 20').waitFor();
    await page.getByLabel('Handle').fill('chie');
    await page.getByLabel('Picture').fill('ftp://example.org/me.png');
    await save.click();
    await page.getByRole('alert').getByText('That isn’t the address of a picture.').waitFor();
    await page.getByLabel('Picture').fill('');
    await page.getByLabel('Name', { exact: true }).fill(' ');
    await save.click();
    await page.getByRole('alert').getByText('A name has 1 to 80 characters.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('theme, density and time apply at once, in the other tabs, and after a reload', async () => {
    const { path } = await web.room({ name: 'Clock', members: ['aki', 'ben'] });
    const { page, say } = await web.as('aki', path);
    await composerOf(page).waitFor();
    await say('What time is it?');
    const time = message(page, 'What time is it?').locator('time').first();
    expect(await time.textContent()).toMatch(/^\d\d:\d\d$/);

    const settings = await page.context().newPage();
    await settings.goto(`${web.app.url}/settings?as=aki`);
    await settings.getByLabel('Dark').check();
    await settings.getByLabel('Compact').check();
    await settings.getByLabel('12 hours').check();
    for (const one of [settings, page]) {
      await comesTo(() => attribute(one, 'data-theme'), 'dark');
      // The other tab receives one change after the other.
      await comesTo(() => attribute(one, 'data-density'), 'compact');
    }
    const dark = await colour(settings);
    await comesTo(() => colour(page), dark);
    await eventually(async () => expect(await time.textContent()).toMatch(/^\d{1,2}:\d\d\s[ap]m$/i));
    expect(await findings(page)).toEqual([]);
    await settings.reload();
    await settings.getByLabel('Light').waitFor();
    expect(await settings.getByLabel('Dark').isChecked()).toBe(true);
    await settings.getByLabel('Light').check();
    await comesTo(() => colour(page).then((shown) => shown === dark), false);
    await settings.getByLabel('Like the system').check();
    await settings.getByLabel('Roomy').check();
    await settings.getByLabel('24 hours').check();
    await settings.close();
  });

  it('sign out everywhere: signs this device out, and refuses the token', async () => {
    const { page, complaints } = await web.as('dana', '/settings');
    const id = await web.idOf('dana');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
    await dialog.waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tsudoi' }).waitFor();
    expect(await web.app.dynamo.get(keys.user(id))).toHaveProperty('signedOutAt');
    expect(complaints).toEqual([]);
  });
});
