import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { startOwnTime } from '../support/time/ownTime.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, message, open, roomLink, unreadIn } from './support/pages.ts';
import { heading, memberMenu, roomMenu, showMembers, useRooms } from './support/rooms.ts';

/** Runs in the page: resolves when the page reports a lost room and does not list it any more. */
const lost = (room: string) => `new Promise((resolve) => {
  const isListed = () => document.querySelector('nav').textContent.includes('${room}');
  const isShown = () => document.body.textContent.includes('You’re no longer in ${room}.');
  const watch = new MutationObserver(() => isListed() || !isShown() || resolve());
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

describe.skipIf(!browserAvailable)('web, members', () => {
  const web = useRooms();

  it('block: from the member menu, and undone in the account menu', async () => {
    const dana = await web.as('dana');
    await dana.openRoom('Lobby');
    await showMembers(dana.page);
    await memberMenu(dana.page, 'Ben Okafor');
    await dana.page.getByRole('menuitem', { name: 'Block' }).click();
    await dana.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
    await dana.page.getByText('Ben Okafor is blocked.').waitFor();
    await memberMenu(dana.page, 'Ben Okafor');
    await dana.page.getByRole('menuitem', { name: 'Message' }).click();
    await dana.page.getByText('You’ve blocked this person.').waitFor();
    await dana.page.getByRole('button', { name: 'Account' }).click();
    await dana.page.getByRole('menuitem', { name: 'Blocked people' }).click();
    const dialog = dana.page.getByRole('dialog', { name: 'Blocked people' });
    await dialog.getByRole('button', { name: 'Unblock Ben Okafor' }).waitFor();
    expect(await findings(dana.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Unblock Ben Okafor' }).click();
    await dialog.getByText('You haven’t blocked anyone.').waitFor();
    expect(dana.complaints).toEqual([]);
  });

  it('directory: offers to join a room from which the viewer is removed meanwhile', async () => {
    const { id } = await web.room({ name: 'Larder', members: ['ben', 'chie'] });
    const [by, user] = [await web.idOf('ben'), await web.idOf('chie')];
    const { page, complaints } = await web.as('chie');
    await page.getByRole('button', { name: 'Browse rooms' }).click();
    const dialog = page.getByRole('dialog', { name: 'Browse rooms' });
    await dialog.getByRole('button', { name: 'Open Larder' }).waitFor();
    await web.app.services.rooms.remove({ by, room: id, user });
    await dialog.getByRole('button', { name: 'Join Larder' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('direct room: is the same for all its members, and is titled with the others’ names', async () => {
    const [aki, ben] = await Promise.all([web.as('aki'), web.as('ben')]);
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
    const aki = await web.as('aki');
    await aki.openRoom('Birthday for Dana');
    await roomMenu(aki.page, 'Invite links');
    const dialog = aki.page.getByRole('dialog', { name: 'Invite to Birthday for Dana' });
    await dialog.getByLabel('Max uses').selectOption('1 use');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByRole('textbox', { name: 'Invite link' }).inputValue();
    await dialog.getByText('0 of 1 used').waitFor();
    expect(await findings(aki.page)).toEqual([]);

    const path = new URL(link).pathname;
    const chie = await web.as('chie', path);
    const join = chie.page.getByRole('button', { name: 'Accept invitation' });
    await join.waitFor();
    expect(await findings(chie.page)).toEqual([]);
    await join.click();
    await heading(chie.page, 'Birthday for Dana');
    await roomLink(chie.page, 'Birthday for Dana').waitFor();

    const ben = await web.as('ben', path);
    await ben.page.getByRole('button', { name: 'Accept invitation' }).click();
    await ben.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await ben.page.getByText('Ask for a new one').waitFor();

    await dialog.getByRole('button', { name: 'Create another' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).first().click();
    await aki.page.getByText('The link no longer works.').waitFor();
    expect([...aki.complaints, ...chie.complaints, ...ben.complaints]).toEqual([]);
  });
  it('members: a new moderator gets actions at once, a removed member loses the room at once', async () => {
    await web.app.services.users.ensure({ sub: 'emi', handle: 'emi', name: 'Emi Sato' });
    const { path } = await web.room({ name: 'Kitchen', members: ['aki', 'ben', 'dana'] });
    const [aki, ben] = await Promise.all([web.as('aki', path), web.as('ben', path)]);
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
    // No one here shares a room with her: only the beginning of her handle finds her.
    await adding.getByRole('combobox').fill('@em');
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
    // Not by the comparison with the table, which happens every 30 s. The server is in this process.
    const ownTime = startOwnTime();
    await toasted;
    expect(ownTime()).toBeLessThan(15_000);
    // The room is public, so its page offers to join again.
    await ben.page.getByRole('button', { name: 'Join Kitchen' }).click();
    await composerOf(ben.page).waitFor();
    await aki.page.getByRole('complementary', { name: 'Members' }).getByText('@ben').waitFor();

    const dana = await web.as('dana', path);
    await dana.page.getByRole('button', { name: 'Join Kitchen' }).click();
    await dana.page.getByRole('alert').getByText('You’re banned from Kitchen.').waitFor();
    // It stays, in the place of what would be refused again.
    expect(await dana.page.getByRole('button', { name: /^Join/ }).count()).toBe(0);
    await dana.page.getByText('Join to read and write').waitFor({ state: 'detached' });
    expect(await findings(dana.page)).toEqual([]);
    await aki.page.getByRole('button', { name: 'Banned people' }).click();
    await aki.page.getByRole('button', { name: 'Lift the ban on Dana Levi' }).click();
    await aki.page.getByText('No one is banned.').waitFor();
    await dana.page.reload();
    await dana.page.getByRole('button', { name: 'Join Kitchen' }).click();
    await composerOf(dana.page).waitFor();
    expect([...aki.complaints, ...ben.complaints, ...dana.complaints]).toEqual([]);
  });

  it('waitlist: a place that the viewer left on another device is not offered to be left', async () => {
    const { rooms } = web.app.services;
    const dana = await web.idOf('dana');
    const rafts = await Promise.all(
      ['Raft', 'Skiff'].map((name) => web.room({ name, capacity: 1, members: ['ben'] })),
    );
    for (const { id } of rafts) await rooms.joinOrWait(dana, id);
    const { page, complaints } = await open({
      browser: web.browser,
      url: web.app.url,
      as: 'dana',
      path: '/threads',
      fresh: {},
    });
    await page.clock.install();
    await page.reload();
    await page.getByRole('button', { name: 'Browse rooms' }).click();
    const dialog = page.getByRole('dialog', { name: 'Browse rooms' });
    for (const name of ['Raft', 'Skiff'])
      await dialog.getByRole('button', { name: `Leave waitlist for ${name}` }).waitFor();
    for (const { id } of rafts) await rooms.leave(dana, id);
    await dialog.getByRole('button', { name: 'Leave waitlist for Skiff' }).click();
    await page.getByText('You’re no longer on the waitlist for Skiff.').waitFor();
    await dialog.getByRole('button', { name: 'Join waitlist for Skiff' }).waitFor();
    // The waitlists are read again after 10 s.
    await page.clock.runFor(10_000);
    await dialog.getByRole('button', { name: 'Join waitlist for Raft' }).waitFor();
    // So it is not their seat if an owner adds them afterwards.
    const by = await web.idOf('ben');
    for (const { id } of rafts) {
      await rooms.update(by, id, { capacity: 2 });
      await rooms.add({ by, room: id, user: dana });
    }
    for (const name of ['Raft', 'Skiff'])
      await page.getByText(`You’re now in ${name}.`, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('waitlist: a full room offers it, and users are notified when they get a seat', async () => {
    const { id, path } = await web.room({ name: 'Boat', capacity: 2, members: ['aki', 'ben'] });
    const [ben, dana] = await Promise.all([web.as('ben', path), web.as('dana')]);
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
    const chie = await web.as('chie', path);
    await chie.page.getByRole('button', { name: 'Join waitlist for Boat' }).click();
    await chie.page.getByText('You’re number 2 on the waitlist').waitFor();
    expect(await findings(chie.page)).toEqual([]);
    await dana.page.keyboard.press('Escape');

    await composerOf(ben.page).waitFor();
    await roomMenu(ben.page, 'Leave room');
    await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Leave room' }).click();
    await dana.page.getByText('A seat opened up: you’re now in Boat.').waitFor();
    await dana.openRoom('Boat');
    await web.app.services.rooms.update(await web.idOf('aki'), id, { capacity: 3 });
    await composerOf(chie.page).waitFor();
    expect([...ben.complaints, ...dana.complaints, ...chie.complaints]).toEqual([]);
  });
});
