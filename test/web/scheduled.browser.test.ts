import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { messageId } from '../../src/messages/message.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus, message } from './support/pages.ts';
import { operationOf, refuse } from './support/requests.ts';

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
    expect(await page.getByRole('main').getByText('Morning').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('scheduled: what is scheduled, or edited below a draft, is not sent', async () => {
    const room = await web.room('Pantry', ['aki', 'ben']);
    const root = await web.say(room, 'ben', 'What is left?');
    const path = `/rooms/${encodeId('Room', room)}/threads/${encodeId('Message', messageId(root))}`;
    const { page, complaints } = await web.as('aki', { path });
    const thread = page.getByRole('complementary', { name: /Thread/ });
    for (const pane of [page.getByRole('main'), thread]) {
      const field = pane.locator('[data-composer]');
      const later = pane.getByRole('button', { name: 'Send later' });
      const dialog = page.getByRole('dialog');
      await field.first().waitFor();

      await field.first().fill('By the button');
      await later.first().click();
      await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
      await comesTo(() => field.first().inputValue(), '');

      await field.first().fill('By Enter');
      await later.first().click();
      const time = dialog.getByLabel('Date and time');
      // Refused: the draft and what was chosen stay.
      const accept = await refuse(page, 'ScheduleLater', { code: 'RATE_LIMITED' });
      const chosen = await time.inputValue();
      await time.press('Enter');
      await dialog.getByRole('alert').waitFor();
      expect(await time.inputValue()).toBe(chosen);
      expect(await field.first().inputValue()).toBe('By Enter');
      await accept();
      await time.press('Enter');
      await comesTo(() => field.first().inputValue(), '');

      await field.first().fill('Not finished');
      await later.first().click();
      await dialog.getByRole('button', { name: 'Scheduled messages…' }).click();
      await dialog.getByRole('button', { name: 'Edit “By Enter”' }).first().click();
      await dialog.getByRole('textbox', { name: 'Message' }).fill('By Enter, later');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('button', { name: 'Edit “By Enter, later”' }).first().waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await field.first().inputValue()).toBe('Not finished');

      // Messages are sent in their order: what was sent before it would be in the table by now.
      await field.first().fill('Sent');
      await field.first().press('Enter');
      await pane.getByRole('article').filter({ hasText: 'Sent' }).last().waitFor();
      expect(
        await pane
          .getByRole('article')
          .filter({ hasText: /By (the button|Enter)|Not finished/ })
          .count(),
      ).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  it('scheduled: one that could not be sent needs another time', async () => {
    const room = await web.room('Late', ['ben']);
    const { page, complaints } = await web.as('ben', { path: `/rooms/${encodeId('Room', room)}`, fresh: {} });
    await page.getByRole('textbox', { name: /^Message/ }).fill('Too late');
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'In 20 minutes' }).click();
    // As if its time had come while the viewer was not in the room.
    await page.route('**/graphql', async (route) => {
      if (operationOf(route.request()) !== 'ScheduledList') return route.fallback();
      const response = await route.fetch();
      const json = await response.json();
      for (const { node } of json.data.viewer.scheduledMessages.edges) {
        node.failure = 'FORBIDDEN';
        node.sendAt = '2020-01-01T00:00:00.000Z';
      }
      await route.fulfill({ response, json });
    });
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('button', { name: 'Scheduled messages…' }).click();
    const list = page.getByRole('dialog', { name: 'Scheduled messages' });
    await list.getByText(/^Not sent: /).waitFor();
    await list.getByRole('button', { name: 'Edit “Too late”' }).click();
    const time = list.getByLabel('Date and time');
    expect(await time.inputValue()).toBe('');
    await list.getByRole('button', { name: 'Save' }).click();
    await comesTo(() => hasFocus(time), true);
    expect(await time.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
    const asked = page.waitForRequest((request) => operationOf(request) === 'ChangeScheduled');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await time.fill(tomorrow);
    await list.getByRole('button', { name: 'Save' }).click();
    expect((await asked).postDataJSON().variables.input.sendAt).toBeDefined();
    await list.getByText(/^Not sent: /).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it.each([
    ['en-GB', 'Tomorrow at 9:00', 'By the clock of Asia/Tokyo, your time zone.'],
    ['ja-JP', '明日の 9:00', 'タイムゾーン：Asia/Tokyo'],
  ])(
    'times: are in the zone of the profile, which %s names if the browser has another',
    async (locale, tomorrow, hint) => {
      const name = `Zones ${locale}`;
      const room = await web.room(name, ['chie']);
      await web.app.services.users.update(web.id('chie'), { timeZone: 'Asia/Tokyo' });
      const { page, complaints } = await web.as('chie', {
        path: `/rooms/${encodeId('Room', room)}`,
        fresh: { locale, timezoneId: 'America/New_York' },
      });
      const sent = (operation: string) =>
        page.waitForRequest((request) => operationOf(request) === operation);
      const dialog = page.getByRole('dialog');
      const field = dialog.getByLabel(/^(Date and time|日時)$/);
      // 9:00 in Tokyo is midnight of UTC, and 19:00 or 20:00 in New York.
      const isMorning = async () => {
        await comesTo(async () => (await field.inputValue()).slice(10), 'T09:00');
        await dialog.getByText(hint).waitFor();
        expect(await findings(page)).toEqual([]);
      };
      const MIDNIGHT = /^\d{4}-\d\d-\d\dT00:00:00(\.000)?Z$/;
      const SHOWN = /9:00 \(Asia\/Tokyo\)/;

      await web.say(room, 'chie', 'Tokyo');
      const said = message(page, 'Tokyo');
      await said.hover();
      await said.getByRole('button', { name: /^(Save|保存)$/ }).click();
      await said.getByRole('button', { name: /^(Saved: details|保存済み)/ }).click();
      await dialog.getByRole('button', { name: tomorrow }).click();
      await isMorning();
      const saved = sent('Save');
      await dialog.getByRole('button', { name: /^(Save|保存)$/ }).click();
      expect((await saved).postDataJSON().variables.input.remindAt).toMatch(MIDNIGHT);
      await dialog.waitFor({ state: 'detached' });
      await said.getByText(SHOWN).waitFor();

      await page.getByRole('textbox', { name: new RegExp(name) }).fill('Later');
      await page.getByRole('button', { name: /^(Send later|後で送信)$/ }).click();
      await isMorning();
      const scheduled = sent('ScheduleLater');
      await dialog.getByRole('button', { name: /^(Schedule|予約する)$/ }).click();
      expect((await scheduled).postDataJSON().variables.input.sendAt).toMatch(MIDNIGHT);
      await page.getByRole('status').filter({ hasText: SHOWN }).first().waitFor();

      await page.getByRole('button', { name: /^(Send later|後で送信)$/ }).click();
      await dialog.getByRole('button', { name: /^(Scheduled messages…|予約したメッセージ…)$/ }).click();
      await dialog.getByRole('listitem').filter({ hasText: SHOWN }).first().waitFor();
      await dialog
        .getByRole('button', { name: /^(Edit “Later”|「Later」を編集)$/ })
        .first()
        .click();
      await isMorning();
      expect(complaints).toEqual([]);
    },
  );
});
