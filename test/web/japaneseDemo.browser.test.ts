import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { roomLink, startWeb } from './support/pages.ts';

const handles = async (people: Locator) => (await people.allTextContents()).map((text) => text.split('@')[1]);

describe.skipIf(!browserAvailable)('web, the demo in a Japanese browser', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('offers users whose rooms are in Japanese', async () => {
    const page = await freshWindow(browser(), { locale: 'ja-JP' });
    await page.goto(app.url);
    const offered = page.getByRole('main').getByRole('listitem');
    await offered.first().waitFor();
    expect(await handles(offered)).toEqual(['haruka', 'kenji', 'mio']);
    await offered.first().getByRole('button').click();
    for (const name of ['ロビー', '開発', 'みおさんの誕生日']) await roomLink(page, name).waitFor();
    await roomLink(page, 'ロビー').click();
    await page.getByRole('article').filter({ hasText: 'まず試してほしいことが三つあります' }).waitFor();
    await page.getByRole('button', { name: 'アカウント' }).click();
    await page.getByRole('menuitem', { name: /石田健司/ }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Ben/ }).count()).toBe(0);
  });

  it('an English one offers users whose rooms are in English', async () => {
    const page = await freshWindow(browser(), { locale: 'en-GB' });
    await page.goto(app.url);
    const offered = page.getByRole('main').getByRole('listitem');
    await offered.first().waitFor();
    expect(await handles(offered)).toEqual(['aki', 'ben', 'chie', 'dana']);
  });
});
