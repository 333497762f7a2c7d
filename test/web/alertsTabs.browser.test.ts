import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { ALLOWED, type AlertWindow, alertWindows } from './support/alertWindows.ts';
import { comesTo } from './support/pages.ts';
import { answered, delay, held, operationOf } from './support/requests.ts';
import { useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, alerts in several tabs, and their end', () => {
  const web = useRooms();
  const { opened, window, send, turnOn, looked } = alertWindows(web);

  const switchOff = ({ page }: AlertWindow): Promise<unknown> =>
    page.evaluate(
      `localStorage.setItem('tsudoi:alerts', '{"isAnswered":true,"notify":false,"sound":false}');
       dispatchEvent(new StorageEvent('storage', { key: 'tsudoi:alerts' }))`,
    );
  const signOut = async ({ page }: AlertWindow): Promise<void> => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Who would you like to be?' }).waitFor();
  };
  /** Resolves when no page is looking, or about to: they wait for each other. */
  const hasRested = (page: Page): Promise<unknown> =>
    page.evaluate(`navigator.locks.query().then(async ({ held }) => {
      const { name } = held.find(({ name }) => name.startsWith('tsudoi:alerts:')) ?? {};
      if (name !== undefined) await LockManager.prototype.request.call(navigator.locks, name, () => {});
    })`);

  it.each([
    ['they are switched off', switchOff],
    ['the viewer signs out', signOut],
  ] as const)('nothing goes on when %s while news waits', async (name, end) => {
    const { id, path } = await web.room({ name: `Loft ${name}`, members: ['ben', 'aki'] });
    const ben = await window({ as: 'ben', path, ...ALLOWED });
    await turnOn(ben);
    await ben.lookAway();
    const isLooked = looked(ben.page);
    await send(id, 'aki', '@ben The first one.');
    await isLooked;
    // It comes in the time in which the pages rest, so it waits.
    const count = () => ben.page.getByRole('button', { name: /^Notifications/ }).getAttribute('aria-label');
    const before = await count();
    await send(id, 'aki', '@ben The second one.');
    await comesTo(async () => (await count()) !== before, true);
    const turns = await ben.turns();
    await end(ben);
    await hasRested(ben.page);
    // Its own turn, and the one that waits for it in this test.
    expect((await ben.turns()) - turns).toBeLessThanOrEqual(1);
    expect(ben.complaints).toEqual([]);
  });

  it('a tab that may make no sound leaves it to one that may', async () => {
    const { id, path } = await web.room({ name: 'Porch', members: ['dana', 'ben'] });
    const used = await window({ as: 'dana', path, ...ALLOWED });
    await turnOn(used);
    const unused = await opened(await used.page.context().newPage(), {
      as: 'dana',
      path,
      ...ALLOWED,
      isUsed: false,
    });
    for (const tab of [used, unused]) await tab.lookAway();
    await send(id, 'ben', '@dana A swallow.');
    await comesTo(() => used.shown(), [{ title: 'Porch', body: 'Ben Okafor mentioned you' }]);
    await comesTo(() => used.sounds(), 1);
    expect(await unused.shown()).toEqual([]);
    expect([used, unused].flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it('a tab closes its notifications when the viewer looks at another one', async () => {
    const { id } = await web.room({ name: 'Gate', members: ['chie', 'ben'] });
    const { path: other } = await web.room({ name: 'Fence', members: ['chie'] });
    const first = await window({ as: 'chie', path: other, ...ALLOWED });
    await turnOn(first);
    await first.lookAway();
    await send(id, 'ben', '@chie A visitor.');
    await comesTo(async () => (await first.shown()).length, 1);
    const second = await opened(await first.page.context().newPage(), {
      as: 'chie',
      path: other,
      ...ALLOWED,
    });
    await second.lookAway();
    await second.lookBack();
    await comesTo(() => first.shown(), []);
    expect([first, second].flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it('a new tab does not count as old what another one is about to show', async () => {
    const { id } = await web.room({ name: 'Yard', members: ['aki', 'ben'] });
    const { path: other } = await web.room({ name: 'Street', members: ['aki'] });
    const first = await window({ as: 'aki', path: other, ...ALLOWED });
    await turnOn(first);
    await first.lookAway();
    const gate = held();
    const isAsked = first.page.waitForRequest((request) => operationOf(request) === 'Alerts');
    await delay(first.page, 'Alerts', gate.promise);
    await send(id, 'ben', '@aki A parcel.');
    await isAsked;
    const second = await opened(await first.page.context().newPage(), { as: 'aki', path: other, ...ALLOWED });
    await second.lookAway();
    // What it asked at its start is answered by then: requests of a page are sent in order.
    const isAnswered = answered(second.page, 'Directory');
    await second.page.getByRole('button', { name: 'Browse rooms' }).click();
    await isAnswered;
    gate.letGo();
    await comesTo(() => first.shown(), [{ title: 'Yard', body: 'Ben Okafor mentioned you' }]);
    expect([first, second].flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it('signing out: the browser keeps nothing of what the user opened and was alerted to', async () => {
    const { path } = await web.room({ name: 'Cabin', members: ['dana'] });
    const dana = await window({ as: 'dana', path, ...ALLOWED });
    await turnOn(dana);
    const kept = () =>
      dana.page.evaluate<string[]>("Object.keys(localStorage).map((key) => key.split(':')[1])");
    expect(await kept()).toEqual(expect.arrayContaining(['alerted', 'alerts', 'recent-rooms']));
    await signOut(dana);
    const left = await kept();
    for (const place of ['alerted', 'recent-rooms']) expect(left).not.toContain(place);
    expect(left).toContain('alerts');
    expect(dana.complaints).toEqual([]);
  });
});
