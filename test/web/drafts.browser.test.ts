import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable, complaintsOf } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { comesTo, composerOf, message, open, roomLink, startWeb } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, drafts', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('draft: is marked in the list, is there in another tab, and is gone once it was sent or the viewer signed out', async () => {
    const { page, openRoom, complaints } = await open({
      ...{ browser: browser(), url: app.url, as: 'aki' },
      fresh: {},
    });
    await openRoom('Lobby');
    expect(await page.title()).toMatch(/Lobby · Aki Tanaka · Tsudoi$/);
    await composerOf(page).fill('Half a thought');
    await openRoom('Tea');
    await roomLink(page, 'Lobby').filter({ hasText: ', draft' }).waitFor();

    const other = await page.context().newPage();
    const others = complaintsOf(other, app.url);
    await other.goto(app.url);
    await roomLink(other, 'Lobby').filter({ hasText: ', draft' }).click();
    await comesTo(() => composerOf(other).inputValue(), 'Half a thought');
    await composerOf(other).press('Enter');
    await message(other, 'Half a thought').waitFor();
    await roomLink(page, 'Lobby').filter({ hasNotText: ', draft' }).waitFor();
    await openRoom('Lobby');
    expect(await composerOf(page).inputValue()).toBe('');

    await composerOf(page).fill('For no one else');
    const kept = () => page.evaluate('JSON.stringify(localStorage)');
    expect(await kept()).toContain('For no one else');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await comesTo(async () => String(await kept()).includes('For no one else'), false);
    expect([...complaints, ...others]).toEqual([]);
  });
});
