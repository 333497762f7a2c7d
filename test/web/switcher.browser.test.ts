import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { composerOf, open, startWeb } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, switcher', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('Ctrl+K: opens rooms, the newest first, people and actions by a few characters', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    await openRoom('Tea');
    await composerOf(page).press('Control+k');
    const field = page.getByRole('combobox', { name: 'Rooms, people, actions' });
    const chosen = page.getByRole('option', { selected: true });
    await chosen.filter({ hasText: 'Tea' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await field.press('ArrowDown');
    await chosen.filter({ hasText: 'Lobby' }).waitFor();
    await field.press('Enter');
    await page.getByLabel('Message Lobby').waitFor();

    await page.keyboard.press('Control+k');
    await field.fill('brthd');
    await chosen.filter({ hasText: 'Birthday for Dana' }).waitFor();
    await field.press('Enter');
    await page.getByLabel('Message Birthday for Dana').waitFor();

    await page.keyboard.press('Control+k');
    await field.fill('@chie');
    await chosen.filter({ hasText: 'Chie Mori' }).waitFor();
    await field.press('Enter');
    await page.getByLabel('Message Chie Mori').waitFor();

    // By the word of the other language. The dialog of the action has the focus.
    await page.getByRole('button', { name: /^Jump to/ }).click();
    await field.fill('参加');
    await chosen.filter({ hasText: 'Browse rooms' }).waitFor();
    await field.press('Enter');
    const search = page.getByRole('searchbox', { name: 'Search rooms' });
    await search.fill('no such room');
    await page.getByText('No rooms found.').waitFor();
    await search.fill('lob');
    await page.getByRole('button', { name: 'Open Lobby' }).waitFor();
    expect(await page.getByText('No rooms found.').isVisible()).toBe(false);
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('Ctrl+K: opens the settings, and signs out only when that is asked for by name', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'chie' });
    const field = page.getByRole('combobox', { name: 'Rooms, people, actions' });
    const chosen = page.getByRole('option', { selected: true });
    const wanted = async (text: string, name: string) => {
      await page.getByRole('button', { name: /^Jump to/ }).click();
      await field.fill(text);
      await chosen.filter({ hasText: name }).waitFor();
    };
    await wanted('テーマ', 'Settings');
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();

    await wanted('log out', 'Sign out');
    await field.fill('');
    await page.getByRole('option', { name: 'Settings', exact: false }).first().waitFor();
    expect(await page.getByRole('option', { name: 'Sign out' }).count()).toBe(0);
    await field.fill('サインアウト');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Dana' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('Ctrl+K: is in Japanese, and fits into 360 pixels', async () => {
    const { page, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'aki',
      look: { viewport: { width: 360, height: 640 } },
      fresh: { locale: 'ja-JP' },
    });
    await page.getByRole('button', { name: /Ctrl\+K/ }).click();
    await page.getByRole('combobox', { name: 'ルーム、人、操作' }).fill('lobby');
    await page.getByRole('option', { name: /Lobby/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
