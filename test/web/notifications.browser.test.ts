import { describe, expect, it } from 'vitest';
import { createReminding } from '../../src/saved/reminders/reminding.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { eventually } from '../support/time/eventually.ts';
import { openTimers } from '../timers/support/timers.ts';
import { findings } from './support/axe.ts';
import {
  bell,
  countOf,
  lookAway,
  lookBack,
  openPanel,
  panel,
  row,
  rows,
  useNotifications,
} from './support/notificationPanel.ts';
import { unreadOf, unreadTotalOf } from './support/notificationState.ts';
import { comesTo, hasFocus, message, totalOf } from './support/pages.ts';
import { delay, held, refuse } from './support/requests.ts';

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
  const web = useNotifications();

  it('panel: shows new likes live, and marks as read only what its viewer sees', async () => {
    await Promise.all([web.clear('aki'), web.clear('ben')]);
    const roomId = await web.room('Balcony', ['aki', 'ben', 'chie']);
    const sent = await web.say(roomId, 'aki', 'The tomatoes are *ripe*.');
    const [aki, ben] = await Promise.all([web.as('aki'), web.as('ben')]);
    const unreadByAki = async () => (await unreadOf(web.app, 'aki')).map(({ kind }) => kind);
    await ben.openRoom('Balcony');
    // The badge arrives by the websocket, after the page.
    const total = await unreadTotalOf(web.app, 'aki');
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
    await row(aki.page, 'Ben Okafor liked your message').getByText('The tomatoes are ripe.').waitFor();
    const listed = await rows(aki.page).count();
    await web.app.services.likes.add(web.id('chie'), sent);
    await row(aki.page, 'Chie Mori and Ben Okafor liked your message').waitFor();
    expect(await rows(aki.page).count()).toBe(listed);
    await comesTo(() => countOf(aki.page), 2);
    await web.app.services.likes.remove(web.id('ben'), sent);
    await row(aki.page, 'Chie Mori liked your message').waitFor();
    await web.app.services.likes.remove(web.id('chie'), sent);
    await comesTo(() => countOf(aki.page), 0);
    await row(aki.page, 'Chie Mori').filter({ hasText: 'tomatoes' }).waitFor({ state: 'detached' });

    // With the focus, it is marked as read at once, and shown as new until the panel is closed.
    await web.app.services.likes.add(web.id('chie'), sent);
    await comesTo(() => countOf(aki.page), 1);
    await web.app.services.likes.add(web.id('aki'), await web.say(roomId, 'ben', 'So are the beans.'));
    await comesTo(() => countOf(ben.page), 1);
    await lookBack(aki.page);
    await comesTo(() => countOf(aki.page), 0);
    await comesTo(() => totalOf(aki.page), total + 1);
    await row(aki.page, 'Chie Mori liked your message').getByText('New', { exact: true }).waitFor();
    // The page shows this before the server has stored it.
    await comesTo(unreadByAki, []);

    // The next like makes another notification, with a count of its own.
    await web.app.services.likes.add(web.id('ben'), sent);
    await row(aki.page, 'Ben Okafor liked your message').filter({ hasText: 'tomatoes' }).waitFor();
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
    await web.clear('dana');
    const roomId = await web.room('Attic', ['dana', 'ben']);
    for (let box = 1; box <= BOXES; box++)
      await web.app.services.likes.add(web.id('ben'), await web.say(roomId, 'dana', `Box ${box}.`));
    const dana = await web.as('dana', { look: { viewport: { width: 1000, height: 420 } } });
    await comesTo(() => countOf(dana.page), BOXES);
    await openPanel(dana.page);
    await row(dana.page, `Box ${BOXES}.`).waitFor();
    await eventually(async () => expect(await countOf(dana.page)).toBeLessThan(BOXES));
    // The server agrees: the rows below the screen are unread.
    const list = panel(dana.page).getByRole('list').locator('..');
    await comesTo(
      async () => (await unreadOf(web.app, 'dana')).length + (await list.evaluate(wholeOnes)),
      BOXES,
    );
    await web.app.quiet();
    const left = (await unreadOf(web.app, 'dana')).length;
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

  it('panel: shows notifications as read at once, and restores the badge if the server refuses', async () => {
    await web.clear('ben');
    const sent = await web.say(await web.room('Porch', ['ben', 'aki']), 'ben', 'The swing holds.');
    await web.app.services.likes.add(web.id('aki'), sent);
    const ben = await web.as('ben');
    await comesTo(() => countOf(ben.page), 1);
    const total = await unreadTotalOf(web.app, 'ben');
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

  it.each([
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 360, height: 740 }],
  ] as const)('panel: has no axe findings in %s at %o', async (colorScheme, viewport) => {
    const look = { colorScheme, viewport, reducedMotion: 'reduce' } as const;
    const aki = await web.as('aki', { look });
    await web.clear('aki');
    await web.app.services.likes.add(
      web.id('ben'),
      await web.say(await web.room('Hall', ['aki', 'ben']), 'aki', `玄関 ${colorScheme}`),
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

  it('reminder: says what the viewer noted, also after the note was changed', async () => {
    const room = await web.room('Larder', ['aki', 'ben']);
    const { threadTs, ts } = await web.say(room, 'ben', 'Jam in the cellar');
    const key = { user: web.id('aki'), room, threadTs, ts };
    const remindAt = Date.now() + 60 * 60_000;
    await web.app.services.saved.save(key, { note: 'Label the jars', remindAt }, { known: false });
    const { page, complaints } = await web.as('aki');
    const { dynamo } = web.app;
    const { handle } = createReminding({ dynamo });
    // As if its time had come.
    for (const timer of await openTimers(dynamo)) {
      if (timer.kind === 'reminder' && timer.about.user === key.user) await handle(timer as never);
    }
    await openPanel(page);
    const reminder = row(page, 'Jam in the cellar').filter({ hasText: 'Label the jars' });
    await reminder.waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await web.app.services.saved.save(key, { note: 'Label the jars today' }, { known: true });
    await openPanel(page);
    await row(page, 'Label the jars today').waitFor();
    expect(complaints).toEqual([]);
  });
});
