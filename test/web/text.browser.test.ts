import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, message, open, startWeb } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, text', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('text: keeps empty lines, indentation and tasks, and shows emoji large', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    const field = composerOf(page);
    const body = '  Indented:\n    twice\n\n\n- [ ] tea\n- [x] rice\n\nEnd';
    await field.fill(body);
    await field.press('Enter');
    const sent = message(page, 'Indented:');
    const text = sent.locator('[dir=auto] p').first();
    expect(await text.textContent()).toBe('  Indented:    twice');
    expect(await text.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('pre-wrap');
    expect(await sent.getByRole('img', { name: 'Not done' }).count()).toBe(1);
    expect(await sent.getByRole('img', { name: 'Done', exact: true }).count()).toBe(1);
    await field.fill('🎉🍵');
    await field.press('Enter');
    const size = (of: string) =>
      message(page, of)
        .getByText(of)
        .first()
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    await comesTo(async () => (await size('🎉🍵')) > 1.5 * (await size('End')), true);
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('code: Enter begins a line in it, every space stays, it is colored and copied', async () => {
    const { page, openRoom, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'ben',
      fresh: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await openRoom('Lobby');
    const field = composerOf(page);
    await field.pressSequentially('```ts');
    await field.press('Enter');
    await field.pressSequentially('const  cups = 2;');
    await field.press('Enter');
    await field.press('Enter');
    await field.pressSequentially('\tpour(cups);');
    await field.press('Enter');
    await field.pressSequentially('```');
    expect(await field.inputValue()).toBe('```ts\nconst  cups = 2;\n\n\tpour(cups);\n```');
    await field.press('Enter');
    const code = message(page, 'const').locator('pre');
    expect(await code.textContent()).toBe('const  cups = 2;\n\n\tpour(cups);');
    await code.locator('span').filter({ hasText: 'const' }).waitFor();
    await message(page, 'const').hover();
    await message(page, 'const').getByRole('button', { name: 'Copy code' }).click();
    await page.getByText('Copied').waitFor();
    await comesTo(() => page.evaluate('navigator.clipboard.readText()'), 'const  cups = 2;\n\n\tpour(cups);');
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('edited: the note is behind the last word, not on a line of its own', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'chie' });
    await openRoom('Lobby');
    await say('Short');
    const height = () => message(page, 'Short').evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    await composerOf(page).press('ArrowUp');
    const edit = page.getByRole('textbox', { name: 'Edit message' });
    await edit.fill('Shorter');
    await edit.press('Enter');
    await message(page, 'Shorter').getByText('(edited)').waitFor();
    expect(await height()).toBe(before);
    expect(complaints).toEqual([]);
  });
});
