import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { freshWindow } from '../support/clients/windows.ts';
import { ALLOWED, alertWindows } from './support/alertWindows.ts';
import { findings } from './support/axe.ts';
import { FILL } from './support/fullStorage.ts';
import { comesTo, message } from './support/pages.ts';
import { heading, useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, alerts while a page is open', () => {
  const web = useRooms();
  const { opened, window, say, send, write, turnOn, looked } = alertWindows(web);

  it.each([
    ['en-GB', 'Turn on notifications?', 'Not now', 'You can turn them on in Settings.', 'granted'],
    ['ja-JP', '通知をオンにしますか？', 'オンにする', undefined, 'granted'],
    ['en-GB', 'Turn on notifications?', 'Turn on', 'The browser didn’t allow notifications.', 'denied'],
  ] as const)(
    'asks once, after the first message, in %s: %s %s',
    async (locale, title, choice, toast, answer) => {
      const { path } = await web.room({ name: `Attic ${locale} ${choice}`, members: ['chie'] });
      const chie = await window({ as: 'chie', path, locale, permission: 'default', answer });
      const { page } = chie;
      const question = page.getByRole('region', { name: title });
      expect(await question.count()).toBe(0);
      await say(page, 'The first one');
      await question.waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await chie.asked()).toEqual([]);
      const said = toast === undefined ? undefined : page.getByText(toast).waitFor();
      await question.getByRole('button', { name: choice }).click();
      await question.waitFor({ state: 'detached' });
      await said;
      const isYes = choice !== 'Not now';
      expect(await chie.asked()).toEqual(isYes ? [true] : []);
      expect(await page.evaluate("JSON.parse(localStorage.getItem('tsudoi:alerts'))")).toMatchObject({
        isAnswered: true,
        ...(isYes && { notify: answer === 'granted' }),
        ...(answer === 'granted' && isYes && { sound: true }),
      });
      // The page has forgotten what the browser decided, and does not ask again.
      const loaded = page.waitForResponse(/\/assets\/Alerts-/);
      await page.reload();
      await say(page, 'The second one');
      await loaded;
      await say(page, 'The third one');
      expect(await question.count()).toBe(0);
      expect(chie.complaints).toEqual([]);
    },
  );

  it('a page that is not secure: works, and asks for nothing', async () => {
    const { path } = await web.room({ name: 'Shed', members: ['aki'] });
    const page = await freshWindow(web.browser, { locale: 'en-GB', viewport: { width: 1280, height: 800 } });
    // As browsers have it there.
    await page.addInitScript(
      'delete Navigator.prototype.locks; delete Navigator.prototype.serviceWorker; delete window.caches; delete Crypto.prototype.randomUUID',
    );
    const aki = await opened(page, { as: 'aki', path, permission: 'default' });
    await say(page, 'The first one');
    await say(page, 'The second one');
    expect(await page.getByRole('region', { name: 'Turn on notifications?' }).count()).toBe(0);
    await page.goto(`${web.app.url}/settings`);
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    expect(await page.getByRole('switch', { name: 'Sound' }).count()).toBe(0);
    expect(aki.complaints).toEqual([]);
  });

  it('a mention: one notification and one sound for two tabs in the background; a click opens the message', async () => {
    const { id, path } = await web.room({ name: 'Cellar', members: ['aki', 'ben'] });
    const { path: other } = await web.room({ name: 'Garden', members: ['aki'] });
    const first = await window({ as: 'aki', path: other, ...ALLOWED });
    const second = await opened(await first.page.context().newPage(), { as: 'aki', path: other, ...ALLOWED });
    const tabs = [first, second];
    await Promise.all(tabs.map(turnOn));
    for (const tab of tabs) await tab.lookAway();
    await send(id, 'ben', '@aki The wine is gone.');
    const all = async () => (await Promise.all(tabs.map((tab) => tab.shown()))).flat();
    const sum = async () => (await Promise.all(tabs.map((tab) => tab.sounds()))).reduce((a, b) => a + b, 0);
    await comesTo(all, [{ title: 'Cellar', body: 'Ben Okafor mentioned you' }]);
    await comesTo(sum, 1);
    const shows = (await first.shown()).length > 0 ? first : second;
    await shows.click();
    await message(shows.page, 'The wine is gone.').waitFor();
    expect(await all()).toEqual([]);

    // Those who look at the room need no sound.
    await shows.lookBack();
    expect(new URL(shows.page.url()).pathname).toMatch(path);
    const isLooked = looked(first.page);
    await send(id, 'ben', '@aki And the cheese.');
    await message(shows.page, 'And the cheese.').waitFor();
    await isLooked;
    const isLookedAgain = looked(first.page);
    const direct = await web.app.services.rooms.openDirect(await web.idOf('ben'), [await web.idOf('aki')]);
    await send(direct.id, 'ben', 'The key is under the mat.');
    await isLookedAgain;
    expect(await sum()).toBe(1);
    await comesTo(sum, 2);
    expect(await all()).toEqual([]);
    expect(tabs.flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it('full storage: alerts to a direct message', async () => {
    const { path } = await web.room({ name: 'Pantry', members: ['dana'] });
    const dana = await window({ as: 'dana', path, ...ALLOWED });
    await turnOn(dana);
    expect(await dana.page.evaluate(FILL)).toBe(2);
    await dana.lookAway();
    await write('chie', 'dana', 'The jam is ready.');
    await comesTo(async () => (await dana.shown()).length, 1);
    await comesTo(() => dana.sounds(), 1);
    expect(dana.complaints).toEqual([]);
  });

  it('a notification is closed when the viewer looks at the page, or reads it elsewhere', async () => {
    const { id, path } = await web.room({ name: 'Stable', members: ['ben', 'aki'] });
    const ben = await window({ as: 'ben', path, ...ALLOWED });
    await turnOn(ben);
    const bell = () => ben.page.getByRole('button', { name: /^Notifications/ }).getAttribute('aria-label');
    const before = await bell();
    await ben.lookAway();
    await send(id, 'aki', '@ben A horse.');
    const horse = [{ title: 'Stable', body: 'Aki Tanaka mentioned you' }];
    await comesTo(() => ben.shown(), horse);
    await web.app.services.readPositions.markRead(await web.idOf('ben'), id);
    await comesTo(() => ben.shown(), []);
    await comesTo(bell, before);
    await send(id, 'aki', '@ben Another horse.');
    await comesTo(() => ben.shown(), horse);
    await ben.lookBack();
    expect(await ben.shown()).toEqual([]);
    expect(ben.complaints).toEqual([]);
  });

  it('deliveries to this browser: the page shows nothing itself', async () => {
    const { id, path } = await web.room({ name: 'Tower', members: ['dana', 'ben'] });
    const dana = await window({ as: 'dana', path, ...ALLOWED });
    await turnOn(dana);
    const user = encodeId('User', await web.idOf('dana'));
    await dana.page.evaluate(`localStorage.setItem('tsudoi:push', '${JSON.stringify({ user, id: 'one' })}')`);
    await dana.lookAway();
    const isLooked = looked(dana.page);
    await send(id, 'ben', '@dana A bell.');
    await isLooked;
    await dana.page.evaluate("localStorage.removeItem('tsudoi:push')");
    await send(id, 'ben', '@dana A second bell.');
    await comesTo(async () => (await dana.shown()).length, 1);
    await comesTo(() => dana.sounds(), 1);
    expect(dana.complaints).toEqual([]);
  });

  it.each(['en-GB', 'ja-JP'])('the settings: both can be switched, and are kept, in %s', async (locale) => {
    const { path } = await web.room({ name: `Barn ${locale}`, members: ['chie'] });
    const chie = await window({ as: 'chie', path, locale, permission: 'default' });
    const { page } = chie;
    const [title, notify, sound] =
      locale === 'ja-JP'
        ? ['設定', 'デスクトップ通知', '通知音']
        : ['Settings', 'Desktop notifications', 'Sound'];
    await page.goto(`${web.app.url}/settings`);
    await heading(page, title ?? '');
    const [notifySwitch, soundSwitch] = [notify, sound].map((name = '') =>
      page.getByRole('switch', { name, exact: true }),
    ) as [ReturnType<Page['getByRole']>, ReturnType<Page['getByRole']>];
    expect([await notifySwitch.isChecked(), await soundSwitch.isChecked()]).toEqual([false, false]);
    expect(await findings(page)).toEqual([]);
    await notifySwitch.click();
    await comesTo(async () => [await notifySwitch.isChecked(), await soundSwitch.isChecked()], [true, true]);
    await soundSwitch.click();
    await comesTo(() => soundSwitch.isChecked(), false);
    expect(await chie.sounds()).toBe(0);
    await soundSwitch.click();
    // It is played once, so the viewer knows it.
    await comesTo(() => chie.sounds(), 1);
    await notifySwitch.click();
    await comesTo(async () => [await notifySwitch.isChecked(), await soundSwitch.isChecked()], [false, true]);
    expect(await chie.asked()).toEqual([true]);
    expect(chie.complaints).toEqual([]);
  });
});
