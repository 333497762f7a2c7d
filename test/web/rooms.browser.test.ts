import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '../../src/graphql/ids.ts';
import { type Message, messageId } from '../../src/messages/message.ts';
import type { TestApp } from '../support/app.ts';
import { browserAvailable } from '../support/browser.ts';
import { startOwnTime } from '../support/ownTime.ts';
import { useBrowser } from '../support/windows.ts';
import { findings } from './support/axe.ts';
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

/** Runs in the page: resolves when the page reports a lost room and does not list it any more. */
const lost = (room: string) => `new Promise((resolve) => {
  const isListed = () => document.querySelector('nav').textContent.includes('${room}');
  const isShown = () => document.body.textContent.includes('You’re no longer in ${room}.');
  const watch = new MutationObserver(() => isListed() || !isShown() || resolve());
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

describe.skipIf(!browserAvailable)('web, rooms and members', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());
  const as = (handle: string, path?: string) =>
    open({ browser: browser(), url: app.url, as: handle, ...(path === undefined ? {} : { path }) });

  interface Wanted {
    readonly name: string;
    readonly capacity?: number;
    /** Handles. The first is the owner. */
    readonly members: readonly string[];
  }

  /** Creates a public room for this test. Returns its raw id and its path. */
  async function room({ name, capacity, members }: Wanted) {
    const { rooms } = app.services;
    const [owner = '', ...others] = await Promise.all(members.map(idOf));
    const made = { name, topic: null, visibility: 'PUBLIC', capacity: capacity ?? null } as const;
    const { id } = await rooms.create(owner, made);
    for (const other of others) await rooms.join(other, id);
    return { id, path: `/rooms/${encodeURIComponent(encodeId('Room', id))}` };
  }

  async function idOf(handle: string): Promise<string> {
    const id = await app.services.users.byHandle(handle);
    if (id === null) throw new Error(`No user has the handle ${handle}.`);
    return id;
  }

  it('direct room: is the same for all its members, and is titled with the others’ names', async () => {
    const [aki, ben] = await Promise.all([as('aki'), as('ben')]);
    await aki.page.getByRole('button', { name: 'New message' }).click();
    const dialog = aki.page.getByRole('dialog', { name: 'New message' });
    await dialog.getByRole('option', { name: /Ben/ }).waitFor();
    expect(await findings(aki.page)).toEqual([]);
    // By keyboard: the first person by name, the second by handle.
    await aki.page.keyboard.type('okaf');
    await aki.page.keyboard.press('Enter');
    await aki.page.keyboard.type('@dana');
    await aki.page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove Dana Levi' }).waitFor();
    await aki.page.keyboard.press('Backspace');
    await dialog.getByRole('button', { name: 'Open conversation' }).press('Enter');
    await heading(aki.page, 'Ben Okafor');
    await aki.say('Between the two of us');
    await roomLink(ben.page, 'Aki Tanaka').waitFor();
    await comesTo(() => unreadIn(ben.page, 'Aki Tanaka'), 1);

    await ben.openRoom('Lobby');
    await showMembers(ben.page);
    await memberMenu(ben.page, 'Aki Tanaka');
    expect(await ben.page.getByRole('menuitemradio').count()).toBe(0);
    await ben.page.getByRole('menuitem', { name: 'Message' }).click();
    await heading(ben.page, 'Aki Tanaka');
    expect(new URL(ben.page.url()).pathname).toBe(new URL(aki.page.url()).pathname);

    // The user who opened it has no special role in it.
    await ben.say('And no one else');
    for (const [text, deletes] of [
      ['Between the two of us', 1],
      ['And no one else', 0],
    ] as const) {
      await message(aki.page, text).hover();
      await message(aki.page, text).getByRole('button', { name: 'More actions' }).click();
      await aki.page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
      expect(await aki.page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(deletes);
      await aki.page.keyboard.press('Escape');
      await aki.page.getByRole('menu').waitFor({ state: 'detached' });
    }
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('invite link: admits the number of users that it allows, and explains what to do when it is used up', async () => {
    const aki = await as('aki');
    await aki.openRoom('Birthday for Dana');
    await roomMenu(aki.page, 'Invite links');
    const dialog = aki.page.getByRole('dialog', { name: 'Invite to Birthday for Dana' });
    await dialog.getByLabel('Number of people').selectOption('1 person');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByRole('textbox', { name: 'Invite link' }).inputValue();
    await dialog.getByText('0 of 1 used').waitFor();
    expect(await findings(aki.page)).toEqual([]);

    const path = new URL(link).pathname;
    const chie = await as('chie', path);
    const join = chie.page.getByRole('button', { name: 'Accept invitation' });
    await join.waitFor();
    expect(await findings(chie.page)).toEqual([]);
    await join.click();
    await heading(chie.page, 'Birthday for Dana');
    await roomLink(chie.page, 'Birthday for Dana').waitFor();

    const ben = await as('ben', path);
    await ben.page.getByRole('button', { name: 'Accept invitation' }).click();
    await ben.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await ben.page.getByText('Ask for a new one').waitFor();

    await dialog.getByRole('button', { name: 'Create another' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).first().click();
    await aki.page.getByText('The link no longer works.').waitFor();
    expect([...aki.complaints, ...chie.complaints, ...ben.complaints]).toEqual([]);
  });

  it('members: a new moderator gets actions at once, a removed member loses the room within 1 s', async () => {
    await app.services.users.ensure({ sub: 'emi', handle: 'emi', name: 'Emi Sato' });
    const { path } = await room({ name: 'Kitchen', members: ['aki', 'ben', 'dana'] });
    const [aki, ben] = await Promise.all([as('aki', path), as('ben', path)]);
    for (const { page } of [aki, ben]) await showMembers(page);
    const bens = ben.page.getByRole('complementary', { name: 'Members' });
    await bens.getByText('@dana').waitFor();
    expect(await bens.getByRole('button', { name: 'Add people' }).count()).toBe(0);

    await memberMenu(aki.page, 'Ben Okafor');
    expect(await findings(aki.page)).toEqual([]);
    await aki.page.getByRole('menuitemradio', { name: 'Moderator' }).click();
    await bens.getByRole('button', { name: 'Add people' }).waitFor();
    await bens.getByText('Moderator').waitFor();

    await bens.getByRole('button', { name: 'Add people' }).click();
    const adding = ben.page.getByRole('dialog', { name: 'Add people to Kitchen' });
    // No one here shares a room with her: only her handle finds her.
    await adding.getByRole('combobox').fill('@emi');
    await adding.getByRole('option', { name: /Emi Sato/ }).waitFor();
    await ben.page.keyboard.press('Enter');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await aki.page.getByRole('complementary', { name: 'Members' }).getByText('@emi').waitFor();

    await memberMenu(ben.page, 'Dana Levi');
    await ben.page.getByRole('menuitem', { name: 'Ban from room' }).click();
    expect(await findings(ben.page)).toEqual([]);
    await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Ban from room' }).click();
    await aki.page.getByText('@dana').waitFor({ state: 'detached' });

    await memberMenu(aki.page, 'Ben Okafor');
    await aki.page.getByRole('menuitem', { name: 'Remove from room' }).click();
    const answered = aki.page.waitForResponse((response) =>
      /removeMember/i.test(response.request().postData() ?? ''),
    );
    const toasted = ben.page.evaluate(lost('Kitchen'));
    await aki.page.getByRole('alertdialog').getByRole('button', { name: 'Remove from room' }).click();
    await answered;
    // The server is in this process.
    const ownTime = startOwnTime();
    await toasted;
    expect(ownTime()).toBeLessThan(1_000);
    // The room is public, so its page offers to join again.
    await ben.page.getByRole('button', { name: 'Join Kitchen' }).click();
    await composerOf(ben.page).waitFor();
    await aki.page.getByRole('complementary', { name: 'Members' }).getByText('@ben').waitFor();

    const dana = await as('dana', path);
    await dana.page.getByRole('button', { name: 'Join Kitchen' }).click();
    await dana.page.getByText('You’re banned from Kitchen.').waitFor();
    await aki.page.getByRole('button', { name: 'Banned people' }).click();
    await aki.page.getByRole('button', { name: 'Lift the ban on Dana Levi' }).click();
    await aki.page.getByText('No one is banned.').waitFor();
    await dana.page.getByRole('button', { name: 'Join Kitchen' }).click();
    await composerOf(dana.page).waitFor();
    expect([...aki.complaints, ...ben.complaints, ...dana.complaints]).toEqual([]);
  });

  it('waitlist: a full room offers it, and users are notified when they get a seat', async () => {
    const { id, path } = await room({ name: 'Boat', capacity: 2, members: ['aki', 'ben'] });
    const [ben, dana] = await Promise.all([as('ben', path), as('dana')]);
    await dana.page.getByRole('button', { name: 'Browse rooms' }).click();
    const entry = dana.page.getByRole('listitem').filter({ hasText: 'Boat' });
    await entry.getByText('Full, 2 of 2').waitFor();
    const wait = entry.getByRole('button', { name: 'Join waitlist for Boat' });
    await wait.click();
    await entry.getByText('You’re next on the waitlist').waitFor();
    expect(await findings(dana.page)).toEqual([]);
    await entry.getByRole('button', { name: 'Leave waitlist for Boat' }).click();
    await wait.click();
    await entry.getByText('You’re next on the waitlist').waitFor();
    const chie = await as('chie', path);
    await chie.page.getByRole('button', { name: 'Join waitlist for Boat' }).click();
    await chie.page.getByText('You’re number 2 on the waitlist').waitFor();
    expect(await findings(chie.page)).toEqual([]);
    await dana.page.keyboard.press('Escape');

    await composerOf(ben.page).waitFor();
    await roomMenu(ben.page, 'Leave room');
    await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Leave room' }).click();
    await dana.page.getByText('You got a seat: you’re now in Boat.').waitFor();
    await dana.openRoom('Boat');
    await app.services.rooms.update(await idOf('aki'), id, { capacity: 3 });
    await composerOf(chie.page).waitFor();
    expect([...ben.complaints, ...dana.complaints, ...chie.complaints]).toEqual([]);
  });

  it('create room: requires a name; muted rooms do not count in the total', async () => {
    await app.quiet();
    const aki = await as('aki');
    await aki.page.getByRole('button', { name: 'New room' }).click();
    const dialog = aki.page.getByRole('dialog', { name: 'New room' });
    await dialog.getByLabel('Name').fill('   ');
    await dialog.getByRole('button', { name: 'Create room' }).click();
    await dialog.getByRole('alert').getByText('Enter a name for the room.').waitFor();
    await dialog.getByLabel('Name').fill('Greenhouse');
    await dialog.getByLabel('Topic').fill('Tomatoes, mostly');
    await dialog.getByRole('button', { name: 'Create room' }).click();
    await heading(aki.page, 'Greenhouse');
    await aki.page.locator('main header').getByText('Tomatoes, mostly').waitFor();
    await roomLink(aki.page, 'Greenhouse').waitFor();

    const made = new URL(aki.page.url()).pathname;
    const { id } = decodeId(decodeURIComponent(made.split('/')[2] ?? ''));
    const ben = await idOf('ben');
    await app.services.rooms.join(ben, id);
    await roomMenu(aki.page, 'Mute');
    await roomLink(aki.page, 'Greenhouse').getByText('muted').waitFor();
    // No one reads it meanwhile.
    await aki.page.getByRole('link', { name: 'Tsudoi' }).click();
    const before = await totalOf(aki.page);
    await app.services.messages.send({ room: id, author: ben, body: 'They are ripe.' });
    await comesTo(() => unreadIn(aki.page, 'Greenhouse'), 1);
    expect(await totalOf(aki.page)).toBe(before);
    // Unmuted on another device.
    await app.services.readPositions.mute(await idOf('aki'), id, false);
    await comesTo(() => totalOf(aki.page), before + 1);
    await roomLink(aki.page, 'Greenhouse').getByText('muted').waitFor({ state: 'detached' });
    expect(aki.complaints).toEqual([]);
  });

  it('room settings: apply live, and explain too few seats and a leaving last owner', async () => {
    const { path } = await room({ name: 'Attic', members: ['aki', 'ben'] });
    const [aki, ben] = await Promise.all([as('aki', path), as('ben', path)]);
    for (const { page } of [aki, ben]) await composerOf(page).waitFor();
    await roomMenu(aki.page, 'Room settings');
    const dialog = aki.page.getByRole('dialog', { name: 'Room settings' });
    await dialog.getByLabel('Name').fill('   ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('Enter a name for the room.').waitFor();
    await dialog.getByLabel('Name').fill('Loft');
    await dialog.getByLabel('Seats').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('The room has more members than that.').waitFor();
    expect(await findings(aki.page)).toEqual([]);
    await dialog.getByLabel('Seats').fill('2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await heading(ben.page, 'Loft');
    await roomLink(ben.page, 'Loft').waitFor();

    await roomMenu(aki.page, 'Leave room');
    await aki.page.getByRole('alertdialog').getByRole('button', { name: 'Leave room' }).click();
    const last = aki.page.getByRole('alertdialog', { name: 'You’re the last owner of Loft' });
    await last.getByRole('button', { name: 'Choose an owner' }).click();
    await memberMenu(aki.page, 'Ben Okafor');
    await aki.page.getByRole('menuitemradio', { name: 'Owner' }).click();
    const bens = aki.page.getByRole('complementary', { name: 'Members' }).getByRole('listitem');
    await bens.filter({ hasText: '@ben' }).getByText('Owner', { exact: true }).waitFor();
    await roomMenu(aki.page, 'Leave room');
    await aki.page.getByRole('alertdialog').getByRole('button', { name: 'Leave room' }).click();
    await roomLink(aki.page, 'Loft').waitFor({ state: 'detached' });
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('room page: opens a linked thread or message after the viewer has joined', async () => {
    const { id, path } = await room({ name: 'Attic', members: ['aki'] });
    const say = async (body: string, replyTo?: Message) => {
      const sending = { room: id, author: await idOf('aki'), body };
      return app.services.messages.send(replyTo === undefined ? sending : { ...sending, replyTo });
    };
    const root = await say('What is in the chest?');
    const reply = await say('Winter coats.', root);
    const linkTo = (message: Message) => encodeURIComponent(encodeId('Message', messageId(message)));
    const links = { ben: `${path}/threads/${linkTo(root)}`, dana: `${path}/messages/${linkTo(reply)}` };
    for (const [handle, link] of Object.entries(links)) {
      const { page, complaints } = await as(handle, link);
      await page.getByRole('button', { name: 'Join Attic' }).click();
      const thread = page.getByRole('complementary', { name: /Thread/ });
      await thread.getByText('Winter coats.').waitFor();
      await page.getByRole('log').first().getByText('What is in the chest?').waitFor();
      expect(await page.getByText('This message doesn’t exist').count()).toBe(0);
      expect(complaints).toEqual([]);
    }
  });

  it('directory: lists all public rooms, including those created since it was last open', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `Hall ${at}`);
    for (const name of names) await room({ name, members: ['dana'] });
    const ben = await as('ben');
    const directory = ben.page.getByRole('dialog', { name: 'Browse rooms' });
    const halls = async () => {
      const shown = await directory.locator('strong').allTextContents();
      return shown.filter((name) => name.startsWith('Hall')).sort();
    };
    for (const late of ['Hall of the first', 'Hall of the last']) {
      await room({ name: late, members: ['dana'] });
      names.push(late);
      await ben.page.getByRole('button', { name: 'Browse rooms' }).click();
      await directory.getByRole('button', { name: 'Show more rooms' }).click();
      await comesTo(halls, names.sort());
      await ben.page.keyboard.press('Escape');
      await directory.waitFor({ state: 'detached' });
    }
    expect(ben.complaints).toEqual([]);
  });
});

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function showMembers(page: Page): Promise<void> {
  await page
    .locator('header')
    .getByRole('button', { name: / members?$/ })
    .click();
  await page.getByRole('complementary', { name: 'Members' }).waitFor();
}

/** A button is disabled while its script loads, and the click waits for it. */
async function memberMenu(page: Page, name: string): Promise<void> {
  const pane = page.getByRole('complementary', { name: 'Members' });
  await pane.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menu').waitFor();
}

async function roomMenu(page: Page, item: string): Promise<void> {
  await page
    .locator('main header')
    .getByRole('button', { name: /^More about/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}
