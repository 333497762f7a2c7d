import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import type { SavedChange } from '../../src/saved/change.ts';
import { entryOf, type SavedKey } from '../../src/saved/entry.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus } from './support/pages.ts';
import { delay, held, operationOf, refuse } from './support/requests.ts';

const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).first();
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe.skipIf(!browserAvailable)('web, saved messages', () => {
  const web = useNotifications();

  it('saved: one press saves, the next one opens the details; a removal can be undone; the page has the lists', async () => {
    const kitchen = await web.room('Kitchen', ['dana', 'ben']);
    for (const body of ['Buy rice', 'Fix the lamp', 'Nothing special']) await web.say(kitchen, 'ben', body);
    const { page, complaints } = await web.as('dana', { path: `/rooms/${encodeId('Room', kitchen)}` });
    const rice = message(page, 'Buy rice');
    await rice.hover();
    await rice.getByRole('button', { name: 'Save', exact: true }).click();
    await rice.getByText('Saved', { exact: true }).waitFor();
    await rice.getByRole('button', { name: 'Saved: details' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved message' });
    await dialog.getByLabel('Tags').fill('Food, To buy');
    await dialog.getByLabel('Note').fill('Two bags');
    await dialog.getByRole('button', { name: 'Tomorrow at 9:00' }).click();
    expect(await findings(page)).toEqual([]);

    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    // With the keyboard.
    const lamp = message(page, 'Fix the lamp');
    await lamp.focus();
    await lamp.getByRole('button', { name: 'Save', exact: true }).focus();
    await page.keyboard.press('Enter');
    await lamp.getByText('Saved', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Saved', exact: true }).click();
    const all = region(page, 'All').getByRole('listitem');
    await comesTo(() => all.count(), 2);
    expect(await all.last().textContent()).toContain('Two bags');
    const side = page.getByRole('navigation', { name: 'Lists' });
    await side.getByRole('link', { name: /^All\s*2$/ }).waitFor();
    await side.getByRole('link', { name: /^Food\s*1$/ }).waitFor();
    expect(await findings(page)).toEqual([]);

    await side.getByRole('link', { name: 'Reminders' }).click();
    await comesTo(() => region(page, 'Reminders').getByRole('listitem').count(), 1);
    await side.getByRole('link', { name: /^Without tags/ }).click();
    const untagged = region(page, 'Without tags').getByRole('listitem');
    await comesTo(() => untagged.count(), 1);
    await untagged.getByRole('button', { name: 'Remove “Fix the lamp”' }).click();
    await comesTo(() => untagged.count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await comesTo(() => untagged.count(), 1);
    await side.getByRole('link', { name: /^Food/ }).click();
    const food = region(page, 'Food').getByRole('listitem');
    await comesTo(() => food.count(), 1);
    await side.getByRole('link', { name: /^All/ }).click();
    await comesTo(() => all.count(), 2);

    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

    // A link leads to the message in its room.
    await all.first().getByRole('link', { name: 'Fix the lamp' }).press('Enter');
    await page.waitForURL(/\/rooms\/.*\/messages\//);
    expect(complaints).toEqual([]);
  });

  it('saved: another window of the same user shows each change at once, in the room and in the lists', async () => {
    const pantry = await web.room('Pantry', ['chie', 'ben']);
    for (const body of ['Flour', 'Sugar', 'Salt']) await web.say(pantry, 'ben', body);
    const path = `/rooms/${encodeId('Room', pantry)}`;
    const here = await web.as('chie', { path, fresh: {} });
    const there = await web.as('chie', { path, fresh: {} });
    const listed = await web.as('chie', { path: '/saved', fresh: {} });
    const all = region(listed.page, 'All').getByRole('listitem');
    const side = listed.page.getByRole('navigation', { name: 'Lists' });
    await region(listed.page, 'All').getByText('Nothing saved yet').waitFor();
    const [flour, salt] = [message(here.page, 'Flour'), message(here.page, 'Salt')];
    const saves = async (row: typeof flour) => {
      await row.hover();
      await row.getByRole('button', { name: 'Save', exact: true }).click();
      await row.getByText('Saved', { exact: true }).waitFor();
    };
    await saves(salt);
    await saves(flour);
    const other = message(there.page, 'Flour');
    await other.getByText('Saved', { exact: true }).waitFor();
    await comesTo(
      async () => (await all.allTextContents()).map((text) => /Flour|Salt/.exec(text)?.[0]),
      ['Flour', 'Salt'],
    );
    await side.getByRole('link', { name: /^All\s*2$/ }).waitFor();

    // Tags and a reminder, given in the other window, whose copy of the message is from before.
    await other.hover();
    await other.getByRole('button', { name: 'Saved: details' }).click();
    const dialog = there.page.getByRole('dialog', { name: 'Saved message' });
    await dialog.getByLabel('Tags').fill('Baking');
    await dialog.getByRole('button', { name: 'Tomorrow at 9:00' }).click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await flour.getByText(/Saved ·\s+Reminder: /).waitFor();
    await side.getByRole('link', { name: /^Baking\s*1$/ }).waitFor();
    await all.first().getByRole('link', { name: 'Baking' }).waitFor();

    // Removed in the list. A local mark of the room is older.
    await all.first().getByRole('button', { name: 'Remove “Flour”' }).click();
    await flour.getByText(/Saved/).waitFor({ state: 'detached' });
    await other.getByText(/Saved/).waitFor({ state: 'detached' });
    await side.getByRole('link', { name: /^Baking/ }).waitFor({ state: 'detached' });

    // What was missed while a window had no connection.
    await here.page.context().setOffline(true);
    await message(there.page, 'Salt').hover();
    await message(there.page, 'Salt').getByRole('button', { name: 'Saved: details' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await saves(message(there.page, 'Sugar'));
    await comesTo(
      async () => (await all.allTextContents()).map((text) => /Sugar|Salt/.exec(text)?.[0]),
      ['Sugar'],
    );
    await here.page.context().setOffline(false);
    await message(here.page, 'Sugar').getByText('Saved', { exact: true }).waitFor();
    await salt.getByText('Saved', { exact: true }).waitFor({ state: 'detached' });
    expect([...there.complaints, ...listed.complaints]).toEqual([]);
  });

  it('the details: are read again if that failed', async () => {
    const room = await web.room('Loft', ['ben']);
    const { threadTs, ts } = await web.say(room, 'ben', 'A borrowed book');
    const key = { user: web.id('ben'), room, threadTs, ts };
    await web.app.services.saved.save(key, { note: 'From Aki' }, { known: false });
    const { page, complaints } = await web.as('ben', { path: '/saved' });
    const succeed = await refuse(page, 'SavedDetails', { code: 'UNAVAILABLE' });
    await page.getByRole('button', { name: 'Change “A borrowed book”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved message' });
    await dialog.getByRole('alert').waitFor();
    await succeed();
    await comesTo(() => hasFocus(dialog.getByRole('combobox', { name: 'Tags' })), true);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('the details: change only what the user changed, and keep tags whose names contain commas', async () => {
    const room = await web.room('Cellar', ['ben']);
    const save = async (body: string, tags: readonly string[]): Promise<SavedKey> => {
      const { threadTs, ts } = await web.say(room, 'ben', body);
      const key = { user: web.id('ben'), room, threadTs, ts };
      const names = validTagNames(tags);
      await web.app.services.saved.save(key, { tags: names }, { known: false });
      return key;
    };
    const key = await save('Book 0', ['Rice, beans', 'Food']);
    const stored = async () => entryOf(key, await web.app.dynamo.get(keys.saved(key.user, key)));
    const elsewhere = (change: SavedChange) => web.app.services.saved.save(key, change, { known: true });
    await elsewhere({ visibility: 'PUBLIC', note: 'first' });
    const { page, complaints } = await web.as('ben', { path: '/saved' });
    const row = region(page, 'All').getByRole('listitem').filter({ hasText: 'Book 0' });
    const dialog = page.getByRole('dialog', { name: 'Saved message' });
    const field = dialog.getByRole('combobox', { name: 'Tags' });
    await row.getByRole('button', { name: 'Change “Book 0”' }).click();
    await dialog.getByText('Rice, beans', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await elsewhere({ visibility: 'PRIVATE', note: 'second' });
    await field.fill('More, than this');
    await field.press('Enter');
    await dialog.getByText('than this', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Remove the tag “Food”' }).click();
    await comesTo(() => hasFocus(field), true);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ visibility: 'PRIVATE', note: 'second' });
    const names = (tags: readonly string[]) =>
      comesTo(async () => (await row.getByRole('link').allTextContents()).slice(1), [...tags]);
    await names(['Rice, beans', 'More', 'than this']);

    // Taken away with the keyboard, and completed from what the user has.
    await save('Book 1', ['Rice, beans']);
    await row.getByRole('button', { name: 'Change “Book 0”' }).click();
    // The key that clears the text is held.
    await field.fill('x');
    await field.press('End');
    for (let i = 0; i < 2; i++) await page.keyboard.down('Backspace');
    await page.keyboard.up('Backspace');
    expect(await field.inputValue()).toBe('');
    expect(await dialog.getByText('than this', { exact: true }).count()).toBe(1);
    for (const name of ['than this', 'More', 'Rice, beans']) {
      await dialog.getByText(name, { exact: true }).waitFor();
      await field.press('Backspace');
      await dialog.getByText(name, { exact: true }).waitFor({ state: 'detached' });
    }
    await field.fill('rice');
    // A key of an input method confirms a word, as Safari sends it.
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(await field.inputValue()).toBe('rice');
    await dialog.locator('option[value="Rice, beans"]').waitFor({ state: 'attached' });
    await field.fill('Rice, beans');
    await dialog.getByText('Rice, beans', { exact: true }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findings(page)).toEqual([]);
    await field.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await stored())?.tags).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('download: everything that was saved, as JSON lines and as bookmarks', async () => {
    const room = await web.room('Attic', ['dana']);
    const tags = validTagNames(['Rice, beans', '<b>']);
    for (let i = 0; i < 3; i++) {
      const { threadTs, ts } = await web.say(room, 'dana', `Find ${i} <script>`);
      const key = { user: web.id('dana'), room, threadTs, ts };
      await web.app.services.saved.save(key, { tags, note: `note "${i}"\nmore` }, { known: false });
    }
    const total = await web.app.services.saved.counts(web.id('dana'), createItemLoader(web.app.dynamo));
    const { page, complaints } = await web.as('dana', { path: '/saved', fresh: { acceptDownloads: true } });
    await page.getByRole('button', { name: 'Download…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download saved messages' });
    await dialog.waitFor();
    expect(await findings(page)).toEqual([]);
    const file = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: button }).click(),
      ]);
      await dialog.getByText(/in the file\.$/).waitFor();
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const lines = await file('As data (JSON lines)');
    expect(lines.name).toMatch(/^saved-\d{4}-\d\d-\d\d\.jsonl$/);
    const rows = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(total.public + total.private);
    expect(rows[0]).toMatchObject({
      visibility: 'PRIVATE',
      note: 'note "2"\nmore',
      tags: ['Rice, beans', '<b>'],
      remindAt: null,
      message: { body: 'Find 2 <script>', author: { handle: 'dana' }, room: { name: 'Attic' } },
    });
    expect(rows[0].url.startsWith(`${web.app.url}/rooms/`)).toBe(true);

    const bookmarks = await file('As bookmarks (HTML, for browsers)');
    expect(bookmarks.name).toMatch(/\.html$/);
    expect(bookmarks.text.startsWith('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n')).toBe(true);
    expect(bookmarks.text.match(/<DT>/g)).toHaveLength(rows.length);
    expect(bookmarks.text).toContain('TAGS="Rice， beans,&lt;b&gt;">Find 2 &lt;script&gt;</A>');
    expect(bookmarks.text).toContain('<DD>note &quot;2&quot; more\n');
    expect(bookmarks.text.endsWith('</DL><p>\n')).toBe(true);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('download: says why it waits, and ends with its dialog', async () => {
    const room = await web.room('Loft', ['aki']);
    const { threadTs, ts } = await web.say(room, 'aki', 'Ladder');
    await web.app.services.saved.save({ user: web.id('aki'), room, threadTs, ts }, {}, { known: false });
    const { page, complaints } = await web.as('aki', { path: '/saved', fresh: { acceptDownloads: true } });
    const formats: string[] = [];
    page.on('download', (file) => formats.push(file.suggestedFilename().replace(/^.*\./, '')));
    await region(page, 'All').getByText('Ladder').first().waitFor();
    const dialog = page.getByRole('dialog', { name: 'Download saved messages' });
    const lines = dialog.getByRole('button', { name: 'As data (JSON lines)' });
    const isReady = dialog.getByText(/in the file\.$/);
    await page.getByRole('button', { name: 'Download…' }).click();
    const answers = await refuse(page, 'SavedList', { code: 'UNAVAILABLE' });
    await lines.click();
    await dialog.getByText('The server can’t do this right now.').waitFor();
    expect(await dialog.getByRole('progressbar').count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    await answers();
    await isReady.waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);

    const answer = held();
    await delay(page, 'SavedList', answer.promise);
    const asked = page.waitForRequest((request) => operationOf(request) === 'SavedList');
    await lines.click();
    await asked;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    answer.letGo();
    // This file comes after the one that was cancelled would.
    await page.getByRole('button', { name: 'Download…' }).click();
    await dialog.getByRole('button', { name: 'As bookmarks (HTML, for browsers)' }).click();
    await isReady.waitFor();
    await comesTo(async () => formats, ['jsonl', 'html']);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['en-GB', /Saved ·\s+Reminder: /, 'Overdue'],
    ['ja-JP', /保存済み ·\s+リマインダー：/, '期限切れ'],
  ])(
    'saved: an overdue reminder is marked below the message as in the list, in %s',
    async (locale, line, overdue) => {
      const room = await web.room(`Cellar ${locale}`, ['aki']);
      const { threadTs, ts } = await web.say(room, 'aki', `Barrel ${locale}`);
      const key = { user: web.id('aki'), room, threadTs, ts };
      const remindAt = Date.now() + 20 * 60_000;
      await web.app.services.saved.save(key, { remindAt }, { known: false });
      const path = `/rooms/${encodeId('Room', room)}`;
      const { page, complaints } = await web.as('aki', { path, fresh: { locale } });
      const row = message(page, `Barrel ${locale}`);
      await row.getByText(line).waitFor();
      expect(await row.getByText(overdue, { exact: true }).count()).toBe(0);

      // The clock of the device is a little ahead.
      await page.clock.setFixedTime(remindAt + 30_000);
      await page.reload();
      await row.getByText(line).waitFor();
      expect(await row.getByText(overdue, { exact: true }).count()).toBe(0);

      // The server's clock has not reached the time, as if the server was late.
      await page.clock.setFixedTime(remindAt + 61_000);
      await page.reload();
      await row.getByText(overdue, { exact: true }).waitFor();
      expect(await row.textContent()).toMatch(line);
      expect(await findings(page)).toEqual([]);
      await page.locator('a[href="/saved"]').click();
      const listed = page.getByRole('listitem').filter({ hasText: `Barrel ${locale}` });
      await listed.getByText(overdue, { exact: true }).waitFor();
      expect(complaints).toEqual([]);
    },
  );
});
