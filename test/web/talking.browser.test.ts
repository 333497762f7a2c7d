import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { decodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { demoIsDelivered } from './support/notificationState.ts';
import {
  comesTo,
  composerOf,
  message,
  open,
  roomLink,
  startWeb,
  totalOf,
  unreadIn,
} from './support/pages.ts';

/** Whether a badge is drawn on the window's icon. */
const isBadged = async (page: Page) =>
  /^data:image\/png/.test((await page.locator('link[rel=icon]').getAttribute('href')) ?? '');

describe.skipIf(!browserAvailable)('web, two users', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
    await demoIsDelivered(app);
  });
  afterAll(() => app?.stop());
  const as = (handle: string, path?: string) =>
    open({ browser: browser(), url: app.url, as: handle, ...defined({ path }) });

  it('badge: rises when another user writes, and falls by what the viewer has seen', async () => {
    const [aki, ben] = await Promise.all([as('aki'), as('ben')]);
    await roomLink(aki.page, 'Tea').waitFor();
    // The badge arrives by the websocket, after the page, and changes the list, the title and the icon.
    await comesTo(() => isBadged(aki.page), true);
    const [before, inTea] = [await totalOf(aki.page), await unreadIn(aki.page, 'Tea')];

    await ben.openRoom('Tea');
    await ben.say('Who would like some gyokuro?');
    await comesTo(() => unreadIn(aki.page, 'Tea'), inTea + 1);
    await comesTo(() => totalOf(aki.page), before + 1);

    await aki.openRoom('Tea');
    await message(aki.page, 'gyokuro').waitFor();
    await comesTo(() => unreadIn(aki.page, 'Tea'), 0);
    await comesTo(() => totalOf(aki.page), before - inTea);
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('timeline: reads nothing without focus, and what is on the screen when the focus returns', async () => {
    const [aki, ben] = await Promise.all([as('aki'), as('ben')]);
    await Promise.all([aki.openRoom('Engineering'), ben.openRoom('Engineering')]);
    await comesTo(() => unreadIn(aki.page, 'Engineering'), 0);
    const look = (isLooking: boolean) =>
      aki.page.evaluate(
        `document.hasFocus = () => ${isLooking}; dispatchEvent(new Event('${isLooking ? 'focus' : 'blur'}'))`,
      );
    await look(false);
    // The line is above the first message that arrived since the viewer last looked.
    const line = aki.page.getByText('New', { exact: true });
    const under = line.locator('xpath=../following-sibling::*[@role="article"]');
    for (const [first, second] of [
      ['Is anybody at their desk?', 'Nobody?'],
      ['Somebody now?', 'Well.'],
    ] as const) {
      await ben.say(first);
      await ben.say(second);
      await message(aki.page, second).waitFor();
      await comesTo(() => unreadIn(aki.page, 'Engineering'), 2);
      await under.getByText(first).waitFor();
      expect(await line.count()).toBe(1);
      await look(true);
      await comesTo(() => unreadIn(aki.page, 'Engineering'), 0);
      await look(false);
    }
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('mention: a member without a handle is named below the text, not in it', async () => {
    const { messages, users } = app.services;
    const [chie, ben] = [users.idOf('chie'), users.idOf('ben')];
    const aki = await as('aki');
    await aki.openRoom('Lobby');
    const { id: room } = decodeId(decodeURIComponent(new URL(aki.page.url()).pathname.split('/')[2] ?? ''));
    await messages.send({ room, author: ben, body: 'Please ask @chie first.' });
    await message(aki.page, 'Please ask').getByText('@Chie Mori').waitFor();
    // What is shown again comes from the server: the page is loaded again.
    const { displayName } = await users.update(chie, { handle: null });
    await aki.page.reload();
    const asked = message(aki.page, 'Please ask @someone first.');
    await asked.getByText(`Mentioned: ${displayName}`).waitFor();
    await users.update(chie, { handle: 'chie' });
    expect(aki.complaints).toEqual([]);
  });

  it('typing line: names the user who types, until their message is sent', async () => {
    // In a room in which ben has not just typed: the server reports it once in two seconds.
    const [aki, ben] = await Promise.all([as('aki'), as('ben')]);
    await Promise.all([aki.openRoom('Lobby'), ben.openRoom('Lobby')]);
    // Only open subscriptions receive who types. A live message shows that aki's is open.
    const { id: room } = decodeId(decodeURIComponent(new URL(aki.page.url()).pathname.split('/')[2] ?? ''));
    await app.services.messages.send({ room, author: app.services.users.idOf('chie'), body: 'Quiet here.' });
    await message(aki.page, 'Quiet here.').waitFor();
    await composerOf(ben.page).pressSequentially('Hm');
    await aki.page.getByText('Ben Okafor is typing…').waitFor();
    await ben.say('Never mind.');
    await aki.page.getByText('Ben Okafor is typing…').waitFor({ state: 'detached' });
    await message(aki.page, 'Never mind.').waitFor();
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('thread: is shown live next to the timeline, with a summary on its root', async () => {
    const [aki, ben] = await Promise.all([as('aki'), as('ben')]);
    await Promise.all([aki.openRoom('Lobby'), ben.openRoom('Lobby')]);
    await ben.say('Shall we start a thread?');
    const root = message(aki.page, 'Shall we start a thread?');
    await root.hover();
    await root.getByRole('button', { name: 'Reply in thread' }).click();
    const pane = aki.page.getByRole('complementary', { name: 'Thread' });
    await pane.getByRole('textbox').fill('Yes, let us.');
    await pane.getByRole('textbox').press('Enter');
    await message(ben.page, 'Shall we start').getByText('1 reply').click();
    await ben.page.getByRole('complementary', { name: 'Thread' }).getByText('Yes, let us.').waitFor();
    await aki.page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('message: edits, stamps and deletions appear live for both users', async () => {
    const [aki, ben] = await Promise.all([as('aki'), as('ben')]);
    await Promise.all([aki.openRoom('Lobby'), ben.openRoom('Lobby')]);
    await ben.say('A speling mistake');
    await composerOf(ben.page).press('ArrowUp');
    const edit = ben.page.getByRole('textbox', { name: 'Edit message' });
    await edit.fill('A spelling mistake');
    await edit.press('Enter');
    const seen = message(aki.page, 'A spelling mistake');
    await seen.getByText('(edited)').waitFor();

    await seen.hover();
    await seen.getByRole('button', { name: 'Add a stamp' }).click();
    await aki.page.getByRole('searchbox').fill('heart');
    await aki.page.keyboard.press('Enter');
    const stamp = message(ben.page, 'A spelling mistake').getByRole('button', { name: /1 person/ });
    await stamp.click();
    await seen.getByRole('button', { name: /2 people, including you/ }).click();
    await message(ben.page, 'A spelling mistake')
      .getByRole('button', { name: /1 person, including you/ })
      .waitFor();

    const own = message(ben.page, 'A spelling mistake');
    await own.hover();
    await own.getByRole('button', { name: 'More actions' }).click();
    await ben.page.getByRole('menuitem', { name: 'Delete' }).click();
    await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await message(aki.page, 'This message was deleted.').waitFor();
    await seen.waitFor({ state: 'detached' });
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('sign-out: shows the sign-in page and removes the badge', async () => {
    const aki = await as('aki');
    await comesTo(() => isBadged(aki.page), true);
    await aki.page.getByRole('button', { name: 'Account' }).click();
    await aki.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await aki.page.getByRole('heading', { name: 'Who would you like to be?' }).waitFor();
    expect(await aki.page.getByRole('alert').count()).toBe(0);
    await comesTo(() => aki.page.title(), 'Tsudoi');
    await comesTo(() => isBadged(aki.page), false);
    expect(aki.complaints).toEqual([]);
  });

  it('room page: shows the same for a private room as for one that does not exist', async () => {
    const aki = await as('aki');
    await aki.openRoom('Birthday for Dana');
    const secret = new URL(aki.page.url()).pathname;
    const texts = await Promise.all(
      [secret, '/rooms/nothing'].map(async (path) => {
        const dana = await as('dana', path);
        await dana.page.getByRole('heading', { name: 'This room doesn’t exist' }).waitFor();
        return dana.page.getByRole('main').textContent();
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });
});
