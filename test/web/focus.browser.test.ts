/** The place of the focus after the element that had it is busy, is replaced or is gone. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { messageId } from '../../src/messages/message.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { makeLongRoom } from './support/longRoom.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, composerOf, hasFocus, message } from './support/pages.ts';
import { wheel } from './support/places.ts';
import { answered, delay, held, operationOf } from './support/requests.ts';

const pathOf = (room: string) => `/rooms/${encodeURIComponent(encodeId('Room', room))}`;

/** Presses this key twice while an operation is on its way. Resolves to how often that was sent. */
async function pressTwice(page: Page, key: string, operation: string): Promise<() => Promise<number>> {
  const answer = held();
  let sent = 0;
  page.on('request', (request) => {
    if (operationOf(request) === operation) sent++;
  });
  await delay(page, operation, answer.promise);
  const done = answered(page, operation);
  const first = page.waitForRequest((request) => operationOf(request) === operation);
  await page.keyboard.press(key);
  await first;
  await page.keyboard.press(key);
  return async () => {
    answer.letGo();
    await done;
    // What was pressed since then has been handled.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    return sent;
  };
}

async function schedule(page: Page, text: string): Promise<void> {
  const field = composerOf(page);
  await field.fill(text);
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'In 20 minutes' }).click();
  await comesTo(() => field.inputValue(), '');
}

