import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { type Delivery, deliveryItem } from '../../src/delivery/delivery.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus } from './support/pages.ts';
import { refuse } from './support/requests.ts';

describe.skipIf(!browserAvailable)('web, what of a room is delivered, and what was', () => {
  const web = useNotifications();

  it('the menu of a room: chooses what is delivered, with the keyboard', async () => {
    const room = await web.room('Pantry', ['aki', 'ben']);
    const { page, complaints } = await web.as('aki', { path: `/rooms/${encodeId('Room', room)}` });
    const dialog = page.getByRole('dialog', { name: 'Notifications' });
    const open = async () => {
      // It is disabled until the menu is loaded.
      await page.getByRole('button', { name: 'More about Pantry', disabled: false }).press('Enter');
      await page.getByRole('menuitem', { name: 'Notifications' }).press('Enter');
      await dialog.waitFor();
    };
    const delivery = async () => {
      const { items } = await web.app.dynamo.query(
        { pk: `USER#${web.id('aki')}`, from: `ROOM#${room}`, to: `ROOM#${room}` },
        { limit: 1 },
      );
      return items[0]?.delivery;
    };
    await open();
    const choice = (name: string) => dialog.getByRole('radio', { name: new RegExp(`^${name}`) });
    await comesTo(() => choice('Default').isChecked(), true);
    expect(await findings(page)).toEqual([]);
    await choice('Default').focus();
    await page.keyboard.press('ArrowDown');
    await comesTo(() => choice('All messages').isChecked(), true);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await comesTo(delivery, 'ALL');
    await open();
    await comesTo(() => choice('All messages').isChecked(), true);
    await choice('Nothing').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await comesTo(delivery, 'NOTHING');
    expect(complaints).toEqual([]);
  });

  it('the menu of a room: reads again what is chosen, if that failed', async () => {
    const room = await web.room('Buttery', ['aki', 'ben']);
    const { page, complaints } = await web.as('aki', { path: `/rooms/${encodeId('Room', room)}` });
    const succeed = await refuse(page, 'RoomDeliveryChoice', { code: 'UNAVAILABLE' });
    await page.getByRole('button', { name: 'More about Buttery', disabled: false }).press('Enter');
    await page.getByRole('menuitem', { name: 'Notifications' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Notifications' });
    await dialog.getByRole('alert').waitFor();
    await succeed();
    await comesTo(() => dialog.getByRole('radio', { name: /^Default/ }).isChecked(), true);
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('the settings: list the rooms that differ, live, and open the dialog of each', async () => {
    const [attic, shed] = [await web.room('Attic', ['aki', 'ben']), await web.room('Shed', ['aki', 'ben'])];
    await web.room('Stairs', ['aki', 'ben']);
    const { page, complaints } = await web.as('ben', { path: '/settings/notifications' });
    const region = page.getByRole('region', { name: 'Rooms', exact: true });
    const rows = async () => (await region.getByRole('listitem').allTextContents()).sort();
    await region.getByText('No room differs.').waitFor();
    const { deliverySettings, readPositions } = web.app.services;
    await deliverySettings.setRoom(web.id('ben'), attic, 'MENTIONS');
    await readPositions.mute(web.id('ben'), shed, true);
    await page.reload();
    await comesTo(rows, ['AtticMentionsChange', 'ShedDefault · mutedChange']);
    expect(await findings(page)).toEqual([]);

    const change = (name: string) => region.getByRole('button', { name: `Change notifications of ${name}` });
    const dialog = page.getByRole('dialog', { name: /^Notifications of / });
    const choice = (name: string) => dialog.getByRole('radio', { name: new RegExp(`^${name}`) });
    await change('Shed').press('Enter');
    await comesTo(() => choice('Default').isChecked(), true);
    expect(await dialog.getByRole('heading').textContent()).toBe('Notifications of Shed');
    expect(await dialog.getByRole('link').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await choice('All messages').check();
    await page.keyboard.press('Enter');
    await comesTo(rows, ['AtticMentionsChange', 'ShedAll messages · mutedChange']);
    await comesTo(() => hasFocus(change('Shed')), true);

    await change('Attic').press('Enter');
    await comesTo(() => choice('Mentions').isChecked(), true);
    await choice('Default').check();
    await page.keyboard.press('Enter');
    await comesTo(rows, ['ShedAll messages · mutedChange']);
    await comesTo(() => hasFocus(region.getByRole('heading')), true);
    expect(complaints).toEqual([]);
  });

  it('the settings: list what was delivered lately, and why something was not', async () => {
    const room = await web.room('Cellar', ['chie', 'ben']);
    const now = Date.now();
    const made = (i: number, other: Partial<Delivery>) =>
      deliveryItem({
        user: web.id('chie'),
        id: toTimestamp((now - i * 60_000) * 1_000),
        kinds: ['LIKE'],
        rooms: [room],
        notifications: [],
        outcome: 'SENT',
        attempts: [],
        version: 1,
        dueAt: now - i * 60_000,
        decidedAt: now - i * 60_000,
        ...other,
      });
    await web.app.dynamo.transact([
      { put: made(0, { kinds: [], rooms: [], outcome: 'SENT' }) },
      { put: made(1, { kinds: ['MESSAGE'], outcome: 'READ_BEFORE' }) },
      { put: made(2, { outcome: 'FAILED' }) },
      ...Array.from({ length: 12 }, (_, i) => ({ put: made(3 + i, { outcome: 'MUTED' as const }) })),
    ]);
    const { page, complaints } = await web.as('chie', { path: '/settings/notifications' });
    const recent = page.getByRole('region', { name: 'Recent notifications' });
    const rows = recent.getByRole('listitem');
    await comesTo(() => rows.count(), 10);
    expect(await rows.nth(0).textContent()).toMatch(/This is a test.*Test.*Sent/);
    expect(await rows.nth(1).textContent()).toMatch(
      /All messages of rooms you choose.*Cellar.*Not sent: you had read it/,
    );
    expect(await rows.nth(2).textContent()).toMatch(/Failed/);
    expect(await findings(page)).toEqual([]);
    await recent.getByRole('button', { name: 'Show more' }).click();
    await comesTo(() => rows.count(), 15);
    expect(complaints).toEqual([]);
  });
});
