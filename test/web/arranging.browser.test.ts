import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, roomLink } from './support/pages.ts';
import { roomMenu, useRooms } from './support/rooms.ts';

const section = (page: Page, name: string) =>
  page
    .getByRole('navigation')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
const namesIn = async (page: Page, name: string): Promise<string[]> =>
  section(page, name).getByRole('link').locator('[dir="auto"]').allTextContents();

describe.skipIf(!browserAvailable)('web, arranging rooms', () => {
  const web = useRooms();

  it('stars, sections and their end, kept for the next visit', async () => {
    const { path } = await web.room({ name: 'Orchard', members: ['dana'] });
    const { page, complaints } = await web.as('dana', path);
    await composerOf(page).waitFor();
    await roomMenu(page, 'Star');
    await comesTo(() => namesIn(page, 'Starred'), ['Orchard']);
    await roomMenu(page, 'Remove star');
    await section(page, 'Starred').waitFor({ state: 'detached' });

    await roomMenu(page, 'Move to section…');
    const dialog = page.getByRole('dialog', { name: 'Move to a section' });
    await dialog.getByLabel('Section').fill(' Garden ');
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel('Section').press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await comesTo(() => namesIn(page, 'Garden'), ['Orchard']);
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await comesTo(() => namesIn(page, 'Garden'), ['Orchard']);
    await composerOf(page).waitFor();
    await roomMenu(page, 'Move to section…');
    await dialog.getByRole('button', { name: 'Out of its section' }).click();
    // An open dialog hides the list from assistive technology.
    await dialog.waitFor({ state: 'detached' });
    await comesTo(async () => (await namesIn(page, 'Rooms')).includes('Orchard'), true);
    expect(await section(page, 'Garden').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('unread rooms are first; the open one stays there until another is opened', async () => {
    const [first, last] = [
      await web.room({ name: 'Aaa first', members: ['ben', 'chie'] }),
      await web.room({ name: 'Zzz last', members: ['ben', 'chie'] }),
    ];
    const { page, complaints } = await web.as('chie', first.path);
    await composerOf(page).waitFor();
    const place = async () => {
      const names = await namesIn(page, 'Rooms');
      return names.indexOf('Zzz last') - names.indexOf('Aaa first');
    };
    await roomLink(page, 'Zzz last').waitFor();
    expect(await place()).toBeGreaterThan(0);
    const author = await web.idOf('ben');
    await web.app.services.messages.send({ room: last.id, author, body: 'Up!' });
    await comesTo(async () => (await place()) < 0, true);
    await roomLink(page, 'Zzz last').click();
    await page.getByRole('heading', { level: 1, name: 'Zzz last' }).waitFor();
    await comesTo(
      () =>
        roomLink(page, 'Zzz last')
          .textContent()
          .then((text) => text?.includes('unread')),
      false,
    );
    expect(await place()).toBeLessThan(0);
    await roomLink(page, 'Aaa first').click();
    await comesTo(async () => (await place()) > 0, true);
    expect(complaints).toEqual([]);
  });
});
