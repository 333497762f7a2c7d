import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, scheduled messages', () => {
  const web = useNotifications();

  it('scheduled: a message is scheduled from the composer, edited, deleted and sent from the list', async () => {
    const kitchen = await web.room('Kitchen', ['aki', 'ben']);
    const { page, complaints } = await web.as('aki', { path: `/rooms/${encodeId('Room', kitchen)}` });
    const field = page.getByRole('textbox', { name: /^Message/ });
    const schedule = async (text: string, how: string) => {
      await field.fill(text);
      await page.getByRole('button', { name: 'Send later' }).click();
      const dialog = page.getByRole('dialog', { name: 'Send later' });
      await dialog.getByRole('button', { name: how, exact: true }).waitFor();
      expect(await findings(page)).toEqual([]);
      await dialog.getByRole('button', { name: how, exact: true }).click();
      await comesTo(() => field.inputValue(), '');
    };
    await schedule('Soon', 'In 20 minutes');
    await schedule('Morning', 'Schedule');

    await page.getByRole('button', { name: 'Send later' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Scheduled messages…' }).click();
    const list = page.getByRole('dialog', { name: 'Scheduled messages' });
    const rows = list.getByRole('listitem');
    await comesTo(() => rows.count(), 2);
    expect(await rows.first().textContent()).toContain('Soon');
    expect(await findings(page)).toEqual([]);

    await list.getByRole('button', { name: 'Edit “Morning”' }).click();
    await list.getByRole('textbox', { name: 'Message' }).fill('Good morning');
    await list.getByRole('button', { name: 'Save' }).click();
    await comesTo(async () => (await rows.nth(1).textContent())?.includes('Good morning'), true);
    await list.getByRole('button', { name: 'Delete “Good morning”' }).click();
    await comesTo(() => rows.count(), 1);
    await list.getByRole('button', { name: 'Send now: “Soon”' }).click();
    await comesTo(() => rows.count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByText('Soon', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
