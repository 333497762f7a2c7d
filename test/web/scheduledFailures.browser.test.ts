import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { lookAway, lookBack, useNotifications } from './support/notificationPanel.ts';
import { comesTo } from './support/pages.ts';
import { answered, operationOf } from './support/requests.ts';

const MINUTE_MS = 60_000;

describe.skipIf(!browserAvailable)('web, scheduled messages that could not be sent', () => {
  const web = useNotifications();

  it.each([
    {
      locale: 'en-GB',
      handle: 'ben',
      saved: /^Saved/,
      later: 'Send later',
      soon: 'In 20 minutes',
      entry: /^Scheduled messages/,
      remove: /^Delete/,
      one: '1 scheduled message wasn’t sent',
      two: '2 scheduled messages weren’t sent',
      many: '20 or more scheduled messages weren’t sent',
    },
    {
      locale: 'ja-JP',
      handle: 'chie',
      saved: /^保存済み/,
      later: '後で送信',
      soon: '20 分後',
      entry: /^予約したメッセージ/,
      remove: /を削除$/,
      one: '送信できなかった予約メッセージ 1 件',
      two: '送信できなかった予約メッセージ 2 件',
      many: '送信できなかった予約メッセージ 20 件以上',
    },
  ])('are counted in the side bar: $locale', async (texts) => {
    const room = await web.room(`Unsent ${texts.locale}`, [texts.handle]);
    const author = web.id(texts.handle);
    const schedule = (body: string) =>
      web.app.services.scheduledMessages.schedule({ room, author, body, sendAt: Date.now() + 86_400_000 });
    const { page, complaints } = await web.as(texts.handle, {
      path: `/rooms/${encodeId('Room', room)}`,
      fresh: { locale: texts.locale },
    });
    const link = page.getByRole('complementary').getByRole('link', { name: texts.saved });
    const entry = page.getByRole('main').getByRole('button', { name: texts.entry });
    const dialog = page.getByRole('dialog');
    const field = page.getByRole('textbox', { name: new RegExp(`Unsent ${texts.locale}`) });
    await field.waitFor();
    await page.clock.install();
    expect(await link.getByText(texts.one).count()).toBe(0);

    await field.fill('Too late');
    await page.getByRole('button', { name: texts.later }).click();
    const scheduled = answered(page, 'ScheduleLater');
    await dialog.getByRole('button', { name: texts.soon }).click();
    await scheduled;
    await dialog.waitFor({ state: 'detached' });
    // As if the viewer had not been in the room when their time came.
    let reads = 0;
    await page.route('**/graphql', async (route) => {
      if (operationOf(route.request()) !== 'ScheduledFailures') return route.fallback();
      reads++;
      const response = await route.fetch();
      const json = await response.json();
      for (const { node } of json.data.viewer.scheduledMessages.edges) node.failure = 'FORBIDDEN';
      await route.fulfill({ response, json });
    });
    await page.clock.fastForward(21 * MINUTE_MS);
    await link.getByText(texts.one).waitFor();
    await link.getByText('1', { exact: true }).waitFor();

    await schedule('Too late as well');
    await lookAway(page);
    await page.clock.fastForward(MINUTE_MS);
    await lookBack(page);
    await link.getByText(texts.two).waitFor();
    // The next one is due tomorrow.
    await page.clock.runFor(10 * MINUTE_MS);
    expect(reads).toBe(2);

    await link.click();
    await entry.getByText(texts.two).waitFor();
    expect(await findings(page)).toEqual([]);
    const rows = dialog.getByRole('listitem');
    for (const left of [1, 0]) {
      await entry.click();
      await dialog.getByRole('button', { name: texts.remove }).first().click();
      await comesTo(() => rows.count(), left);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      if (left > 0) await link.getByText(texts.one).waitFor();
    }
    await link.getByText(texts.one).waitFor({ state: 'detached' });
    expect(await entry.getByText(texts.one).count()).toBe(0);

    await Promise.all(Array.from({ length: 21 }, (_, i) => schedule(`Too late ${i}`)));
    await page.reload();
    await link.getByText(texts.many).waitFor();
    await link.getByText('20+', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
