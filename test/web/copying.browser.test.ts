import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable, complaintsOf } from '../support/clients/browser.ts';
import { freshWindow } from '../support/clients/windows.ts';
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
    await page.getByText('Couldn’t copy it.').waitFor();
  });
});
