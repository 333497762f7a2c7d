/** From a message to a browser and back: a real service worker, and a push service that decrypts what is sent. */
import { describe, expect, it } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { complaintsOf, hasWholeBrowser } from '../support/clients/browser.ts';
import { eventually } from '../support/time/eventually.ts';
import { findings } from './support/axe.ts';
import { SETTINGS, useDeliveries } from './support/deliveries.ts';
import { comesTo, message } from './support/pages.ts';
import { delay, held, operationOf, refuse } from './support/requests.ts';

/** In a page: `looked` resolves when it has looked for what it can close. */
const LOOKED = `void (globalThis.looked = new Promise((resolve) => {
  const { request } = LockManager.prototype;
  LockManager.prototype.request = async function (name, ...rest) {
    const result = await request.call(this, name, ...rest);
    if (name === 'tsudoi:closing') resolve();
    return result;
  };
}))`;

describe.skipIf(!hasWholeBrowser())('web, deliveries', () => {
  const web = useDeliveries();
  const { id, devicesOf, open, turnOn, roomOf, mention } = web;
  const settingsOf = (handle: string) => web.app.services.deliverySettings.read(id(handle));

  it('a browser: is turned on by a click, shows what is delivered, and a click on it opens the message', async () => {
    const aki = await open('aki');
    const { page } = aki;
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(await aki.asked()).toEqual([]);
    await turnOn(aki);
    expect(await aki.asked()).toEqual([true]);
    await page.getByRole('listitem').filter({ hasText: 'Chrome, Linux' }).getByText('This browser').waitFor();
    expect((await devicesOf('aki')).map(({ label }) => label)).toEqual(['Chrome, Linux']);

    const room = await roomOf('Bakery', 'ben', 'aki');
    await aki.deliver(await mention(room, '@aki The bread is ready.'));
    expect(await aki.shown()).toEqual([{ title: 'Bakery', body: 'Ben Okafor mentioned you' }]);
    expect(await aki.click()).toBeUndefined();
    await message(page, 'The bread is ready.').waitFor();
    expect(await aki.shown()).toEqual([]);
    // The worker keeps the page and its scripts, and nothing of the API.
    const kept = await page.evaluate(
      `caches.open('tsudoi:page').then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`,
    );
    expect((kept as string[]).filter((path) => !/^\/($|assets\/)/.test(path))).toEqual([]);
    expect(aki.complaints).toEqual([]);
  });

  it('open page: closes notifications that were read, keeps the others, and updates the app badge', async () => {
    const chie = await open('chie');
    await turnOn(chie);
    await chie.page.evaluate('navigator.setAppBadge = async (count) => { globalThis.appBadge = count; }');
    const before = web.service.pushes.length;
    await chie.page.getByRole('button', { name: 'Send a test' }).click();
    const test = (await web.service.arrived(before + 1)).at(-1);
    await chie.deliver(test as NonNullable<typeof test>);
    const room = await roomOf('Quarry', 'ben', 'chie');
    const push = await mention(room, '@chie A stone.');
    expect(push.payload.deliveries).toHaveLength(1);
    await chie.deliver(push);
    expect((await chie.shown()).map(({ title }) => title).sort()).toEqual(['Quarry', 'Tsudoi']);
    const unread = Number((await web.app.dynamo.get(keys.badge(id('chie'))))?.total);
    // On another device.
    await web.app.services.readPositions.markRead(id('chie'), room);
    await comesTo(async () => (await chie.shown()).map(({ title }) => title), ['Tsudoi']);
    await comesTo(() => chie.page.evaluate('globalThis.appBadge'), unread - 1);
    expect(chie.complaints).toEqual([]);
  });

  it('what was read before the push arrived is closed by an open page', async () => {
    const chie = await open('chie');
    await turnOn(chie);
    const room = await roomOf('Harbour', 'ben', 'chie');
    const push = await mention(room, '@chie A boat.');
    // The page looks for what it can close when the badge falls, and finds nothing.
    await chie.page.evaluate(LOOKED);
    await web.app.services.readPositions.markRead(id('chie'), room);
    await chie.page.evaluate('looked');
    await chie.push(push);
    await comesTo(() => chie.shown(), []);
    expect(chie.complaints).toEqual([]);
  });

  it('pushes at the same moment are all shown and can all be closed later', async () => {
    const chie = await open('chie');
    await turnOn(chie);
    const titles = Array.from({ length: 30 }, (_, i) => `Room ${i}`);
    await Promise.all(
      titles.map((title) => {
        const payload = { title, text: 'News', id: title, tag: title, url: '/', deliveries: [], badge: 0 };
        return chie.deliver({ payload });
      }),
    );
    expect((await chie.shown()).map(({ title }) => title).sort()).toEqual([...titles].sort());
    expect(chie.complaints).toEqual([]);
  });

  it('what was read while no page was open is closed when one opens', async () => {
    const dana = await open('dana');
    await turnOn(dana);
    const room = await roomOf('Vineyard', 'ben', 'dana');
    await dana.deliver(await mention(room, '@dana The grapes.'));
    await dana.page.goto(`${web.app.url}/healthz`);
    await web.app.services.readPositions.markRead(id('dana'), room);
    expect(await dana.shown()).toHaveLength(1);
    await dana.page.goto(`${web.app.url}/`);
    await comesTo(() => dana.shown(), []);
    expect(dana.complaints).toEqual([]);
  });

  it('a click: in a closed browser opens the message after signing in', async () => {
    const dana = await open('dana');
    await turnOn(dana);
    const room = await roomOf('Orchard', 'ben', 'dana');
    const push = await mention(room, '@dana The plums are ripe.');
    // The same one may arrive twice.
    await dana.deliver(push);
    await dana.deliver(push);
    expect(await dana.shown()).toHaveLength(1);
    // Signed out, and not by the button: the token has expired.
    await dana.page.evaluate("sessionStorage.clear(); localStorage.removeItem('tsudoi:token')");
    await dana.page.goto(`${web.app.url}/healthz`);
    const opened = await dana.click();
    expect(opened).toMatch(`${web.app.url}/rooms/`);
    await dana.page.goto(opened ?? '');
    await dana.page.getByRole('button', { name: /Dana/ }).click();
    await message(dana.page, 'The plums are ripe.').waitFor();
    expect(dana.complaints).toEqual([]);
  });

  it('a click: opens nothing in the window of another user', async () => {
    const aki = await open('aki');
    await turnOn(aki);
    const room = await roomOf('Mill', 'ben', 'aki');
    await aki.deliver(await mention(room, '@aki The wheel turns.'));
    await aki.page.goto(`${web.app.url}${SETTINGS}?as=chie`);
    await aki.page.getByRole('navigation').waitFor();
    expect(await aki.click()).toMatch(`${web.app.url}/rooms/`);
    expect(new URL(aki.page.url()).pathname).toBe(SETTINGS);
  });

  it('a push that cannot be read still shows something', async () => {
    const aki = await open('aki');
    await turnOn(aki);
    const shown = { title: 'Tsudoi', body: 'Only this' };
    await aki.deliver({ payload: { text: shown.body, url: 7, badge: -1 } }, shown);
    expect(await aki.shown()).toEqual([shown]);
  });

  it('the test button: reaches the browsers of the user', async () => {
    const chie = await open('chie');
    await turnOn(chie);
    const before = web.service.pushes.length;
    // It disappears after a while, so it is waited for before it can appear.
    const said = chie.page.getByText('A test is on its way').waitFor();
    await chie.page.getByRole('button', { name: 'Send a test' }).click();
    await said;
    const push = (await web.service.arrived(before + 1)).at(-1);
    expect(push?.payload.text).toMatch('This is a test.');
    await chie.deliver(push as NonNullable<typeof push>);
    expect(chie.complaints).toEqual([]);
  });

  it('a device: is removed elsewhere and stays removed, by turning it off, and by signing out', async () => {
    for (const one of await devicesOf('ben')) {
      await web.app.services.pushSubscriptions.removeWhere(id('ben'), ({ id: found }) => found === one.id);
    }
    const [desk, phone] = [
      await open('ben'),
      await open('ben', { userAgent: 'Mozilla/5.0 (iPhone) Safari/605' }),
    ];
    await turnOn(desk);
    await turnOn(phone);
    await phone.page.getByRole('button', { name: 'Remove Chrome, Linux' }).click();
    await comesTo(async () => (await devicesOf('ben')).map(({ label }) => label), ['Safari, iPhone']);
    await desk.page.reload();
    await desk.page.getByRole('button', { name: 'Turn on' }).waitFor();
    await comesTo(() => desk.page.evaluate("localStorage.getItem('tsudoi:push')"), null);
    expect(await devicesOf('ben')).toHaveLength(1);

    await phone.page.reload();
    await phone.page.getByRole('button', { name: 'Turn off' }).click();
    await phone.page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(await devicesOf('ben')).toEqual([]);

    await turnOn(phone);
    await phone.page.goto(`${web.app.url}/`);
    await phone.page.getByRole('button', { name: 'Account' }).click();
    await phone.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await phone.page.getByRole('heading', { name: 'Who would you like to be?' }).waitFor();
    expect(await devicesOf('ben')).toEqual([]);
    expect(await phone.page.evaluate("localStorage.getItem('test:subscription')")).toBeNull();
    expect([...desk.complaints, ...phone.complaints]).toEqual([]);
  });

  it('signing out: closes what the browser shows', async () => {
    const room = await roomOf('Sauna', 'ben', 'dana');
    const dana = await open('dana');
    await turnOn(dana);
    await dana.deliver(await mention(room, '@dana Too hot.'));
    await dana.page.getByRole('button', { name: 'Account' }).click();
    await dana.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await dana.page.getByRole('heading', { name: 'Who would you like to be?' }).waitFor();
    expect(await dana.shown()).toEqual([]);
    expect(dana.complaints).toEqual([]);
  });

  it('signing out: the server removes the browser also while it is showing something', async () => {
    const aki = await open('aki');
    const before = (await devicesOf('aki')).length;
    await turnOn(aki);
    expect(await devicesOf('aki')).toHaveLength(before + 1);
    // As the service worker holds it until a notification is on the screen.
    await aki.page.evaluate(
      `new Promise((held) => {
        void navigator.locks.request('tsudoi:shown', () => {
          held();
          return new Promise((resolve) => { globalThis.showsIt = resolve; });
        });
      })`,
    );
    await aki.page.getByRole('button', { name: 'Account' }).click();
    await aki.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await comesTo(async () => (await devicesOf('aki')).length, before);
    await aki.page.evaluate('globalThis.showsIt()');
    await aki.page.getByRole('heading', { name: 'Who would you like to be?' }).waitFor();
    expect(aki.complaints).toEqual([]);
  });

  it('what is kept of the browser is damaged: the page works, and it is off', async () => {
    const aki = await web.window();
    const complaints = complaintsOf(aki.page, web.app.url);
    await aki.page.addInitScript("localStorage.setItem('tsudoi:push', '{')");
    await aki.page.goto(`${web.app.url}${SETTINGS}?as=aki`);
    await aki.page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('a subscription that the browser has replaced is registered instead of the old one', async () => {
    const dana = await open('dana');
    await turnOn(dana);
    const before = (await devicesOf('dana')).at(-1);
    await dana.page.evaluate("localStorage.removeItem('test:subscription')");
    await (await dana.worker()).evaluate(`(async () => {
      const event = new ExtendableEvent('pushsubscriptionchange');
      let work;
      event.waitUntil = (promise) => { work = promise; };
      dispatchEvent(event);
      await work;
    })()`);
    await eventually(async () => {
      const devices = await devicesOf('dana');
      expect(devices.at(-1)?.endpoint).not.toBe(before?.endpoint);
      expect(devices.some(({ id: one }) => one === before?.id)).toBe(false);
    });
    expect(dana.complaints).toEqual([]);
  });

  it('permission: one that is refused is explained, and nothing is registered', async () => {
    const before = (await devicesOf('chie')).length;
    const chie = await open('chie', { permissions: [] });
    await chie.page
      .getByText('Notifications from this site are blocked')
      .or(chie.page.getByRole('button', { name: 'Turn on' }))
      .waitFor();
    const button = chie.page.getByRole('button', { name: 'Turn on' });
    if ((await button.count()) > 0) {
      const said = chie.page.getByText('The browser didn’t allow notifications.').waitFor();
      await button.click();
      await said;
    }
    expect(await devicesOf('chie')).toHaveLength(before);
    expect(chie.complaints).toEqual([]);
  });

  it('settings: kinds, times, channels, quiet hours and a pause are saved', async () => {
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
    'settings: a pause and quiet hours are in the zone of the profile, which %s names if the browser has another',
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

  it('settings: a change is saved at once, also if the page is left before it is sent', async () => {
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

  it('settings: a change that the server refuses is not shown any more, and a toast says why', async () => {
    const { page } = await open('dana');
    const replies = page.getByRole('switch', { name: 'Replies in threads you follow' });
    const wasOn = await replies.isChecked();
    await refuse(page, 'UpdateDeliverySettings', { code: 'UNAVAILABLE' });
    const said = page.getByRole('status').getByText('can’t do this right now').waitFor();
    await replies.click();
    await said;
    await comesTo(() => replies.isChecked(), wasOn);
  });

  it('settings: a reload sends the last change, and the request goes on without the page', async () => {
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

  it('settings: a change that waits while its user signs out does not warn the next one', async () => {
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

  it('settings: closing the page before a change is saved asks first', async () => {
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
