import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, message, roomLink } from './support/pages.ts';
import { delay, held, operationOf } from './support/requests.ts';

/** All rooms that this browser keeps. */
const keptText = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    let text = '';
    for (const name of await caches.keys()) {
      if (!name.startsWith('tsudoi:rooms:')) continue;
      const cache = await caches.open(name);
      for (const entry of await cache.keys()) {
        if (!entry.url.includes('/offline/rooms/')) continue;
        // It may have been deleted by now.
        text += (await (await cache.match(entry))?.text()) ?? '';
      }
    }
    return text;
  })()`);

const keeps = (page: Page, text: string, is: boolean) =>
  comesTo(async () => (await keptText(page)).includes(text), is);

const KEPT_BEFORE = (name: string, openedAt: number) => `(async () => {
  const place = '/offline/rooms/' + encodeURIComponent(${JSON.stringify(name)});
  const room = { id: ${JSON.stringify(name)}, name: ${JSON.stringify(name)}, people: null };
  const kept = { room, at: ${openedAt}, openedAt: ${openedAt}, messages: [] };
  const cache = await caches.open('tsudoi:rooms:another-user');
  await cache.put(place, new Response(JSON.stringify(kept)));
})()`;

/** Holds the lock as a tab does that keeps a room, until `releaseRooms` is called. */
const HOLD = `new Promise((isHeld) => {
  void navigator.locks.request('tsudoi:rooms', () => new Promise((release) => {
    window.releaseRooms = release;
    isHeld();
  }));
})`;

const isWaiting = (page: Page): Promise<boolean> =>
  page.evaluate(
    `navigator.locks.query().then(({ pending }) => pending.some(({ name }) => name === 'tsudoi:rooms'))`,
  );

const DAY_MS = 86_400_000;

describe.skipIf(!browserAvailable)('web, kept rooms', () => {
  const web = useNotifications();
  const as = (handle: string) => web.as(handle, { fresh: { serviceWorkers: 'allow' } });

  it('are without what was deleted or edited, at once while the room is open and else with the next page', async () => {
    const { messages } = web.app.services;
    const room = await web.room('Secrets', ['ben']);
    const [pin, plan, rest] = [
      await web.say(room, 'ben', 'The code is 4711'),
      await web.say(room, 'ben', 'We meet at nine'),
      await web.say(room, 'ben', 'Bring cake'),
    ];
    const { page, openRoom } = await as('ben');
    await openRoom('Secrets');
    await message(page, 'Bring cake').waitFor();
    await keeps(page, '4711', true);
    await messages.remove(web.id('ben'), pin);
    await keeps(page, '4711', false);
    expect(await keptText(page)).toContain('We meet at nine');

    await openRoom('Lobby');
    await messages.remove(web.id('ben'), rest);
    await messages.edit(web.id('ben'), plan, 'We meet at ten');
    await web.app.quiet();
    expect(await keptText(page)).toContain('We meet at nine');
    await page.reload();
    await keeps(page, 'We meet at ten', true);
    const kept = await keptText(page);
    expect(kept).not.toContain('We meet at nine');
    expect(kept).not.toContain('Bring cake');
  });

  it('a deletion counts that comes just before another room is opened', async () => {
    const { messages } = web.app.services;
    const room = await web.room('Vestry', ['dana']);
    const pin = await web.say(room, 'dana', 'The code is 4712');
    const { page, openRoom } = await as('dana');
    await openRoom('Vestry');
    await keeps(page, '4712', true);
    await messages.remove(web.id('dana'), pin);
    await message(page, '4712').waitFor({ state: 'detached' });
    await openRoom('Lobby');
    await keeps(page, '4712', false);
  });

  it('a room that is left while it is being kept does not stay', async () => {
    const room = await web.room('Belfry', ['ben', 'dana']);
    const { page, openRoom } = await as('dana');
    await openRoom('Belfry');
    await keeps(page, 'Belfry', true);
    await page.evaluate(HOLD);
    await web.say(room, 'ben', 'Mind the bats.');
    await comesTo(() => isWaiting(page), true);
    await page.getByRole('button', { name: 'More about Belfry' }).click();
    await page.getByRole('menuitem', { name: 'Leave room' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave room' }).click();
    await roomLink(page, 'Belfry').waitFor({ state: 'detached' });
    await page.evaluate('releaseRooms()');
    // After the changes that were waiting.
    await page.evaluate(`navigator.locks.request('tsudoi:rooms', () => {})`);
    expect(await keptText(page)).not.toContain('Belfry');
  });

  it('end 30 days after they were open, also those of another user of this browser', async () => {
    const { page, openRoom } = await as('aki');
    await openRoom('Lobby');
    const now = Date.now();
    await page.evaluate(KEPT_BEFORE('old-room', now - 30 * DAY_MS));
    await page.evaluate(KEPT_BEFORE('new-room', now - 29 * DAY_MS));
    await page.reload();
    await keeps(page, 'old-room', false);
    expect(await keptText(page)).toContain('new-room');
  });

  it('are deleted by a button in the settings, and kept again from then on', async () => {
    const { page, openRoom, complaints } = await as('chie');
    await openRoom('Lobby');
    await keeps(page, 'Lobby', true);
    await page.evaluate(KEPT_BEFORE('their-room', Date.now()));
    // In the same page, which has the cache open.
    await page.evaluate(`history.pushState(null, '', '/settings')`);
    const remove = page.getByRole('button', { name: 'Delete offline messages' });
    await remove.waitFor();
    // What another tab is keeping at this moment is deleted too.
    await page.evaluate(HOLD);
    await remove.click();
    await comesTo(() => isWaiting(page), true);
    expect(await keptText(page)).toContain('Lobby');
    await page.evaluate('releaseRooms()');
    await page.getByText('Offline messages deleted.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await keptText(page)).toBe('');
    // The other user's name would be in it.
    expect(await page.evaluate(`caches.has('tsudoi:rooms:another-user')`)).toBe(false);
    await openRoom('Lobby');
    await keeps(page, 'Lobby', true);
    expect(complaints).toEqual([]);
  });

  it('are not read any more after the sign-out', async () => {
    for (const name of ['Shed', 'Loft']) await web.room(name, ['aki']);
    const { page, openRoom } = await web.as('aki', { fresh: {} });
    for (const name of ['Shed', 'Loft']) {
      await openRoom(name);
      await keeps(page, name, true);
    }
    // The second one would follow the answer to the first.
    const reads = new Set<string>();
    page.on('request', (request) => {
      if (operationOf(request) === 'KeptRoom') reads.add(request.postDataJSON().variables.id);
    });
    const answer = held();
    await delay(page, 'KeptRoom', answer.promise);
    await page.reload();
    await comesTo(async () => reads.size, 1);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    const signIn = page.getByRole('button', { name: '@aki' });
    await signIn.waitFor();
    await keeps(page, 'Loft', false);
    answer.letGo();
    // In the same page, some seconds later.
    await signIn.click();
    await keeps(page, 'Loft', true);
    expect(reads.size).toBe(1);
  });
});
