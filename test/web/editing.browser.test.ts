import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageKeyOf } from '../../src/messages/types.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { makeLongRoom } from './support/longRoom.ts';
import { comesTo, composerOf, hasFocus, message, open, startWeb } from './support/pages.ts';
import { wheel } from './support/places.ts';

const PARAGRAPH = 'The kettle in the kitchen has to be descaled before the guests come on Thursday. '.repeat(
  6,
);

describe.skipIf(!browserAvailable)('web, editing', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  /** Deletes a message as its author does in another window. */
  async function deleteElsewhere(row: Locator, handle: string): Promise<void> {
    const id = await row.getAttribute('data-message');
    const { services } = app;
    await services.messages.remove(services.users.idOf(handle), messageKeyOf(id ?? ''));
  }

  it('field: the caret is at the end, and the height follows the text up to a limit', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    await composerOf(page).fill(PARAGRAPH);
    await composerOf(page).press('Enter');
    const row = message(page, 'The kettle in the kitchen');
    await row.press('e');
    const field = page.getByRole('textbox', { name: 'Edit message' });
    await field.waitFor();
    const sizes = () =>
      field.evaluate((area: HTMLTextAreaElement) => ({
        hidden: area.scrollHeight - area.clientHeight,
        height: area.clientHeight,
        caret: area.selectionStart,
        isAtEnd: area.scrollHeight - area.clientHeight - area.scrollTop < 2,
      }));
    const long = await sizes();
    expect(long).toMatchObject({ hidden: 0, caret: PARAGRAPH.trimEnd().length });
    expect(await hasFocus(field)).toBe(true);
    await field.fill('Short');
    const short = await sizes();
    expect(short.height).toBeLessThan(long.height / 2);
    await field.fill(PARAGRAPH.repeat(7));
    const longest = await sizes();
    expect(longest.hidden).toBeGreaterThan(0);
    expect(longest.height).toBeLessThan((await page.evaluate<number>('innerHeight')) / 2);
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
    await row.press('e');
    await comesTo(sizes, { ...longest, isAtEnd: true });
    await field.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('form: stays open while the viewer writes in the composer and scrolls far away', async () => {
    const room = await makeLongRoom(app, { name: 'Cellar', messages: 120, author: 'ben', reader: 'aki' });
    const path = `/rooms/${encodeURIComponent(room.id)}`;
    const { page, say, complaints } = await open({ browser: browser(), url: app.url, as: 'aki', path });
    await say('The last entry');
    await message(page, 'The last entry').press('e');
    const field = page.getByRole('textbox', { name: 'Edit message' });
    await field.fill('The last entry, corrected');
    await composerOf(page).click();
    for (const by of [-2_500, -2_500, 2_500, 2_500]) {
      await wheel(page, by);
      expect(await field.count()).toBe(1);
    }
    expect(await field.inputValue()).toBe('The last entry, corrected');
    expect(await field.isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('forms: stay open while the viewer uses another message and scrolls far away', async () => {
    const room = await makeLongRoom(app, { name: 'Attic', messages: 120, author: 'ben', reader: 'aki' });
    const path = `/rooms/${encodeURIComponent(room.id)}`;
    const { page, say, complaints } = await open({ browser: browser(), url: app.url, as: 'aki', path });
    const fields = page.getByRole('textbox', { name: 'Edit message' });
    for (const [index, text] of ['First plan', 'Second plan'].entries()) {
      await say(text);
      await message(page, text).press('e');
      await fields.nth(index).fill(`${text}, corrected`);
    }
    await say('Something else');
    await message(page, 'Something else').focus();
    await composerOf(page).focus();
    for (const by of [-2_500, -2_500]) {
      await wheel(page, by);
      expect(await fields.count()).toBe(2);
    }
    expect(await fields.first().inputValue()).toBe('First plan, corrected');
    expect(await fields.last().inputValue()).toBe('Second plan, corrected');
    expect(complaints).toEqual([]);
  });

  it('message that is deleted elsewhere: what was written stays, is copied, and leaves no draft', async () => {
    const { page, openRoom, say, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'ben',
      fresh: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await openRoom('Lobby');
    await say('Matcha at four');
    const id = await message(page, 'Matcha at four').getAttribute('data-message');
    const row = page.getByRole('log').first().locator(`[data-message="${id}"]`);
    await row.press('e');
    const field = page.getByRole('textbox', { name: 'Edit message' });
    await field.fill('Matcha at four, and mochi');
    await deleteElsewhere(row, 'ben');
    const notice = row.getByRole('alert').filter({ hasText: 'was deleted' });
    await notice.waitFor();
    expect(await hasFocus(field)).toBe(true);
    expect(await field.isEditable()).toBe(false);
    await field.press('Enter');
    expect(await field.inputValue()).toBe('Matcha at four, and mochi');
    expect(await findings(page)).toEqual([]);

    // It is also there after a reload.
    await page.reload();
    await notice.waitFor();
    expect(await field.inputValue()).toBe('Matcha at four, and mochi');
    await row.getByRole('button', { name: 'Copy text' }).click();
    await page.getByText('Text copied.').waitFor();
    await comesTo(() => page.evaluate('navigator.clipboard.readText()'), 'Matcha at four, and mochi');
    await row.getByRole('button', { name: 'Close' }).click();
    await row.getByText('This message was deleted.', { exact: true }).waitFor();
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Matcha');
    expect(complaints).toEqual([]);
  });

  it.each([0, 1])(
    'root that is deleted while its thread is open: has one form, in the list in which it was edited (%i)',
    async (at) => {
      const { page, openRoom, say, complaints } = await open({
        browser: browser(),
        url: app.url,
        as: 'chie',
      });
      await openRoom('Lobby');
      await say(`Genmaicha ${at}`);
      await message(page, `Genmaicha ${at}`).press('t');
      await page.getByRole('log').nth(1).waitFor();
      const id = await message(page, `Genmaicha ${at}`).first().getAttribute('data-message');
      const row = page.getByRole('log').nth(at).locator(`[data-message="${id}"]`);
      await row.press('e');
      await row.getByRole('textbox', { name: 'Edit message' }).fill('Genmaicha, later');
      await deleteElsewhere(row, 'chie');
      await page.getByText('This message was deleted.', { exact: true }).last().waitFor();
      const fields = page.getByRole('textbox', { name: 'Edit message' });
      await row.getByRole('alert').filter({ hasText: 'was deleted' }).waitFor();
      expect(await fields.count()).toBe(1);
      expect(await hasFocus(fields)).toBe(true);
      await page.getByRole('button', { name: 'Close thread' }).click();
      await comesTo(() => page.getByRole('log').count(), 1);
      await comesTo(() => fields.count(), 1);
      expect(await fields.inputValue()).toBe('Genmaicha, later');
      await page.getByRole('log').getByRole('button', { name: 'Close' }).click();
      await comesTo(() => fields.count(), 0);
      expect(complaints).toEqual([]);
    },
  );

  it('root that is deleted before its thread is opened: the form moves to the thread, and back', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'chie' });
    await openRoom('Lobby');
    await say('Kukicha');
    const id = await message(page, 'Kukicha').getAttribute('data-message');
    const root = messageKeyOf(id ?? '');
    const chie = app.services.users.idOf('chie');
    await app.services.messages.send({ room: root.room, author: chie, body: 'Twigs', replyTo: root });
    const rows = page.locator(`[data-message="${id}"]`);
    const summary = rows.getByRole('link', { name: /1 reply/ });
    await summary.waitFor();
    await rows.press('e');
    const fields = page.getByRole('textbox', { name: 'Edit message' });
    await fields.fill('Kukicha, later');
    await deleteElsewhere(rows, 'chie');
    await rows.getByRole('alert').filter({ hasText: 'was deleted' }).waitFor();
    await summary.click();
    await page.getByRole('log').nth(1).getByRole('textbox', { name: 'Edit message' }).waitFor();
    await comesTo(() => fields.count(), 1);
    expect(await fields.inputValue()).toBe('Kukicha, later');
    await page.getByRole('button', { name: 'Close thread' }).click();
    await comesTo(() => page.getByRole('log').count(), 1);
    await comesTo(() => fields.count(), 1);
    expect(await fields.inputValue()).toBe('Kukicha, later');
    expect(complaints).toEqual([]);
  });

  it('message that is deleted elsewhere before anything was written: the focus stays with it', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'chie' });
    await openRoom('Lobby');
    await say('Hojicha at five');
    const id = await message(page, 'Hojicha at five').getAttribute('data-message');
    const row = page.getByRole('log').first().locator(`[data-message="${id}"]`);
    await row.press('e');
    const field = page.getByRole('textbox', { name: 'Edit message' });
    await field.waitFor();
    await deleteElsewhere(row, 'chie');
    await row.getByText('This message was deleted.', { exact: true }).waitFor();
    await field.waitFor({ state: 'detached' });
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);

    await say('Hojicha at six');
    await composerOf(page).press('ArrowUp');
    await field.waitFor();
    await deleteElsewhere(message(page, 'Hojicha at six'), 'chie');
    await field.waitFor({ state: 'detached' });
    expect(await hasFocus(composerOf(page))).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('message that its author deletes: an edit that was not saved is not offered', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'dana' });
    await openRoom('Lobby');
    await say('Oolong at six');
    const id = await message(page, 'Oolong at six').getAttribute('data-message');
    const row = page.getByRole('log').first().locator(`[data-message="${id}"]`);
    await row.press('e');
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Oolong at seven');
    await page.reload();
    await row.hover();
    await row.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await row.getByText('This message was deleted.', { exact: true }).waitFor();
    expect(await row.getByRole('textbox').count()).toBe(0);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Oolong');
    expect(complaints).toEqual([]);
  });

  it('message that its author deletes in another tab: what was written here stays', async () => {
    const { page, openRoom, say, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'aki',
      fresh: {},
    });
    await openRoom('Lobby');
    await say('Assam at eight');
    const id = await message(page, 'Assam at eight').getAttribute('data-message');
    const rowIn = (tab: Page) => tab.getByRole('log').first().locator(`[data-message="${id}"]`);
    const row = rowIn(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await rowIn(other).waitFor();

    await row.press('e');
    const field = row.getByRole('textbox', { name: 'Edit message' });
    await field.fill('Assam at nine');
    await rowIn(other).hover();
    await rowIn(other).getByRole('button', { name: 'More actions' }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    await other.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await rowIn(other).getByText('This message was deleted.', { exact: true }).waitFor();
    await row.getByRole('alert').filter({ hasText: 'was deleted' }).waitFor();
    expect(await field.inputValue()).toBe('Assam at nine');
    expect(await rowIn(other).getByRole('textbox').count()).toBe(0);
    await row.getByRole('button', { name: 'Close' }).click();
    await row.getByText('This message was deleted.', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(['Save', 'Cancel'])('message that is deleted while %s has the focus: it stays', async (button) => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'ben' });
    await openRoom('Lobby');
    await say(`Sencha before ${button}`);
    const id = await message(page, `Sencha before ${button}`).getAttribute('data-message');
    const row = page.getByRole('log').first().locator(`[data-message="${id}"]`);
    await row.press('e');
    const field = row.getByRole('textbox', { name: 'Edit message' });
    await field.fill('Sencha');
    await row.getByRole('button', { name: button }).focus();
    await deleteElsewhere(row, 'ben');
    await row.getByRole('alert').filter({ hasText: 'was deleted' }).waitFor();
    expect(await hasFocus(field)).toBe(true);
    await row.getByRole('button', { name: 'Close' }).click();
    expect(complaints).toEqual([]);
  });
});
