/** Saved messages that the viewer may not see any more, and the keyboard in the list. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import type { SavedKey } from '../../src/saved/entry.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { lookAway, lookBack, useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus } from './support/pages.ts';
import { delay, delayAnswer, held } from './support/requests.ts';

const HIDDEN = 'A message you can’t see any more';
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe.skipIf(!browserAvailable)('web, saved messages out of sight', () => {
  const web = useNotifications();
  const total = async (handle: string) => {
    const counts = await web.app.services.saved.counts(web.id(handle), createItemLoader(web.app.dynamo));
    return counts.public + counts.private;
  };

  async function saved(room: string, body: string, { as = 'aki', tag = 'den' } = {}): Promise<SavedKey> {
    const { threadTs, ts } = await web.say(room, 'ben', body);
    const key = { user: web.id(as), room, threadTs, ts };
    await web.app.services.saved.save(
      key,
      { note: `Why ${body}`, tags: validTagNames([tag]) },
      { known: false },
    );
    return key;
  }

  const removeFrom = (room: string, handle: string) =>
    web.app.services.rooms.remove({ room, by: web.id('ben'), user: web.id(handle) });

  it('hidden: what no undo can restore is removed after a confirmation, and each removal is counted', async () => {
    const den = await web.room('Den', ['ben', 'aki']);
    const hall = await web.room('Hall', ['ben', 'aki']);
    const before = await total('aki');
    await saved(hall, 'In sight');
    for (let i = 0; i < 4; i++) await saved(den, `Secret ${i}`);
    await removeFrom(den, 'aki');
    const { page, complaints } = await web.as('aki', { path: '/saved/tags/den', fresh: {} });
    const rows = region(page, 'den').getByRole('listitem');
    await comesTo(() => rows.filter({ hasText: HIDDEN }).count(), 4);

    // The bin of one row.
    const confirm = page.getByRole('alertdialog');
    const bin = rows.first().getByRole('button', { name: `Remove “${HIDDEN}”` });
    await bin.click();
    await confirm.getByText(/note and tags can’t be restored/).waitFor();
    expect(await findings(page)).toEqual([]);
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await confirm.waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(5);
    await bin.click();
    await confirm.getByRole('button', { name: 'Remove' }).click();
    await comesTo(() => rows.count(), 4);

    // It cannot be shown to others.
    await rows
      .first()
      .getByRole('button', { name: `Change “${HIDDEN}”` })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Saved message' });
    await dialog.getByText(/others can’t be shown that you saved it/).waitFor();
    expect(await dialog.getByRole('switch', { name: 'Others see it' }).isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // Several, of which one can be restored.
    for (let i = 0; i < 4; i++) await rows.nth(i).getByRole('checkbox').check();
    const selection = region(page, 'Selection');
    await selection.getByRole('button', { name: 'Remove', exact: true }).click();
    await confirm.getByText(/You can’t see 3 of them any more/).waitFor();
    await confirm.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Removed 4 messages from what you saved').waitFor();
    await comesTo(() => hasFocus(region(page, 'den')), true);
    await comesTo(() => total('aki'), before);
    await page.getByRole('button', { name: 'Undo 1', exact: true }).click();
    await comesTo(() => rows.count(), 1);
    expect(await rows.first().textContent()).toContain('Why In sight');
    expect(complaints).toEqual([]);
  });

  it('list: shows edits and deletions when the user comes back, and hides those of a lost room', async () => {
    const den = await web.room('Cabin', ['ben', 'dana']);
    const hall = await web.room('Porch', ['ben', 'dana']);
    const mine = { as: 'dana', tag: 'cabin' };
    const [edited, deleted] = [await saved(hall, 'First text', mine), await saved(hall, 'Withdrawn', mine)];
    await saved(den, 'Confidential', mine);
    const { page, complaints } = await web.as('dana', { path: '/saved/tags/cabin', fresh: {} });
    const rows = region(page, 'cabin').getByRole('listitem');
    const texts = async () =>
      (await rows.getByRole('link').or(rows.locator('em')).allTextContents()).filter(
        (text) => text !== 'cabin',
      );
    const shows = (wanted: readonly string[]) => comesTo(texts, [...wanted]);
    await shows(['Confidential', 'Withdrawn', 'First text']);
    await removeFrom(den, 'dana');
    await shows([HIDDEN, 'Withdrawn', 'First text']);

    await web.app.services.messages.edit(web.id('ben'), edited, 'Second text');
    await web.app.services.messages.remove(web.id('ben'), deleted);
    await lookAway(page);
    await lookBack(page);
    await shows([HIDDEN, 'This message was deleted.', 'Second text']);
    expect(complaints).toEqual([]);
  });

  it('keyboard: the first field of the details has the focus; after a removal, the next row', async () => {
    const room = await web.room('Nook', ['ben', 'chie']);
    for (let i = 0; i < 4; i++) await saved(room, `Page ${i}`, { as: 'chie', tag: 'nook' });
    const { page, complaints } = await web.as('chie', { path: '/saved/tags/nook', fresh: {} });
    const rows = region(page, 'nook').getByRole('listitem');
    await comesTo(() => rows.count(), 4);

    // The dialog is open for a while before it has its fields.
    const answer = held();
    await delay(page, 'SavedDetails', answer.promise);
    await page.getByRole('button', { name: 'Change “Page 2”' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Saved message' });
    await comesTo(() => hasFocus(dialog.getByRole('button', { name: 'Close' })), true);
    answer.letGo();
    await comesTo(() => hasFocus(dialog.getByRole('combobox', { name: 'Tags' })), true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    const bin = (number: number) => page.getByRole('button', { name: `Remove “Page ${number}”` });
    await bin(2).focus();
    await page.keyboard.press('Enter');
    await comesTo(() => rows.count(), 3);
    await comesTo(() => hasFocus(bin(1)), true);
    // The news of the removal, which every device gets, comes before the answer.
    const removed = held();
    await delayAnswer(page, 'RemoveSaved', removed.promise);
    await bin(0).focus();
    await page.keyboard.press('Enter');
    await comesTo(() => rows.count(), 2);
    await comesTo(() => hasFocus(bin(1)), true);
    removed.letGo();

    // The bar of the selection is gone with its buttons.
    await rows.first().getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    const selection = region(page, 'Selection');
    await selection.getByRole('button', { name: 'Select none' }).focus();
    await page.keyboard.press('Enter');
    await selection.waitFor({ state: 'detached' });
    await comesTo(() => hasFocus(region(page, 'nook')), true);
    await rows.first().getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await selection.getByRole('button', { name: 'Remove', exact: true }).focus();
    await page.keyboard.press('Enter');
    await comesTo(() => rows.count(), 1);
    await comesTo(() => hasFocus(region(page, 'nook')), true);
    expect(complaints).toEqual([]);
  });
});
