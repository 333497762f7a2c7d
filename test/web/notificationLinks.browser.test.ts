import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { countOf, isOpen, openPanel, panel, row, useNotifications } from './support/notificationPanel.ts';
import { comesTo, message, totalOf } from './support/pages.ts';
import { answered } from './support/requests.ts';

describe.skipIf(!browserAvailable)('web, from a notification to its message', () => {
  const web = useNotifications();

  it('notification: opens its message by keyboard, a reply in its thread, and nothing in a lost room', async () => {
    await web.clear('chie');
    const [roomId, lost] = [
      await web.room('Workshop', ['ben', 'chie']),
      await web.room('Cellar', ['ben', 'chie']),
    ];
    await web.app.services.likes.add(web.id('ben'), await web.say(lost, 'chie', 'A secret place.'));
    const root = await web.say(roomId, 'chie', 'Where is the saw?');
    await web.say(roomId, 'ben', 'Behind the door.', root);
    await web.say(roomId, 'ben', '@chie it is back on its nail.');
    await web.app.quiet();
    await web.app.services.rooms.leave(web.id('chie'), lost);
    const chie = await web.as('chie');
    await comesTo(() => countOf(chie.page), 3);

    await chie.page.keyboard.press('Alt+KeyN');
    await isOpen(chie.page);
    await row(chie.page, 'Something happened in a room that you are no longer in').waitFor();
    expect(await panel(chie.page).getByText('secret').count()).toBe(0);
    await row(chie.page, 'Ben Okafor mentioned you').first().waitFor();
    await chie.page.keyboard.press('ArrowDown');
    await chie.page.keyboard.press('Enter');
    await panel(chie.page).waitFor({ state: 'detached' });
    await message(chie.page, 'back on its nail').waitFor();
    expect(new URL(chie.page.url()).pathname).toMatch(/^\/rooms\/[^/]+\/messages\/[^/]+$/);

    await openPanel(chie.page);
    await row(chie.page, 'Behind the door.').click();
    const thread = chie.page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('Behind the door.').waitFor();
    await panel(chie.page).waitFor({ state: 'detached' });
    // And again, from the message that the first link led to.
    await openPanel(chie.page);
    await row(chie.page, 'back on its nail').click();
    await thread.waitFor({ state: 'detached' });
    // The notification of the lost room has no link. It is read once it is seen.
    await openPanel(chie.page);
    await comesTo(() => countOf(chie.page), 0);
    expect(chie.complaints).toEqual([]);
  });
  it('notification: that the viewer was added to a room opens the room', async () => {
    const { rooms } = web.app.services;
    await web.clear('chie');
    const input = { name: 'Attic', topic: null, visibility: 'PRIVATE', capacity: null } as const;
    const { id: room } = await rooms.create(web.id('ben'), input);
    await rooms.add({ by: web.id('ben'), room, user: web.id('chie') });
    await web.app.quiet();
    const chie = await web.as('chie');
    await comesTo(() => countOf(chie.page), 1);
    await openPanel(chie.page);
    const added = row(chie.page, 'Ben Okafor added you to a room');
    await added.filter({ hasText: 'Attic' }).click();
    await chie.page.getByRole('heading', { name: 'Attic' }).first().waitFor();
    expect(new URL(chie.page.url()).pathname).toMatch(/^\/rooms\/[^/]+$/);
    expect(chie.complaints).toEqual([]);
  });
  it('notification: of an answer to a reply opens the thread, which says whose reply it answers', async () => {
    await web.clear('chie');
    const roomId = await web.room('Pantry', ['ben', 'chie', 'aki']);
    const root = await web.say(roomId, 'ben', 'Who has the flour?');
    const reply = await web.say(roomId, 'chie', 'I do.', root);
    await web.app.services.following.follow(web.id('chie'), root, false);
    await web.say(roomId, 'aki', 'Thank you!', reply);
    await web.app.quiet();
    const chie = await web.as('chie');
    await comesTo(() => countOf(chie.page), 1);
    await openPanel(chie.page);
    await row(chie.page, 'Thank you!').click();
    const thread = chie.page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('In reply to Chie').waitFor();
    expect(await thread.getByText('In reply to').count()).toBe(1);
    expect(chie.complaints).toEqual([]);
  });
  it('notification: has its text in the language chosen in the client', async () => {
    const sent = await web.say(await web.room('Gate', ['ben', 'aki']), 'ben', 'The gate squeaks.');
    await web.app.services.likes.add(web.id('aki'), sent);
    // The notification is stored before the page asks for it.
    await web.app.quiet();
    const ben = await web.as('ben', { fresh: {} });
    await ben.page.getByRole('button', { name: 'Account' }).click();
    const stored = answered(ben.page, 'SetLanguage');
    await ben.page.getByRole('menuitem', { name: '日本語' }).click();
    await stored;
    await ben.page.getByRole('button', { name: '通知' }).click();
    await ben.page
      .getByRole('dialog', { name: '通知' })
      .getByText('Aki Tanakaさんがあなたのメッセージに')
      .first()
      .waitFor();
    // In another browser without a chosen language, the page uses the server's.
    const elsewhere = await web.as('ben', { fresh: {} });
    await elsewhere.page.getByRole('button', { name: '通知' }).waitFor();
    await web.app.services.users.update(web.id('ben'), { locale: null });
    expect([...ben.complaints, ...elsewhere.complaints]).toEqual([]);
  });
  it('back link: shows new notifications on a phone, where a room hides the bell', async () => {
    await web.clear('dana');
    const dana = await web.as('dana', { look: { viewport: { width: 360, height: 740 } } });
    // The Lobby is read first, because its unread messages would count in the back link of other rooms.
    await comesTo(() => totalOf(dana.page), 1);
    await dana.openRoom('Lobby');
    await comesTo(() => totalOf(dana.page), 0);
    const back = dana.page.getByRole('link', { name: /^Rooms/ });
    const unreadElsewhere = async () =>
      Number(/(\d+) unread/.exec((await back.getAttribute('aria-label')) ?? '')?.[1] ?? 0);
    const before = await unreadElsewhere();
    const sent = await web.say(await web.room('Stairs', ['dana', 'ben']), 'dana', 'Mind the step.');
    await web.app.services.likes.add(web.id('ben'), sent);
    await comesTo(unreadElsewhere, before + 1);
    await back.click();
    await openPanel(dana.page);
    await row(dana.page, 'Mind the step.').click();
    await message(dana.page, 'Mind the step.').waitFor();
    await comesTo(unreadElsewhere, before);
    expect(dana.complaints).toEqual([]);
  });
});
