import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/messages/message.ts';
import type { TestApp } from '../support/app.ts';
import { browserAvailable } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { useBrowser } from '../support/windows.ts';
import { findings } from './support/axe.ts';
import { demoIsDelivered, unreadOf, unreadTotalOf } from './support/notificationState.ts';
import { comesTo, hasFocus, message, type Opening, open, startWeb, totalOf } from './support/pages.ts';
import { answered, delay, held, refuse } from './support/requests.ts';

/** Also below the open panel, which hides everything else from screen readers. */
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/, includeHidden: true });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const rows = (page: Page) => panel(page).locator('[data-notification]');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** The number of unread notifications on the bell. */
async function countOf(page: Page): Promise<number> {
  return Number(/(\d+) unread/.exec((await bell(page).getAttribute('aria-label')) ?? '')?.[1] ?? 0);
}

async function openPanel(page: Page): Promise<void> {
  await bell(page).click();
  await isOpen(page);
}

/** Resolves when the panel is open and has the focus. */
async function isOpen(page: Page): Promise<void> {
  await panel(page).waitFor();
  await comesTo(() => hasFocus(panel(page)), true);
}

/** As if the user switched to another window, and back. */
const lookAway = (page: Page) =>
  page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))");
const lookBack = (page: Page) => page.evaluate("delete document.hasFocus; dispatchEvent(new Event('focus'))");

/** Runs in the page: how many items of a list are visible as a whole, except for 8 pixels. */
const wholeOnes = (list: Element): number => {
  const { top, bottom } = list.getBoundingClientRect();
  return [...list.querySelectorAll('li')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.top >= top - 8 && box.bottom <= bottom + 8;
  }).length;
};

/** Runs in the page: whether the whole message is in the visible part of its list. */
const isOnScreen = (one: Element): boolean => {
  const { top, bottom } = one.getBoundingClientRect();
  const list = one.closest('[role=log]')?.getBoundingClientRect();
  return list !== undefined && top >= list.top && bottom <= list.bottom;
};

