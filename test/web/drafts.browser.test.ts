import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable, complaintsOf } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { FILL } from './support/fullStorage.ts';
import { comesTo, composerOf, message, open, roomLink, startWeb } from './support/pages.ts';
import { held, refuse } from './support/requests.ts';

describe.skipIf(!browserAvailable)('web, drafts', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('draft: is marked in the list, is there in another tab, and is gone once it was sent or the viewer signed out', async () => {
    const { page, openRoom, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'aki',
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

  it('full storage: rooms open, messages are sent, and drafts stay in their tab', async () => {
    const { page, openRoom, say, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'aki',
      fresh: {},
    });
    await openRoom('Lobby');
    expect(await page.evaluate(FILL)).toBe(2);
    await openRoom('Tea');
    await say('There is space for this');
    await composerOf(page).fill('A thought for later');
    await openRoom('Lobby');
    await composerOf(page).fill('Another one');
    await openRoom('Tea');
    expect(await composerOf(page).inputValue()).toBe('A thought for later');
    await openRoom('Lobby');
    expect(await composerOf(page).inputValue()).toBe('Another one');
    // Once there is space, all of them are kept.
    await page.evaluate(
      'for (const key of Object.keys(localStorage)) if (key.startsWith("full")) localStorage.removeItem(key)',
    );
    await composerOf(page).fill('Another thought');
    await page.reload();
    await openRoom('Tea');
    expect(await composerOf(page).inputValue()).toBe('A thought for later');
    await openRoom('Lobby');
    expect(await composerOf(page).inputValue()).toBe('Another thought');
    expect(complaints).toEqual([]);
  });

  it('draft of a reply: is marked below its message and in the list of threads while the thread is closed', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'ben' });
    await openRoom('Lobby');
    const write = async (text: string, reply: string) => {
      await message(page, text).first().press('t');
      const thread = page.getByRole('complementary', { name: 'Thread' });
      await thread.getByRole('textbox').fill(reply);
      expect(await page.getByRole('link', { name: 'Draft' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await thread.waitFor({ state: 'detached' });
    };
    await write('Did the release', 'Not sure yet');
    await message(page, 'Did the release')
      .getByRole('link', { name: /replies.*Draft$/ })
      .waitFor();
    await page.getByRole('link', { name: 'Threads', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Did the release' }).getByText('Draft').waitFor();

    // Without replies, the mark is the only way back that can be seen.
    await openRoom('Tea');
    await write('hojicha', 'Me too');
    await message(page, 'hojicha').getByRole('link', { name: 'Draft', exact: true }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await comesTo(() => thread.getByRole('textbox').inputValue(), 'Me too');
    await thread.getByRole('textbox').fill('');
    await page.keyboard.press('Escape');
    await thread.waitFor({ state: 'detached' });
    expect(await message(page, 'hojicha').getByRole('link').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('edit: what was written survives a reload, until it is cancelled', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'dana' });
    await openRoom('Lobby');
    await say('Genmaicha, anyone?');
    const field = page.getByRole('textbox', { name: 'Edit message' });
    const edit = async () => {
      await message(page, 'Genmaicha, anyone?').press('e');
      await field.waitFor();
    };
    await edit();
    await field.fill('Genmaicha at four?');
    await page.reload();
    await edit();
    expect(await field.inputValue()).toBe('Genmaicha at four?');
    await field.press('Escape');
    await edit();
    expect(await field.inputValue()).toBe('Genmaicha, anyone?');
    expect(complaints).toEqual([]);
  });

  it('messages that were not sent are forgotten at the sign-out, as drafts are', async () => {
    const { page, openRoom } = await open({ browser: browser(), url: app.url, as: 'chie', fresh: {} });
    await openRoom('Lobby');
    await refuse(page, 'SendMessage', { code: 'UNAVAILABLE' });
    await composerOf(page).fill('Not to be sent later');
    await composerOf(page).press('Enter');
    const kept = () => page.evaluate<string>('JSON.stringify([sessionStorage, localStorage])');
    await comesTo(async () => (await kept()).includes('Not to be sent later'), true);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Chie Mori' }).waitFor();
    expect(await kept()).not.toContain('Not to be sent later');
  });

  it('edit that fails after the sign-out leaves no draft, in this tab and in others', async () => {
    const { page, openRoom, say } = await open({ browser: browser(), url: app.url, as: 'ben', fresh: {} });
    await openRoom('Lobby');
    await say('Sencha, anibody?');
    const other = await page.context().newPage();
    await other.goto(app.url);
    await roomLink(other, 'Lobby').click();
    const tabs = await Promise.all(
      [page, other].map(async (tab) => {
        const answer = held();
        await refuse(tab, 'EditMessage', { code: 'UNAVAILABLE', before: answer.promise });
        await message(tab, 'Sencha, anibody?').press('e');
        const field = tab.getByRole('textbox', { name: 'Edit message' });
        await field.fill('Not to be kept');
        const asked = tab.waitForRequest(
          (request) => request.postData()?.includes('Not to be kept') === true,
        );
        await field.press('Enter');
        await asked;
        return { tab, answer };
      }),
    );

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    for (const { tab } of tabs) await tab.getByRole('button', { name: 'Chie Mori' }).waitFor();
    for (const { tab, answer } of tabs) {
      answer.letGo();
      await tab.getByRole('status').getByText('Try again in a moment.').waitFor();
    }
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Not to be kept');
  });
});