describe.skipIf(!browserAvailable)('web, the focus', () => {
  const web = useNotifications();

  it('a form: keeps it while it is being saved and afterwards, and is sent once', async () => {
    const { page, complaints } = await web.as('dana', { path: '/settings' });
    await page.getByLabel('Name', { exact: true }).fill('Dana L.');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.focus();
    const count = await pressTwice(page, 'Enter', 'UpdateProfile');
    expect(await hasFocus(save)).toBe(true);
    expect(await save.isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);
    expect(await count()).toBe(1);
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await hasFocus(save)).toBe(true);
    // Nothing has changed, so there is nothing to save.
    await page.keyboard.press('Enter');
    expect(await count()).toBe(1);
    // Enter in a field presses the button, too.
    await page.getByLabel('Name', { exact: true }).press('Enter');
    expect(await count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('a pause: the focus is on the button that ends it, and then on the first choice', async () => {
    const { page, complaints } = await web.as('dana', { path: '/settings/notifications' });
    const [hour, resume] = ['For an hour', 'Resume now'].map((name) => page.getByRole('button', { name }));
    if (hour === undefined || resume === undefined) throw new Error('There are two buttons.');
    await page.getByRole('button', { name: 'For a week' }).focus();
    const count = await pressTwice(page, 'Enter', 'PauseDeliveries');
    expect(await hasFocus(page.getByRole('button', { name: 'For a week' }))).toBe(true);
    expect(await count()).toBe(1);
    await comesTo(() => hasFocus(resume), true);
    await page.keyboard.press('Enter');
    await comesTo(() => hasFocus(hour), true);
    expect(complaints).toEqual([]);
  });

  it.each(['removed', 'deleted'] as const)(
    'a room that the viewer loses (%s): the focus is on the heading',
    async (how) => {
      const name = `Tent ${how}`;
      const room = await web.room(name, ['ben', 'dana']);
      const { page, complaints } = await web.as('dana', { path: pathOf(room) });
      await comesTo(() => hasFocus(composerOf(page)), true);
      const { rooms, roomDeletion } = web.app.services;
      const by = web.id('ben');
      if (how === 'removed') await rooms.remove({ by, room, user: web.id('dana') });
      else await roomDeletion.deleteRoom(by, room);
      await page.getByText(`You’re no longer in ${name}.`).first().waitFor();
      await comesTo(() => hasFocus(page.getByRole('main').getByRole('heading', { level: 1 })), true);
      expect(await findings(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it('scheduled messages: the focus is in the text, back on its row, and on the next row', async () => {
    const room = await web.room('Shed', ['ben']);
    const { page, complaints } = await web.as('ben', { path: pathOf(room) });
    for (const text of ['One', 'Two']) await schedule(page, text);
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('button', { name: 'Scheduled messages…' }).click();
    const list = page.getByRole('dialog', { name: 'Scheduled messages' });
    const button = (name: string) => list.getByRole('button', { name });
    const text = list.getByRole('textbox', { name: 'Message' });
    await button('Edit “One”').press('Enter');
    await comesTo(() => hasFocus(text), true);
    await button('Cancel').press('Enter');
    await comesTo(() => hasFocus(button('Edit “One”')), true);
    await button('Edit “One”').press('Enter');
    await text.fill('First');
    await button('Save').press('Enter');
    await comesTo(() => hasFocus(button('Edit “First”')), true);
    await button('Delete “First”').press('Enter');
    await comesTo(() => hasFocus(list.getByRole('article').filter({ hasText: 'Two' })), true);
    await page.keyboard.press('Tab');
    expect(await hasFocus(button('Delete “Two”'))).toBe(true);
    await page.keyboard.press('Enter');
    await comesTo(() => hasFocus(list.getByText('Nothing is scheduled.')), true);
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('scheduled messages: a row that is saved late leaves the focus in the row that the viewer edits', async () => {
    const room = await web.room('Hut', ['chie']);
    const { page, complaints } = await web.as('chie', { path: pathOf(room) });
    for (const text of ['One', 'Two']) await schedule(page, text);
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('button', { name: 'Scheduled messages…' }).click();
    const list = page.getByRole('dialog', { name: 'Scheduled messages' });
    const answer = held();
    await delay(page, 'ChangeScheduled', answer.promise);
    await list.getByRole('button', { name: 'Edit “One”' }).click();
    await list.getByRole('textbox', { name: 'Message' }).fill('First');
    await list.getByRole('button', { name: 'Save' }).click();
    await list.getByRole('button', { name: 'Edit “Two”' }).click();
    const second = list.getByRole('textbox', { name: 'Message' }).nth(1);
    await second.fill('Sec');
    answer.letGo();
    await list.getByRole('button', { name: 'Edit “First”' }).waitFor();
    await page.keyboard.type('ond');
    expect(await list.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Second');
    expect(complaints).toEqual([]);
  });

  it('a link to a saved message: the focus is in the list that has it, unless the page was just loaded', async () => {
    const room = await web.room('Attic', ['ben', 'dana']);
    const root = await web.say(room, 'ben', 'An old chair');
    const reply = await web.say(room, 'ben', 'It is broken', root);
    for (const { threadTs, ts } of [root, reply]) {
      const key = { user: web.id('dana'), room, threadTs, ts };
      await web.app.services.saved.save(key, {}, { known: false });
    }
    const { page, complaints } = await web.as('dana', { path: '/saved' });
    await page.getByRole('link', { name: 'An old chair' }).press('Enter');
    const timeline = page.getByRole('log', { name: 'Messages in Attic' });
    await comesTo(() => hasFocus(timeline), true);
    await page.goBack();
    await page.getByRole('link', { name: 'It is broken' }).press('Enter');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await comesTo(() => hasFocus(thread.getByRole('log')), true);
    await page.reload();
    await thread.getByRole('article').filter({ hasText: 'It is broken' }).waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('a message that is deleted with the keyboard: the focus is in the question, and afterwards on its menu', async () => {
    const room = await web.room('Porch', ['dana']);
    await web.say(room, 'dana', 'Too early');
    const { page, complaints } = await web.as('dana', { path: pathOf(room) });
    const question = page.getByRole('alertdialog');
    await message(page, 'Too early').focus();
    const more = page.getByRole('button', { name: 'More actions' });
    for (const answer of ['Cancel', 'Delete']) {
      await more.press('Enter');
      await comesTo(() => hasFocus(page.getByRole('menuitem').first()), true);
      await page.keyboard.press('ArrowUp');
      const last = page.getByRole('menuitem', { name: 'Delete' });
      await comesTo(() => hasFocus(last), true);
      await last.press('Enter');
      await comesTo(() => hasFocus(question.getByRole('button', { name: 'Cancel' })), true);
      await question.getByRole('button', { name: answer }).press('Enter');
      await question.waitFor({ state: 'detached' });
      await comesTo(() => hasFocus(more), true);
    }
    await page.getByText('This message was deleted.').waitFor();
    expect(await hasFocus(more)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('“Skip to messages”: the next Tab is in the messages, also after scrolling', async () => {
    const room = await makeLongRoom(web.app, { name: 'Attic', messages: 80, author: 'ben', reader: 'aki' });
    const { page, complaints } = await web.as('aki', { path: `/rooms/${encodeURIComponent(room.id)}` });
    const log = page.getByRole('log');
    await message(page, 'Entry').first().waitFor();
    const skip = page.getByRole('link', { name: 'Skip to messages' });
    await skip.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await comesTo(() => hasFocus(log), true);

    await composerOf(page).focus();
    const offset = () => log.evaluate(({ scrollTop }) => scrollTop);
    for (const by of [-1_500, 700]) {
      const before = await offset();
      await wheel(page, by);
      await comesTo(async () => (await offset()) === before, false);
      // The only article that the Tab key reaches is on the screen.
      const reached = log.locator('[role="article"][tabindex="0"]');
      await comesTo(() => reached.evaluate(isInSight), true);
      expect(await reached.count()).toBe(1);
    }
    expect(complaints).toEqual([]);
  });

  it('a narrow window: the focus goes into what covers the room, and back', async () => {
    const room = await web.room('Cellar', ['aki', 'ben']);
    await web.say(room, 'ben', 'Who has the key?');
    const { page, complaints } = await web.as('aki', {
      path: pathOf(room),
      look: { viewport: { width: 320, height: 568 } },
    });
    const opened = message(page, 'Who has the key?').first();
    await opened.focus();
    await page.keyboard.press('Enter');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await comesTo(() => hasFocus(thread.getByRole('textbox')), true);
    await page.keyboard.press('Escape');
    await thread.waitFor({ state: 'detached' });
    const members = page.getByRole('button', { name: '2 members' });
    await members.press('Enter');
    const pane = page.getByRole('complementary', { name: 'Members' });
    await comesTo(() => hasFocus(pane.getByRole('heading', { level: 1 })), true);
    await pane.getByRole('button', { name: 'Close' }).press('Enter');
    await comesTo(() => hasFocus(members), true);
    expect(complaints).toEqual([]);
  });

  it('a window that becomes narrow, as by zooming: the focus stays in a dialog above the members', async () => {
    const room = await web.room('Pantry', ['aki', 'ben']);
    const { page, complaints } = await web.as('aki', {
      path: pathOf(room),
      look: { viewport: { width: 1280, height: 720 } },
    });
    const members = page.getByRole('button', { name: '2 members' });
    await members.press('Enter');
    const pane = page.getByRole('complementary', { name: 'Members' });
    await pane.getByRole('button', { name: 'Add people' }).press('Enter');
    const field = page.getByRole('dialog').getByRole('combobox');
    await comesTo(() => hasFocus(field), true);
    await page.setViewportSize({ width: 640, height: 360 });
    await page.locator('aside h1').waitFor();
    expect(await hasFocus(field)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The button that has the focus is covered.
    await page.setViewportSize({ width: 1280, height: 720 });
    await pane.getByRole('heading', { level: 2 }).waitFor();
    await members.focus();
    await page.setViewportSize({ width: 640, height: 360 });
    await comesTo(() => hasFocus(pane.getByRole('heading', { level: 1 })), true);
    expect(complaints).toEqual([]);
  });

  it('“Skip to messages”: in a narrow window, leads to the thread that covers the timeline', async () => {
    const room = await web.room('Loft', ['aki', 'ben']);
    const root = await web.say(room, 'ben', 'Who has the ladder?');
    const { page, complaints } = await web.as('aki', {
      path: `${pathOf(room)}/threads/${encodeURIComponent(encodeId('Message', messageId(root)))}`,
      look: { viewport: { width: 375, height: 640 } },
    });
    const thread = page.locator('[role="log"]:visible').filter({ hasText: 'Who has the ladder?' });
    await thread.waitFor();
    await page.getByRole('link', { name: 'Skip to messages' }).press('Enter');
    expect(await hasFocus(thread)).toBe(true);
    expect(complaints).toEqual([]);
  });
});

/** Runs in the page: whether a message is in the visible part of its list. */
const isInSight = (one: Element): boolean => {
  const { top, bottom } = one.getBoundingClientRect();
  const list = one.closest('[role=log]')?.getBoundingClientRect();
  return list !== undefined && bottom > list.top && top < list.bottom;
};
