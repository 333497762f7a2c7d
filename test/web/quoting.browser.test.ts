import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, composerOf, hasFocus, message } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, using what others wrote', () => {
  const web = useNotifications();

  it('quote: is in the composer with the focus behind it, and mentions no one again', async () => {
    const roomId = await web.room('Kitchen', ['aki', 'ben']);
    const root = await web.say(roomId, 'ben', 'Rice, @aki?\nOr noodles?');
    await web.say(roomId, 'ben', 'Bread.', root);
    const { page, openRoom, complaints } = await web.as('aki');
    await openRoom('Kitchen');
    const quote = async (text: string) => {
      const row = page.getByRole('article').filter({ hasText: text }).last();
      await row.hover();
      await row.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Quote' }).click();
    };
    await quote('Or noodles?');
    const field = composerOf(page);
    await comesTo(() => hasFocus(field), true);
    await field.pressSequentially('Noodles.');
    await field.press('Enter');
    const sent = message(page, 'Noodles.').locator('blockquote');
    await sent.getByText('Or noodles?').waitFor();
    expect(await message(page, 'Noodles.').getByRole('button', { name: '@aki' }).count()).toBe(0);

    // In a thread it is in the composer of the thread.
    await message(page, 'Rice,').first().getByText('1 reply').click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByRole('article').filter({ hasText: 'Bread.' }).waitFor();
    await quote('Bread.');
    const reply = thread.getByLabel('Reply…');
    await comesTo(() => hasFocus(reply), true);
    expect(await reply.inputValue()).toBe('> Bread.\n\n');
    expect(await field.inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('edit: Arrow Up opens the last message in the list, and the menu says who edited it', async () => {
    await web.room('Garden', ['aki', 'ben']);
    const { page, openRoom, say, complaints } = await web.as('aki', {
      fresh: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await openRoom('Garden');
    await say('Tomatos');
    const field = composerOf(page);
    await field.press('ArrowUp');
    const edit = page.getByRole('article').getByRole('textbox', { name: 'Edit message' });
    await comesTo(() => hasFocus(edit), true);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await edit.press('Escape');
    await comesTo(() => hasFocus(field), true);
    await field.press('ArrowUp');
    await edit.fill('Tomatoes');
    await edit.press('Enter');
    const row = message(page, 'Tomatoes');
    await row.getByText('(edited)').waitFor();
    await comesTo(() => hasFocus(field), true);

    await row.hover();
    await row.getByRole('button', { name: 'More actions' }).click();
    await page.getByText(/^Edited by Aki Tanaka, /).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Copy text' }).click();
    await page.getByText('Text copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Tomatoes');
    expect(complaints).toEqual([]);
  });
});
