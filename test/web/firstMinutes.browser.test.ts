import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../support/clients/windows.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, hasFocus, message, open } from './support/pages.ts';
import { heading, useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, the first minutes', () => {
  const web = useRooms();
  const browser = useBrowser();

  it('sign-in: opens the room with the newest unread message, and what is typed anywhere is written', async () => {
    const { id } = await web.room({ name: 'Harbor', members: ['chie', 'ben'] });
    await web.app.services.messages.send({
      room: id,
      author: await web.idOf('chie'),
      body: 'The boat is in.',
    });
    await web.app.quiet();
    const { page, complaints } = await web.as('no one');
    await page.getByRole('button', { name: 'Ben Okafor' }).click();
    await heading(page, 'Harbor');
    await comesTo(() => hasFocus(composerOf(page)), true);
    await page.keyboard.type('On my way ');
    expect(await composerOf(page).inputValue()).toBe('On my way ');
    // Neither the text of the page nor a button keeps letters.
    await page.getByRole('heading', { level: 1 }).click();
    await comesTo(() => hasFocus(composerOf(page)), false);
    await page.keyboard.type('now');
    await page.getByRole('button', { name: 'Notifications' }).focus();
    await page.keyboard.type('!');
    expect(await composerOf(page).inputValue()).toBe('On my way now!');
    await page.keyboard.press('Enter');
    await message(page, 'On my way now!').waitFor();

    // A reply is written at once as well, and a dialog keeps its letters.
    await message(page, 'The boat is in.').hover();
    await message(page, 'The boat is in.').getByRole('button', { name: 'Reply in thread' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await comesTo(() => hasFocus(thread.getByRole('textbox')), true);
    await page.getByRole('button', { name: 'Create room' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create room' }).focus();
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await composerOf(page).inputValue()).toBe('');
    expect(await thread.getByRole('textbox').inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('sign-in by the address of a demo user: opens the room, too, and only then', async () => {
    const { id } = await web.room({ name: 'Pier', members: ['chie', 'dana'] });
    await web.app.services.messages.send({ room: id, author: await web.idOf('chie'), body: 'High tide.' });
    await web.app.quiet();
    const page = await freshWindow(browser());
    await page.goto(`${web.app.url}/?as=dana`);
    await heading(page, 'Pier');
    await comesTo(() => hasFocus(composerOf(page)), true);
    await page.getByRole('link', { name: 'Tsudoi' }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose a room' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Choose a room' }).waitFor();
  });

  it('sign-in by the address of an unknown handle: says so, and a token signs in as well as a demo user', async () => {
    const { page, complaints } = await open({
      browser: browser(),
      url: web.app.url,
      as: 'dana',
      path: '/saved',
    });
    // By then the page keeps the token.
    await heading(page, 'Saved All');
    const token = await page.evaluate("sessionStorage.getItem('tsudoi:token')");
    await page.goto(`${web.app.url}/saved?as=unknown`);
    await page.getByRole('alert').getByText('There’s no demo user @unknown.').waitFor();
    await page.getByRole('button', { name: /Dana/ }).waitFor();
    await page.getByText('Use a token').click();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Access token').fill(String(token));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Saved All');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Who would you like to be?' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('empty room: offers to add people, to copy an invite link and to set a topic', async () => {
    const { id, path } = await web.room({ name: 'Orchard', members: ['aki', 'dana'] });
    const fresh = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, complaints } = await open({ browser: browser(), url: web.app.url, as: 'aki', path, fresh });
    await page.getByRole('button', { name: 'Copy invite link' }).click();
    await page.getByText('Link copied. It’s valid for 7 days.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/\/invite\//);
    await page.getByRole('button', { name: 'Add people' }).click();
    await page.getByRole('dialog', { name: 'Add people to Orchard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Set a topic' }).click();
    const settings = page.getByRole('dialog', { name: 'Room settings' });
    await settings.getByLabel('Topic').fill('Apples');
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Set a topic' }).waitFor({ state: 'detached' });
    expect(await findings(page)).toEqual([]);

    // A member without these rights is not offered them.
    const dana = await web.as('dana', path);
    await dana.page.getByRole('log').getByRole('list').waitFor();
    expect(await dana.page.getByRole('log').getByRole('button').count()).toBe(0);
    await web.app.services.messages.send({
      room: id,
      author: await web.idOf('dana'),
      body: 'They are ripe.',
    });
    await message(page, 'They are ripe.').waitFor();
    await page.getByRole('button', { name: 'Copy invite link' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
