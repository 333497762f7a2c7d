import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { idOf } from '../../src/graphql/ids.ts';
import { type MessageKey, parseMessageId } from '../../src/messages/message.ts';
import type { SavedEntry } from '../../src/saved/entry.ts';
import { writeSavedMessages } from '../saved/support/bulk.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { makeLongRoom } from './support/longRoom.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus } from './support/pages.ts';

const ROWS = 1_200;
/** The list is rendered as a whole: the screen, and eight rows beyond its end. */
const SHORT = 12;

/**
 * Scrolls the list to its end, almost a screen in each frame. Resolves to the most rows that were rendered. In the
 * page.
 */
const WALK = `(async () => {
  const scroller = document.querySelector('section[aria-label="All"]');
  const rows = () => [...scroller.querySelectorAll('li')];
  const isLast = (row) => row.getAttribute('aria-setsize') === row.getAttribute('aria-posinset');
  let most = 0;
  while (!isLast(rows().at(-1))) {
    scroller.scrollTop += scroller.clientHeight * 0.9;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    most = Math.max(most, rows().length);
  }
  return most;
})()`;

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not shown.');
  return box;
}

function keyOf(id: string): MessageKey {
  const key = parseMessageId(idOf('Message', id) ?? '');
  if (key === undefined) throw new Error('No id of a message.');
  return key;
}

describe.skipIf(!browserAvailable)('web, many saved messages', () => {
  const web = useNotifications();

  /** Saves the first messages of a room. The last one is the first row. */
  async function saveAll(handle: string, message: (number: number) => string, count: number): Promise<void> {
    const entries = Array.from({ length: count }, (_, i): SavedEntry => {
      const savedAt = toTimestamp((Date.now() - 3_600_000 + i) * 1_000);
      return {
        ...keyOf(message(i + 1)),
        user: web.id(handle),
        savedAt,
        visibility: 'PRIVATE',
        note: null,
        tags: [`tag ${i % 7}`],
        remindAt: null,
        version: 1,
      };
    });
    await writeSavedMessages(web.app.dynamo, entries);
  }

  it(`${ROWS} rows: only those near the screen are rendered, down to the last one, with the keyboard`, async () => {
    const room = await makeLongRoom(web.app, {
      name: 'Archive',
      messages: ROWS,
      author: 'ben',
      reader: 'dana',
    });
    await saveAll('dana', (number) => room.message(number), ROWS);
    const { page, complaints } = await web.as('dana', { path: '/saved', fresh: {} });
    const all = page.getByRole('region', { name: 'All', exact: true });
    const first = all.getByRole('link', { name: `Entry ${ROWS}.` });
    await first.waitFor();
    await page.getByRole('link', { name: new RegExp(`^All\\s*${ROWS.toLocaleString('en')}$`) }).waitFor();

    expect(await page.evaluate(WALK)).toBeLessThan(60);
    await all.getByRole('link', { name: 'Entry 1.', exact: true }).waitFor();
    expect(await all.getByRole('listitem').count()).toBeLessThan(60);

    // Back with one key, then from message to message.
    await all.focus();
    await page.keyboard.press('Home');
    await first.waitFor();
    await page.keyboard.press('End');
    await all.getByRole('link', { name: 'Entry 1.', exact: true }).waitFor();
    // A press on the scroll bar's middle.
    await all.evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight / 2;
    });
    await all.getByRole('link', { name: `Entry ${ROWS / 2}.` }).waitFor();
    expect(await all.getByRole('listitem').count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await first.waitFor();
    await first.focus();
    for (let row = 0; row < 5; row++) await page.keyboard.press('ArrowDown');
    await comesTo(() => hasFocus(all.getByRole('link', { name: `Entry ${ROWS - 5}.` })), true);
    // The list takes the focus of a row that is far from the screen, so that keys still scroll it.
    const screens = () => all.evaluate((scroller) => scroller.scrollTop / scroller.clientHeight);
    for (let pages = 1; pages <= 4; pages++) {
      await page.keyboard.press('PageDown');
      await comesTo(async () => (await screens()) > pages * 0.6, true);
    }
    await comesTo(() => all.evaluate((scroller) => scroller === document.activeElement), true);
    await page.keyboard.press('Home');
    await comesTo(screens, 0);

    // What another device saves is the first row.
    const { threadTs, ts, ...said } = await web.say(keyOf(room.message(1)).room, 'ben', 'The newest');
    await web.app.services.saved.save(
      { user: web.id('dana'), room: said.room, threadTs, ts },
      { note: 'From elsewhere' },
      { known: false },
    );
    await comesTo(
      async () => (await all.getByRole('listitem').first().textContent())?.includes('The newest'),
      true,
    );

    // An empty list begins at its top.
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Reminders' }).click();
    const { y: at } = await boxOf(page.getByText('No reminders', { exact: true }));
    expect(at).toBeLessThan(page.viewportSize()?.height ?? 0);
    expect(complaints).toEqual([]);
  });

  it('rows on the screen stay in place in a list that is rendered as a whole', async () => {
    const room = await makeLongRoom(web.app, {
      name: 'Short',
      messages: SHORT,
      author: 'ben',
      reader: 'chie',
    });
    await saveAll('chie', (number) => room.message(number), SHORT);
    const { page } = await web.as('chie', { path: '/saved', fresh: {} });
    const all = page.getByRole('region', { name: 'All', exact: true });
    const rows = all.getByRole('listitem');
    await all.getByRole('link', { name: 'Entry 1.', exact: true }).waitFor();
    await all.evaluate((scroller) => {
      scroller.scrollTop = 300;
    });
    await comesTo(() => all.evaluate((scroller) => scroller.scrollTop), 300);
    const seen = all.getByRole('link', { name: `Entry ${SHORT - 5}.` });
    const before = (await boxOf(seen)).y;
    const stays = () => comesTo(async () => Math.abs((await boxOf(seen)).y - before) < 2, true);

    // Another device removes the first row, and writes a long note to the next one.
    const user = web.id('chie');
    await web.app.services.saved.remove({ user, ...keyOf(room.message(SHORT)) });
    await all.getByRole('link', { name: `Entry ${SHORT}.` }).waitFor({ state: 'detached' });
    await stays();
    await web.app.services.saved.save(
      { user, ...keyOf(room.message(SHORT - 1)) },
      { note: 'A long note. '.repeat(30) },
      { known: true },
    );
    await rows.filter({ hasText: 'A long note.' }).waitFor();
    await stays();
    // A row becomes higher by itself.
    await rows.first().evaluate((row) => {
      row.style.paddingBottom = '90px';
    });
    await stays();
  });
});
