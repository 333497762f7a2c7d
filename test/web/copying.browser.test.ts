import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable, complaintsOf } from '../support/clients/browser.ts';
import { freshWindow } from '../support/clients/windows.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, hasFocus, message } from './support/pages.ts';
import { roomMenu, useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, copying on a page without HTTPS', () => {
  const web = useRooms();

  async function opened(name: string) {
    const { path } = await web.room({ name, members: ['aki'] });
    const page = await freshWindow(web.browser);
    // As browsers have it there.
    await page.addInitScript('delete Navigator.prototype.clipboard');
    const complaints = complaintsOf(page, web.app.url);
    await page.goto(`${web.app.url}${path}?as=aki`);
    await composerOf(page).waitFor();
    return { page, complaints };
  }

  const pasted = async (page: Page): Promise<string> => {
    await composerOf(page).fill('');
    await composerOf(page).press('ControlOrMeta+v');
    return composerOf(page).inputValue();
  };

  it('copies code, and a link in a dialog; focus and selection stay', async () => {
    const { page, complaints } = await opened('Press');
    await composerOf(page).fill('```\nlet  it = be;\n```');
    await composerOf(page).press('Enter');
    await message(page, 'let  it = be;').waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('[role=article] pre'))");
    const button = page.getByRole('button', { name: 'Copy code' });
    await button.press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    await comesTo(() => hasFocus(button), true);
    expect(await page.evaluate('String(getSelection()).trim()')).toBe('let  it = be;');
    expect(await pasted(page)).toBe('let  it = be;');

    await roomMenu(page, 'Invite links');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const link = await dialog.getByRole('textbox', { name: 'Invite link' }).inputValue();
    const copy = dialog.getByRole('button', { name: /^Copy/ });
    await copy.press('Enter');
    await page.getByText('Link copied', { exact: true }).waitFor();
    await comesTo(() => hasFocus(copy), true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await pasted(page)).toBe(link);
    expect(complaints).toEqual([]);
  });

  it('says that the browser did not allow it', async () => {
    const { page } = await opened('Stamp');
    await page.evaluate('document.execCommand = () => false');
    await roomMenu(page, 'Copy link');
    await page.getByText('The browser didn’t allow copying.').waitFor();
  });

  it('shows a new invite link that it could not copy: it can be copied by another click', async () => {
    const { page, complaints } = await opened('Envelope');
    // A browser that allows it only at the moment of a click, and not after a request.
    await page.evaluate(`
      const copy = document.execCommand.bind(document);
      document.execCommand = (...command) => globalThis.isAllowed === true && copy(...command);
    `);
    const copyButton = page.getByRole('button', { name: 'Copy invite link' });
    await copyButton.click();
    await page.getByText('Couldn’t copy it. Select the text').waitFor();
    const field = page.getByRole('textbox', { name: 'Invite link' });
    await comesTo(() => hasFocus(field), true);
    const link = await field.inputValue();
    expect(link).toMatch(/\/invite\//);
    expect(await page.evaluate('String(getSelection())')).toBe(link);
    expect(await findings(page)).toEqual([]);
    await page.evaluate('globalThis.isAllowed = true');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Link copied', { exact: true }).waitFor();
    expect(await pasted(page)).toBe(link);
    // The same one again, which is not needed on the page any more.
    await copyButton.click();
    await field.waitFor({ state: 'detached' });
    expect(await pasted(page)).toBe(link);
    expect(complaints).toEqual([]);
  });
});