describe.skipIf(!browserAvailable)('web, notifications', () => {
  const browser = useBrowser();
  let app: TestApp;
  const id = (handle: string) => app.services.users.idOf(handle);
  const as = (handle: string, other: Partial<Opening> = {}) =>
    open({ browser: browser(), url: app.url, as: handle, ...other });

  beforeAll(async () => {
    app = await startWeb();
    await demoIsDelivered(app);
  });
  afterAll(() => app?.stop());

  /** Marks all notifications of a user as read. */
  const clear = (handle: string) => app.services.notificationReading.markAllRead(id(handle));

  async function room(name: string, members: readonly string[]): Promise<string> {
    const [owner = '', ...others] = members.map(id);
    const made = { name, topic: null, visibility: 'PUBLIC', capacity: null } as const;
    const { id: room } = await app.services.rooms.create(owner, made);
    for (const other of others) await app.services.rooms.join(other, room);
    return room;
  }

  const say = (room: string, author: string, body: string, replyTo?: Message) =>
    app.services.messages.send({
      room,
      author: id(author),
      body,
      ...(replyTo === undefined ? {} : { replyTo }),
    });

  it('panel: shows new likes live, and marks as read only what its viewer sees', async () => {
    await Promise.all([clear('aki'), clear('ben')]);
    const roomId = await room('Balcony', ['aki', 'ben', 'chie']);
    const sent = await say(roomId, 'aki', 'The tomatoes are *ripe*.');
    const [aki, ben] = await Promise.all([as('aki'), as('ben')]);
    const unreadByAki = async () => (await unreadOf(app, 'aki')).map(({ kind }) => kind);
    await ben.openRoom('Balcony');
    // The badge arrives by the websocket, after the page.
    const total = await unreadTotalOf(app, 'aki');
    expect(total).toBeGreaterThan(0);
    await comesTo(() => totalOf(aki.page), total);
    expect(await countOf(aki.page)).toBe(0);

    await message(ben.page, 'tomatoes').hover();
    await message(ben.page, 'tomatoes').getByRole('button', { name: 'Like', exact: true }).click();
    await comesTo(() => countOf(aki.page), 1);
    await comesTo(() => totalOf(aki.page), total + 1);
    expect(await aki.page.getByRole('status').allTextContents()).toContain('Notifications, 1 unread');

    // The panel is open without the focus: the notification grows in its place and stays unread.
    await lookAway(aki.page);
    await openPanel(aki.page);
    await row(aki.page, 'Ben Okafor likes your message').getByText('The tomatoes are ripe.').waitFor();
    const listed = await rows(aki.page).count();
    await app.services.likes.add(id('chie'), sent);
    await row(aki.page, 'Chie Mori and Ben Okafor like your message').waitFor();
    expect(await rows(aki.page).count()).toBe(listed);
    await comesTo(() => countOf(aki.page), 2);
    await app.services.likes.remove(id('ben'), sent);
    await row(aki.page, 'Chie Mori likes your message').waitFor();
    await app.services.likes.remove(id('chie'), sent);
    await comesTo(() => countOf(aki.page), 0);
    await row(aki.page, 'Chie Mori').filter({ hasText: 'tomatoes' }).waitFor({ state: 'detached' });

    // With the focus, it is marked as read at once, and shown as new until the panel is closed.
    await app.services.likes.add(id('chie'), sent);
    await comesTo(() => countOf(aki.page), 1);
    await app.services.likes.add(id('aki'), await say(roomId, 'ben', 'So are the beans.'));
    await comesTo(() => countOf(ben.page), 1);
    await lookBack(aki.page);
    await comesTo(() => countOf(aki.page), 0);
    await comesTo(() => totalOf(aki.page), total + 1);
    await row(aki.page, 'Chie Mori likes your message').getByText('New', { exact: true }).waitFor();
    // The page shows this before the server has stored it.
    await comesTo(unreadByAki, []);

    // The next like makes another notification, with a count of its own.
    await app.services.likes.add(id('ben'), sent);
    await row(aki.page, 'Ben Okafor likes your message').filter({ hasText: 'tomatoes' }).waitFor();
    expect(await row(aki.page, 'tomatoes').count()).toBe(2);
    await comesTo(() => countOf(aki.page), 0);
    await comesTo(unreadByAki, []);
    expect(await countOf(ben.page)).toBe(1);

    await aki.page.keyboard.press('Escape');
    await panel(aki.page).waitFor({ state: 'detached' });
    await openPanel(aki.page);
    await row(aki.page, 'tomatoes').first().waitFor();
    expect(await panel(aki.page).getByText('New', { exact: true }).count()).toBe(0);
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('panel: marks as read only what was on the screen, and the rest on scrolling', async () => {
    const BOXES = 9;
    await clear('dana');
    const roomId = await room('Attic', ['dana', 'ben']);
    for (let box = 1; box <= BOXES; box++)
      await app.services.likes.add(id('ben'), await say(roomId, 'dana', `Box ${box}.`));
    const dana = await as('dana', { look: { viewport: { width: 1000, height: 420 } } });
    await comesTo(() => countOf(dana.page), BOXES);
    await openPanel(dana.page);
    await row(dana.page, `Box ${BOXES}.`).waitFor();
    await eventually(async () => expect(await countOf(dana.page)).toBeLessThan(BOXES));
    // The server agrees: the rows below the screen are unread.
    const list = panel(dana.page).getByRole('list').locator('..');
    await comesTo(async () => (await unreadOf(app, 'dana')).length + (await list.evaluate(wholeOnes)), BOXES);
    await app.quiet();
    const left = (await unreadOf(app, 'dana')).length;
    expect(left).toBe(BOXES - (await list.evaluate(wholeOnes)));
    expect(left).toBeGreaterThan(BOXES / 2);
    await comesTo(() => countOf(dana.page), left);

    await panel(dana.page).getByRole('button', { name: 'Unread' }).click();
    await row(dana.page, `Box ${BOXES}.`).waitFor();
    for (let box = BOXES; box >= 1; box--) {
      await dana.page.keyboard.press('ArrowDown');
      await eventually(async () => expect(await countOf(dana.page)).toBeLessThan(box));
    }
    await comesTo(() => countOf(dana.page), 0);
    await panel(dana.page).getByText('You’ve seen everything.').waitFor();

    // Opens the same message twice, with some scrolling in between.
    await dana.page.keyboard.press('Escape');
    const isInView = () => message(dana.page, `Box ${BOXES}.`).evaluate(isOnScreen);
    for (let time = 1; time <= 2; time++) {
      await openPanel(dana.page);
      await row(dana.page, `Box ${BOXES}.`).click();
      await message(dana.page, `Box ${BOXES}.`).waitFor();
      await comesTo(isInView, true);
      await dana.page.getByRole('log').hover();
      await comesTo(async () => {
        await dana.page.mouse.wheel(0, -2_000);
        return isInView();
      }, false);
    }
    expect(dana.complaints).toEqual([]);
  });

  it('notification: opens its message by keyboard, a reply in its thread, and nothing in a lost room', async () => {
    await clear('chie');
    const [roomId, lost] = [await room('Workshop', ['ben', 'chie']), await room('Cellar', ['ben', 'chie'])];
    await app.services.likes.add(id('ben'), await say(lost, 'chie', 'A secret place.'));
    const root = await say(roomId, 'chie', 'Where is the saw?');
    await say(roomId, 'ben', 'Behind the door.', root);
    await say(roomId, 'ben', '@chie it is back on its nail.');
    await app.quiet();
    await app.services.rooms.leave(id('chie'), lost);
    const chie = await as('chie');
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

  it('panel: shows notifications as read at once, and restores the badge if the server refuses', async () => {
    await clear('ben');
    const sent = await say(await room('Porch', ['ben', 'aki']), 'ben', 'The swing holds.');
    await app.services.likes.add(id('aki'), sent);
    const ben = await as('ben');
    await comesTo(() => countOf(ben.page), 1);
    const total = await unreadTotalOf(app, 'ben');
    const answer = held();
    const refusal = { code: 'FORBIDDEN', before: answer.promise };
    let allow = await refuse(ben.page, 'MarkNotificationsRead', refusal);
    await openPanel(ben.page);
    await comesTo(() => countOf(ben.page), 0);
    await comesTo(() => totalOf(ben.page), total - 1);
    answer.letGo();
    await ben.page.getByText('You don’t have permission to do this here.').waitFor();
    await comesTo(() => countOf(ben.page), 1);
    await panel(ben.page).getByRole('button', { name: 'Mark all as read' }).click();
    await comesTo(() => countOf(ben.page), 1);
    await row(ben.page, 'swing').getByText('New', { exact: true }).waitFor();

    await allow();
    const marking = held();
    await delay(ben.page, 'MarkNotificationsRead', marking.promise);
    await panel(ben.page).getByRole('button', { name: 'Mark all as read' }).click();
    await comesTo(() => countOf(ben.page), 0);
    await row(ben.page, 'swing').getByText('New', { exact: true }).waitFor({ state: 'detached' });
    // Notifications that are still unread on the server are not shown again.
    await panel(ben.page).getByRole('button', { name: 'Unread' }).click();
    marking.letGo();
    await panel(ben.page).getByText('You’re all caught up').waitFor();

    allow = await refuse(ben.page, 'Notifications', { code: 'UNAVAILABLE' });
    await panel(ben.page).getByRole('button', { name: 'All', exact: true }).click();
    await panel(ben.page).getByRole('alert').getByText('Try again in a moment.').waitFor();
    await allow();
    await panel(ben.page).getByRole('button', { name: 'Try again' }).click();
    await row(ben.page, 'swing').waitFor();
    expect(ben.complaints).toEqual([]);
  });

  it('notification: has its text in the language chosen in the client', async () => {
    const sent = await say(await room('Gate', ['ben', 'aki']), 'ben', 'The gate squeaks.');
    await app.services.likes.add(id('aki'), sent);
    // The notification is stored before the page asks for it.
    await app.quiet();
    const ben = await as('ben', { fresh: {} });
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
    const elsewhere = await as('ben', { fresh: {} });
    await elsewhere.page.getByRole('button', { name: '通知' }).waitFor();
    await app.services.users.update(id('ben'), { locale: null });
    expect([...ben.complaints, ...elsewhere.complaints]).toEqual([]);
  });

  it('back link: shows new notifications on a phone, where a room hides the bell', async () => {
    await clear('dana');
    const dana = await as('dana', { look: { viewport: { width: 360, height: 740 } } });
    // The Lobby is read first, because its unread messages would count in the back link of other rooms.
    await comesTo(() => totalOf(dana.page), 1);
    await dana.openRoom('Lobby');
    await comesTo(() => totalOf(dana.page), 0);
    const back = dana.page.getByRole('link', { name: /^Rooms/ });
    const unreadElsewhere = async () =>
      Number(/(\d+) unread/.exec((await back.getAttribute('aria-label')) ?? '')?.[1] ?? 0);
    const before = await unreadElsewhere();
    const sent = await say(await room('Stairs', ['dana', 'ben']), 'dana', 'Mind the step.');
    await app.services.likes.add(id('ben'), sent);
    await comesTo(unreadElsewhere, before + 1);
    await back.click();
    await openPanel(dana.page);
    await row(dana.page, 'Mind the step.').click();
    await message(dana.page, 'Mind the step.').waitFor();
    await comesTo(unreadElsewhere, before);
    expect(dana.complaints).toEqual([]);
  });

  it.each([
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 360, height: 740 }],
  ] as const)('panel: has no axe findings in %s at %o', async (colorScheme, viewport) => {
    const look = { colorScheme, viewport, reducedMotion: 'reduce' } as const;
    const aki = await as('aki', { look });
    await clear('aki');
    await app.services.likes.add(
      id('ben'),
      await say(await room('Hall', ['aki', 'ben']), 'aki', `玄関 ${colorScheme}`),
    );
    await comesTo(() => countOf(aki.page), 1);
    await openPanel(aki.page);
    await row(aki.page, `玄関 ${colorScheme}`).waitFor();
    expect(await findings(aki.page)).toEqual([]);
    expect(await aki.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      viewport.width,
    );
    await aki.page.keyboard.press('Escape');
    await panel(aki.page).waitFor({ state: 'detached' });
    await comesTo(() => hasFocus(bell(aki.page)), true);
    expect(aki.complaints).toEqual([]);
  });
});
