/** The browser's way back, with dialogs open. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { validTagNames } from '../../src/saved/tagName.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, composerOf, roomLink } from './support/pages.ts';
import { answered, delayAnswer, held } from './support/requests.ts';

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
async function jump(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await dialog(page, 'Jump to').waitFor();
}
async function closeByBack(page: Page): Promise<void> {
  await page.goBack();
  await dialog(page, 'Jump to').waitFor({ state: 'detached' });
}
const pathOf = (page: Page) => page.evaluate<string>('location.pathname');

describe.skipIf(!browserAvailable)('web, back with dialogs', () => {
  const web = useNotifications();

  /** A page with three entries: the start, the lobby, and the room at the end. */
  async function inRoom() {
    const user = await web.as('aki');
    await user.openRoom('Lobby');
    const lobby = await pathOf(user.page);
    await user.openRoom('Tea');
    return { ...user, lobby, room: await pathOf(user.page) };
  }

  it('dialog: closes and leaves the page, and back then leads to the page before', async () => {
    const { page, lobby, room, complaints } = await inRoom();
    await jump(page);
    await closeByBack(page);
    expect(await pathOf(page)).toBe(room);
    expect(await composerOf(page, 'Tea').isVisible()).toBe(true);
    await page.goBack();
    await comesTo(() => pathOf(page), lobby);
    await page.goForward();
    await comesTo(() => pathOf(page), room);
    expect(complaints).toEqual([]);
  });

  it('dialogs in dialogs: close one by one', async () => {
    const room = await web.room('Den', ['ben', 'aki']);
    const { threadTs, ts } = await web.say(room, 'ben', 'Out of sight');
    const key = { user: web.id('aki'), room, threadTs, ts };
    await web.app.services.saved.save(key, { note: 'Why' }, { known: false });
    await web.app.services.rooms.remove({ room, by: web.id('ben'), user: web.id('aki') });
    const { page, complaints } = await web.as('aki', { path: '/saved' });
    await page
      .getByRole('button', { name: /^Change “A message/ })
      .first()
      .click();
    const details = dialog(page, 'Saved message');
    await details.getByRole('button', { name: 'Remove' }).click();
    const confirm = page.getByRole('alertdialog');
    await confirm.waitFor();
    await comesTo(() => page.evaluate('history.state.dialogs'), 2);
    await page.goBack();
    await confirm.waitFor({ state: 'detached' });
    expect(await details.isVisible()).toBe(true);
    await page.goBack();
    await details.waitFor({ state: 'detached' });
    expect(await pathOf(page)).toBe('/saved');
    expect(complaints).toEqual([]);
  });

  it('dialog that was closed otherwise: leaves nothing behind', async () => {
    const { page, lobby, room, complaints } = await inRoom();
    for (const close of ['Escape', 'Close']) {
      await jump(page);
      if (close === 'Escape') await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Close', exact: true }).click();
      await dialog(page, 'Jump to').waitFor({ state: 'detached' });
    }
    await comesTo(() => page.evaluate('history.state'), null);
    // The entry of the dialog is ahead: it leads back to the page.
    await page.evaluate('history.forward()');
    await comesTo(() => page.evaluate('history.state'), null);
    expect(await pathOf(page)).toBe(room);
    await page.goBack();
    await comesTo(() => pathOf(page), lobby);
    expect(complaints).toEqual([]);
  });

  it('dialog that leads to another page: back leads from there to the page beneath it', async () => {
    const { page, lobby, room, complaints } = await inRoom();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Lobby');
    await page.keyboard.press('Enter');
    await comesTo(() => pathOf(page), lobby);
    expect(await page.evaluate('history.state')).toBe(null);
    await page.goBack();
    await comesTo(() => pathOf(page), room);
    await page.goForward();
    await comesTo(() => pathOf(page), lobby);
    await roomLink(page, 'Tea').click();
    await comesTo(() => pathOf(page), room);
    expect(complaints).toEqual([]);
  });

  it('reload with a dialog open: leaves nothing of it in the history', async () => {
    const { page, lobby, room, complaints } = await inRoom();
    await jump(page);
    await page.reload();
    await composerOf(page, 'Tea').waitFor();
    await comesTo(() => page.evaluate('history.state'), null);
    await jump(page);
    await closeByBack(page);
    expect(await pathOf(page)).toBe(room);
    await page.goBack();
    await comesTo(() => pathOf(page), lobby);
    expect(complaints).toEqual([]);
  });

  it('tag that is renamed or deleted: back does not lead to its list', async () => {
    const room = await web.room('Shed', ['ben', 'aki']);
    const { threadTs, ts } = await web.say(room, 'ben', 'A rake');
    const tags = validTagNames(['tools']);
    await web.app.services.saved.save(
      { user: web.id('aki'), room, threadTs, ts },
      { tags },
      { known: false },
    );
    const { page, complaints } = await web.as('aki', { path: '/saved/public' });
    await page.getByRole('link', { name: /^tools/ }).click();
    await page.getByRole('button', { name: 'More about the tag tools' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog(page, /Rename/)
      .getByRole('combobox')
      .or(dialog(page, /Rename/).getByRole('textbox'))
      .fill('garden');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tags\/garden$/);
    await comesTo(() => page.evaluate('history.state'), null);
    await page.goBack();
    await page.waitForURL(/\/saved\/public$/);
    await page.goForward();
    await page.waitForURL(/tags\/garden$/);
    await page.getByRole('button', { name: 'More about the tag garden' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/saved$/);
    await comesTo(() => page.evaluate('history.state'), null);
    await page.goBack();
    await page.waitForURL(/\/saved\/public$/);
    expect(complaints).toEqual([]);
  });

  it('tag that is deleted while the viewer leaves its list: the page that they opened stays', async () => {
    const room = await web.room('Barn', ['ben', 'aki']);
    const { threadTs, ts } = await web.say(room, 'ben', 'A ladder');
    const key = { user: web.id('aki'), room, threadTs, ts };
    await web.app.services.saved.save(key, { tags: validTagNames(['ladders']) }, { known: false });
    const { page, complaints } = await web.as('aki', { path: '/saved/tags/ladders', fresh: {} });
    const { promise: until, letGo } = held();
    await delayAnswer(page, 'DeleteTag', until);
    await page.getByRole('button', { name: 'More about the tag ladders' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await roomLink(page, 'Lobby').click();
    await composerOf(page, 'Lobby').waitFor();
    const lobby = await pathOf(page);
    const deleted = answered(page, 'DeleteTag');
    letGo();
    await deleted;
    await roomLink(page, 'Tea').click();
    await composerOf(page, 'Tea').waitFor();
    await page.goBack();
    await composerOf(page, 'Lobby').waitFor();
    expect(await pathOf(page)).toBe(lobby);
    expect(complaints).toEqual([]);
  });
});
