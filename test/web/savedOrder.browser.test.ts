import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { Message } from '../../src/messages/message.ts';
import type { SavedEntry } from '../../src/saved/entry.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { writeSavedMessages } from '../saved/support/bulk.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus } from './support/pages.ts';

/** The names of the messages in the list. */
const namesIn = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('article')
    .allTextContents()
    .then((texts) => texts.map((text) => /Plan [A-D]/.exec(text)?.[0].at(-1)).join(''));

describe.skipIf(!browserAvailable)('web, the order of saved messages', () => {
  const web = useNotifications();

  it('saved: is shown in four orders and from a day on, and live changes come to their place', async () => {
    const room = await web.room('Plans', ['dana', 'ben']);
    const user = web.id('dana');
    const said: Message[] = [];
    for (const name of ['A', 'B', 'C', 'D']) said.push(await web.say(room, 'ben', `Plan ${name}`));
    // A is the oldest message, and was saved last.
    const years = [2025, 2023, 2024];
    await writeSavedMessages(
      web.app.dynamo,
      years.map((year, i): SavedEntry => {
        const { threadTs = '', ts = '' } = said[i] ?? {};
        const savedAt = toTimestamp(Date.UTC(year, 2, 15, 12) * 1_000);
        return {
          user,
          room,
          threadTs,
          ts,
          savedAt,
          visibility: 'PRIVATE' as const,
          note: null,
          tags: [],
          remindAt: null,
          version: 1,
        };
      }),
    );
    const { saved } = web.app.services;
    const tags = validTagNames(['Year 100%']);
    for (const { threadTs, ts } of said.slice(0, 3))
      await saved.save({ user, room, threadTs, ts }, { tags }, { known: true });
    const { page, complaints } = await web.as('dana', { path: '/saved', fresh: {} });
    await comesTo(() => namesIn(page), 'ACB');
    const menu = page.getByRole('button', { name: /^Order: / });
    const order = async (name: string) => {
      await menu.click();
      await page.getByRole('menuitemradio', { name }).click();
    };

    // With the keyboard.
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Last saved first', checked: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    const oldest = page.getByRole('menuitemradio', { name: 'First saved first' });
    while (!(await hasFocus(oldest))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await comesTo(() => namesIn(page), 'BCA');
    await comesTo(() => hasFocus(menu), true);
    await order('Newest message first');
    await comesTo(() => namesIn(page), 'CBA');
    await order('Oldest message first');
    await comesTo(() => namesIn(page), 'ABC');

    // Saved, removed and saved again on another device.
    const { threadTs = '', ts = '' } = said[3] ?? {};
    await saved.save({ user, room, threadTs, ts }, { note: 'From elsewhere' }, { known: false });
    await comesTo(() => namesIn(page), 'ABCD');
    await page.getByRole('button', { name: 'Remove “Plan B”' }).click();
    await comesTo(() => namesIn(page), 'ACD');
    await page.getByRole('button', { name: 'Undo' }).click();
    await comesTo(() => namesIn(page), 'ABCD');
    await page.reload();
    await comesTo(() => namesIn(page), 'ABCD');
    await page
      .getByRole('navigation', { name: 'Lists' })
      .getByRole('link', { name: /^Year 100%/ })
      .click();
    await page.getByRole('heading', { name: 'Year 100%' }).waitFor();
    await comesTo(() => namesIn(page), 'ABC');
    await order('First saved first');
    await comesTo(() => namesIn(page), 'CAB');

    // From a day on, in both directions. B was saved again today.
    await menu.click();
    await page.getByRole('menuitem', { name: 'Jump to a date…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Jump to a date' });
    await dialog.getByLabel('Date').fill('2024-06-30');
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await comesTo(() => namesIn(page), 'AB');
    await page.getByText(/2024 and later$/).waitFor();
    await order('Last saved first');
    await comesTo(() => namesIn(page), 'C');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', { name: 'Show all days' }).click();
    await comesTo(() => namesIn(page), 'BAC');
    expect(complaints).toEqual([]);
  });

  it('saved: the order is in Japanese, too, and reminders have none', async () => {
    const { page, complaints } = await web.as('dana', { path: '/saved', fresh: { locale: 'ja-JP' } });
    await page.getByRole('button', { name: '並び順：保存が新しい順' }).click();
    await page.getByRole('menuitemradio', { name: 'メッセージが古い順' }).click();
    await page.getByRole('button', { name: '並び順：メッセージが古い順' }).waitFor();
    await page.getByRole('link', { name: 'リマインダー' }).click();
    await page.getByRole('heading', { name: 'リマインダー' }).waitFor();
    await comesTo(() => page.getByRole('button', { name: /^並び順/ }).count(), 0);
    expect(complaints).toEqual([]);
  });
});
