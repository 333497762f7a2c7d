import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, message } from './support/pages.ts';

const card = (page: Page) => page.getByRole('dialog', { name: /^(Profile|プロフィール)$/ });
const section = (page: Page) =>
  card(page).getByRole('region', { name: /^(Saved publicly|公開で保存したもの)$/ });
const entries = (page: Page) => section(page).getByRole('listitem');

describe.skipIf(!browserAvailable)('web, what a user has saved publicly', () => {
  const web = useNotifications();

  /** Ben saves `count` messages of a room publicly, the odd ones with a tag, one privately, and one of another room. */
  async function shelf(name: string, count: number): Promise<string> {
    const [room, hidden] = [await web.room(name, ['aki', 'ben']), await web.room(`${name} 2`, ['ben'])];
    const save = async (of: string, body: string, visibility: 'PUBLIC' | 'PRIVATE', tags: string[] = []) => {
      const { threadTs, ts } = await web.say(of, 'ben', body);
      await web.app.services.saved.save(
        { user: web.id('ben'), room: of, threadTs, ts },
        { visibility, tags: validTagNames(tags), note: `About ${body}` },
        { known: false },
      );
    };
    for (let i = 1; i <= count; i++)
      await save(room, `${name} book ${i}`, 'PUBLIC', i % 2 === 1 ? [`${name} odd`] : []);
    await save(room, `${name} diary`, 'PRIVATE', [`${name} secret`]);
    await save(hidden, `${name} elsewhere`, 'PUBLIC', []);
    return room;
  }

  /** Opens Ben's card from the first of his messages in the room. */
  async function openCard(page: Page): Promise<void> {
    await page.getByRole('log').getByRole('button', { name: 'Ben Okafor' }).first().click();
    await entries(page).first().waitFor();
  }

  it('is on their card: with notes, by tag, page by page, and only what the viewer may see', async () => {
    await shelf('Shelf', 12);
    const { page, openRoom, complaints } = await web.as('aki');
    await openRoom('Shelf');
    await openCard(page);
    await comesTo(() => entries(page).count(), 10);
    await entries(page).first().getByRole('link', { name: 'Shelf book 12' }).waitFor();
    await entries(page).first().getByText('About Shelf book 12').waitFor();
    expect(await findings(page)).toEqual([]);
    const text = await card(page).textContent();
    for (const hidden of ['diary', 'secret', 'elsewhere']) expect(text).not.toContain(hidden);

    await section(page).getByRole('button', { name: 'Show more' }).click();
    await section(page).getByRole('link', { name: 'Shelf book 1', exact: true }).waitFor();

    const odd = section(page).getByRole('button', { name: 'Shelf odd 6' });
    await odd.click();
    await comesTo(() => entries(page).count(), 6);
    expect(await odd.getAttribute('aria-pressed')).toBe('true');
    await odd.click();
    await section(page).getByRole('link', { name: 'Shelf book 12' }).waitFor();

    await section(page).getByRole('link', { name: 'Shelf book 11' }).click();
    await card(page).waitFor({ state: 'detached' });
    await page.waitForURL(/\/messages\//);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['en-GB', { width: 360, height: 740 }, 'dark'],
    ['ja-JP', { width: 360, height: 740 }, 'light'],
  ] as const)('is on a card on a phone in %s', async (locale, viewport, colorScheme) => {
    const name = `Phone ${locale}`;
    const room = await shelf(name, 3);
    const { page, complaints } = await web.as('aki', {
      path: `/rooms/${encodeURIComponent(encodeId('Room', room))}`,
      fresh: { locale, viewport, colorScheme, reducedMotion: 'reduce' },
    });
    await openCard(page);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    // The whole card is on the screen.
    const box = await card(page).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect(box?.height).toBeGreaterThan(340);
    expect(complaints).toEqual([]);
  });

  it('is not shown for a user who has saved nothing publicly', async () => {
    const room = await web.room('Empty', ['aki', 'chie']);
    await web.say(room, 'chie', 'Nothing of mine');
    const { page, openRoom, complaints } = await web.as('aki');
    await openRoom('Empty');
    const answered = page.waitForResponse((response) =>
      (response.request().postData() ?? '').includes('ProfileSaved'),
    );
    await message(page, 'Nothing of mine').getByRole('button', { name: 'Chie Mori' }).click();
    await (await answered).finished();
    await card(page).getByText('@chie').waitFor();
    expect(await section(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
