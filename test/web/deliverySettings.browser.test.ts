/** The page of the delivery settings: what is chosen is saved at once, and lost by no way of leaving the page. */
import { describe, expect, it } from 'vitest';
import { hasWholeBrowser } from '../support/clients/browser.ts';
import { eventually } from '../support/time/eventually.ts';
import { findings } from './support/axe.ts';
import { useDeliveries } from './support/deliveries.ts';
import { comesTo } from './support/pages.ts';
import { delay, held, operationOf, refuse } from './support/requests.ts';

describe.skipIf(!hasWholeBrowser())('web, delivery settings', () => {
  const web = useDeliveries();
  const { id, open } = web;
  const settingsOf = (handle: string) => web.app.services.deliverySettings.read(id(handle));

  it('kinds, times, channels, quiet hours and a pause are saved', async () => {
    const chie = await open('chie', { timezoneId: 'Asia/Tokyo' });
    const { page } = chie;
    await page.getByRole('switch', { name: 'Likes of your messages' }).click();
    await page.locator('summary').first().click();
    await page.getByLabel('Wait before the first one').first().selectOption('5 minutes');
    await page.getByRole('checkbox', { name: 'E-mail' }).first().uncheck();
    await page.getByRole('switch', { name: 'Hide names and rooms' }).click();
    await page.getByRole('switch', { name: 'Nothing at certain times' }).click();
    await page.getByLabel('From').fill('22:30');
    await page.getByLabel('To', { exact: true }).fill('22:30');
    await page.getByRole('checkbox', { name: 'Sun' }).uncheck();
    await page.getByRole('alert').getByText('must end at another time').waitFor();
    await page.getByLabel('To', { exact: true }).fill('06:00');
    await eventually(async () =>
      expect(await settingsOf('chie')).toMatchObject({
        kinds: {
          LIKE: { mode: 'OFF' },
          MENTION: { delaySeconds: 300, channels: ['WEB_PUSH', 'WEBHOOK'] },
        },
        quietHours: { from: 22 * 60 + 30, to: 6 * 60, timeZone: 'Asia/Tokyo', days: [1, 2, 3, 4, 5, 6] },
        hideText: true,
      }),
    );
    await page.getByRole('button', { name: 'For an hour' }).click();
    await page.getByText('Paused until').waitFor();
    expect((await settingsOf('chie')).pausedUntil).toBeGreaterThan(Date.now());
    await page.reload();
    await page.getByRole('button', { name: 'Resume now' }).click();
    await page.getByRole('button', { name: 'For an hour' }).waitFor();
    expect((await settingsOf('chie')).pausedUntil).toBeNull();
    expect(await page.getByRole('switch', { name: 'Likes of your messages' }).isChecked()).toBe(false);
    expect(chie.complaints).toEqual([]);
  });

  it.each([
    ['en-GB', 'Until tomorrow, 8:00', 'Nothing at certain times'],
    ['ja-JP', '明日の 8:00 まで', '決まった時間は通知しない'],
  ])(
    'a pause and quiet hours are in the zone of the profile, which %s names if the browser has another',
    async (locale, tomorrow, quiet) => {
      await web.app.services.users.update(id('dana'), { timeZone: 'Asia/Tokyo' });
      const { page, complaints } = await open('dana', { locale, timezoneId: 'America/New_York' });
      await page.getByRole('button', { name: tomorrow }).click();
      await page.getByText(/8:00 \(Asia\/Tokyo\)/).waitFor();
      // 8:00 in Tokyo is 23:00 of UTC, and 18:00 or 19:00 in New York.
      const until = (await settingsOf('dana')).pausedUntil ?? 0;
      expect(new Date(until).toISOString().slice(10)).toBe('T23:00:00.000Z');
      await page.getByRole('switch', { name: quiet }).click();
      await comesTo(async () => (await settingsOf('dana')).quietHours?.timeZone, 'Asia/Tokyo');
      expect(await findings(page)).toEqual([]);
      expect(complaints).toEqual([]);
      const nothing = { pausedUntil: null, quietHours: null };
      await web.app.services.deliverySettings.change(id('dana'), nothing);
    },
  );

  it('a change is saved at once, also if the page is left before it is sent', async () => {
    const { page, complaints } = await open('dana');
    const replies = page.getByRole('switch', { name: 'Replies in threads you follow' });
    await replies.click();
    await page.getByRole('link', { name: 'Saved', exact: true }).click();
    await comesTo(async () => (await settingsOf('dana')).kinds.REPLY?.mode, 'OFF');
    await page.goBack();
    await page.getByText('Changes are saved at once.').waitFor();
    expect(await replies.isChecked()).toBe(false);
    // Another part of the page saves meanwhile.
    await replies.click();
    await page.getByRole('button', { name: 'For an hour' }).click();
    await page.getByText('Paused until').waitFor();
    expect(await replies.isChecked()).toBe(true);
    await comesTo(async () => (await settingsOf('dana')).kinds.REPLY?.mode, 'ON');
    await page.getByRole('button', { name: 'Resume now' }).click();
    await page.getByRole('button', { name: 'For an hour' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('a change that the server refuses is not shown any more, and a toast says why', async () => {
    const { page } = await open('dana');
    const replies = page.getByRole('switch', { name: 'Replies in threads you follow' });
    const wasOn = await replies.isChecked();
    await refuse(page, 'UpdateDeliverySettings', { code: 'UNAVAILABLE' });
    const said = page.getByRole('status').getByText('can’t do this right now').waitFor();
    await replies.click();
    await said;
    await comesTo(() => replies.isChecked(), wasOn);
  });

  it('a reload sends the last change, and the request goes on without the page', async () => {
    const { page } = await open('dana');
    const hide = page.getByRole('switch', { name: 'Hide names and rooms' });
    const wasOn = await hide.isChecked();
    await page.evaluate(`{
      const send = window.fetch;
      window.fetch = (input, init) => {
        if (String(init?.body).includes('UpdateDeliverySettings'))
          sessionStorage.setItem('keepalive', String(init.keepalive));
        return send(input, init);
      };
    }`);
    page.once('dialog', (dialog) => dialog.accept());
    await hide.click();
    await page.reload();
    expect(await page.evaluate(`sessionStorage.getItem('keepalive')`)).toBe('true');
    await comesTo(async () => (await settingsOf('dana')).hideText, !wasOn);
  });

  it('a change that waits while its user signs out does not warn the next one', async () => {
    const { page } = await open('dana');
    const { promise, letGo } = held();
    await delay(page, 'UpdateDeliverySettings', promise);
    const sent = page.waitForRequest((request) => operationOf(request) === 'UpdateDeliverySettings');
    await page.getByRole('switch', { name: 'Hide names and rooms' }).click();
    await sent;
    let warnings = 0;
    page.on('dialog', (dialog) => {
      warnings++;
      return dialog.accept();
    });
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Who would you like to be?' }).waitFor();
    await page.reload();
    expect(warnings).toBe(0);
    letGo();
  });

  it('closing the page before a change is saved asks first', async () => {
    const { page } = await open('dana');
    await page.getByRole('switch', { name: 'Nothing at certain times' }).click();
    await page.getByLabel('To', { exact: true }).fill('22:00');
    await page.getByRole('alert').getByText('must end at another time').waitFor();
    const asked = page.waitForEvent('dialog');
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await closed;
    await web.app.services.deliverySettings.change(id('dana'), { quietHours: null });
  });

  it.each([
    ['wide', 'en-GB', { width: 1280, height: 1400 }, 'light'],
    ['wide', 'ja-JP', { width: 1280, height: 1400 }, 'dark'],
    ['phone', 'en-GB', { width: 360, height: 740 }, 'dark'],
    ['phone', 'ja-JP', { width: 360, height: 740 }, 'light'],
  ] as const)('the page: has no axe findings, %s, %s', async (_size, locale, viewport, colorScheme) => {
    const { page, complaints } = await open('dana', {
      locale,
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
    });
    await page.getByRole('switch').last().click();
    await page.locator('summary').first().click();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    expect(complaints).toEqual([]);
  });
});
