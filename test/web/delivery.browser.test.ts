/** From a message to a browser and back: a real service worker, and a push service that decrypts what is sent. */
import { describe, expect, it } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { complaintsOf, hasWholeBrowser } from '../support/clients/browser.ts';
import { eventually } from '../support/time/eventually.ts';
import { SETTINGS, useDeliveries } from './support/deliveries.ts';
import { comesTo, message } from './support/pages.ts';

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

  it('a click: opens the first page if the address is none that a browser can open', async () => {
    const aki = await open('aki');
    await turnOn(aki);
    await aki.page.goto(`${web.app.url}/healthz`);
    for (const url of ['http://', 'mailto:aki@example.com']) {
      await aki.deliver({ payload: { title: 'Tsudoi', text: url, id: url, url } });
      expect(await aki.click()).toBe(`${web.app.url}/`);
    }
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
});
