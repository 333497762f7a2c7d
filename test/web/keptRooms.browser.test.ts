import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, message } from './support/pages.ts';

/** All rooms that this browser keeps. */
const keptText = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    let text = '';
    for (const name of await caches.keys()) {
      if (!name.startsWith('tsudoi:rooms:')) continue;
      const cache = await caches.open(name);
      for (const entry of await cache.keys()) {
        if (entry.url.includes('/offline/rooms/')) text += await (await cache.match(entry)).text();
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
    // In the same page, which has the cache open.
    await page.evaluate(`history.pushState(null, '', '/settings')`);
    await page.getByRole('button', { name: 'Delete offline messages' }).click();
    await page.getByText('Offline messages deleted.').waitFor();
    expect(await keptText(page)).toBe('');
    await openRoom('Lobby');
    await keeps(page, 'Lobby', true);
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
