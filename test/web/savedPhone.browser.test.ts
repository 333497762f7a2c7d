/** The lists of saved messages on a narrow screen. */
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo } from './support/pages.ts';

const REMIND_AT = Date.now() + 86_400_000;

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not shown.');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

describe.skipIf(!browserAvailable)('web, saved messages on a phone', () => {
  const web = useNotifications();

  it.each([
    [390, 'en-GB', 'Reminders', 'Liked'],
    [320, 'ja-JP', 'リマインダー', 'いいねしたもの'],
  ])(
    '%i pixels, %s: names, rooms and times have their own places; the list that is open is in view',
    async (width, locale, reminders, liked) => {
      const name = `The committee for the garden ${width}`;
      const garden = await web.room(name, ['dana', 'ben']);
      const { threadTs, ts, room } = await web.say(garden, 'ben', `The hedge of ${width}`);
      const key = { room, threadTs, ts };
      await web.app.services.saved.save(
        { user: web.id('dana'), ...key },
        { remindAt: REMIND_AT },
        { known: false },
      );
      const fresh = { locale, viewport: { width, height: 844 } };
      const { page, complaints } = await web.as('dana', { path: '/saved/reminders', fresh });
      const row = page.getByRole('listitem').filter({ hasText: `The hedge of ${width}` });
      const shown = await boxOf(row.getByText('Ben Okafor', { exact: true }));
      for (const other of [row.getByText(name), row.locator('time').first()]) {
        const box = await boxOf(other);
        expect(box.x >= shown.right || box.y >= shown.bottom).toBe(true);
      }
      for (const list of [reminders, liked]) {
        const link = page.getByRole('link', { name: list, exact: true });
        if (list === liked) await page.goto(`${web.app.url}/saved/liked`);
        await link.waitFor();
        await comesTo(async () => {
          const { x, right } = await boxOf(link);
          return x >= 0 && right <= width;
        }, true);
        expect(await page.evaluate('[scrollX, document.documentElement.scrollWidth]')).toEqual([0, width]);
      }
      expect(await findings(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it('an empty list says what it is and how something gets there', async () => {
    const { page, complaints } = await web.as('chie', { path: '/saved/reminders' });
    const note = page.getByRole('region', { name: 'Reminders', exact: true });
    await note.getByText('No reminders').waitFor();
    await note.getByText('choose a time for a reminder').waitFor();
    await page.getByRole('link', { name: /^Public/ }).click();
    await page.getByText('Nothing public yet').waitFor();
    expect(complaints).toEqual([]);
  });
});
