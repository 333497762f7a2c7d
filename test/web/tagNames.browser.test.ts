/** The names of tags as people write them, and what the page says of those that the server refuses. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, message } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, names of tags', () => {
  const web = useNotifications();

  /** Opens the details of a message that the viewer has just saved. */
  async function openDetails(page: Page, text: string) {
    const said = message(page, text);
    await said.hover();
    await said.getByRole('button', { name: /^(Save|保存)$/ }).click();
    await said.getByRole('button', { name: /^(Saved: details|保存済み)/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^(Tags|タグ)/).waitFor();
    return dialog;
  }

  it.each([
    [
      'en-GB',
      'A tag has up to 40 characters and no #.',
      'This name has characters that a tag can’t have.',
      'A message has up to 20 tags.',
    ],
    [
      'ja-JP',
      'タグは 40 文字までで、# は使えません。',
      'この名前には、タグに使えない文字があります。',
      '1 件のメッセージに付けられるタグは 20 個までです。',
    ],
  ])(
    'a name that is refused: the field says what a name can be (%s)',
    async (locale, rule, other, tooMany) => {
      const room = await web.room(`Trips ${locale}`, ['chie']);
      await web.say(room, 'chie', 'Kyoto in May');
      const { page, complaints } = await web.as('chie', {
        path: `/rooms/${encodeId('Room', room)}`,
        fresh: { locale },
      });
      const dialog = await openDetails(page, 'Kyoto');
      const field = dialog.getByLabel(/^(Tags|タグ)/);
      const save = dialog.getByRole('button', { name: /^(Save|保存)$/ });
      const refused = { 'a#b': rule, 'a＃b': rule, ['x'.repeat(41)]: rule, '👩\u200d💻': other };
      for (const [name, why] of Object.entries(refused)) {
        await field.fill(name);
        await save.click();
        await dialog.getByRole('alert').getByText(why).waitFor();
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await dialog.getByRole('alert').count()).toBe(1);
        expect(await findings(page)).toEqual([]);
        await field.fill('');
        await dialog.getByRole('alert').waitFor({ state: 'detached' });
      }
      await field.fill(Array.from({ length: 21 }, (_, i) => `t${i}`).join(','));
      await save.click();
      await dialog.getByRole('alert').getByText(tooMany).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  it('a number sign before a name: is left out wherever a name is entered', async () => {
    const room = await web.room('Plans', ['dana']);
    await web.say(room, 'dana', 'Osaka in June');
    const { page, complaints } = await web.as('dana', { path: `/rooms/${encodeId('Room', room)}` });
    const dialog = await openDetails(page, 'Osaka');
    await dialog.getByLabel('Tags').fill('#travel, ＃rail, #food');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.goto(`${web.app.url}/saved/tags/travel`);
    const side = page.getByRole('navigation', { name: 'Lists' });
    const tag = (name: string) => side.getByRole('link', { name: new RegExp(`^${name}\\s*1$`) });
    await tag('food').waitFor();
    await tag('rail').waitFor();
    await page.getByRole('button', { name: 'More about the tag travel' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename the tag “travel”' });
    await rename.getByLabel('New name').fill('a#b');
    await rename.getByRole('button', { name: 'Rename', exact: true }).click();
    await rename.getByRole('alert').getByText('A tag has up to 40 characters and no #.').waitFor();
    await rename.getByLabel('New name').fill('👩\u200d💻');
    await rename.getByRole('button', { name: 'Rename', exact: true }).click();
    await rename.getByRole('alert').getByText('This name has characters that a tag can’t have.').waitFor();
    await rename.getByLabel('New name').fill('# trips');
    await rename.getByRole('button', { name: 'Rename', exact: true }).click();
    await tag('trips').waitFor();

    await page.getByRole('button', { name: 'More about the tag trips' }).click();
    await page.getByRole('menuitem', { name: 'Merge into another tag…' }).click();
    const merge = page.getByRole('dialog', { name: 'Merge the tag “trips”' });
    await merge.getByLabel('Into this tag').fill('#rail');
    await merge.getByRole('button', { name: 'Merge', exact: true }).click();
    await tag('trips').waitFor({ state: 'detached' });
    await tag('rail').waitFor();

    await side.getByLabel('Find a tag').fill('#fo');
    await comesTo(() => side.getByRole('link', { name: /^(food|rail)/ }).allTextContents(), ['food1']);

    await page.goto(`${web.app.url}/saved`);
    await page.getByRole('checkbox', { name: /^Select/ }).check();
    await page.getByRole('button', { name: 'Add tags' }).click();
    const add = page.getByRole('dialog', { name: 'Add tags to 1 message' });
    await add.getByLabel('Tags').fill('a#b');
    await add.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('A tag has up to 40 characters and no #.').waitFor();
    expect(complaints).toEqual([]);
  });
});
