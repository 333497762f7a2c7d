import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { composerOf, hasFocus, message } from './support/pages.ts';
import { heading, showMembers, useRooms } from './support/rooms.ts';

const card = (page: Page) => page.getByRole('dialog', { name: 'Profile' });
/** A red dot. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><circle r="1" fill="red"/></svg>`;
const isUnexpected = (complaint: string) => !complaint.includes('pictures.example');

describe.skipIf(!browserAvailable)('web, profile card', () => {
  const web = useRooms();

  it('opens from the name, the picture and a mention, with handle and local time; Escape closes it', async () => {
    const { id, path } = await web.room({ name: 'Cards', members: ['ben', 'aki'] });
    const { messages, users } = web.app.services;
    const ben = await web.idOf('ben');
    await users.update(ben, { timeZone: 'Asia/Tokyo' });
    await messages.send({ room: id, author: ben, body: 'Hello, @aki.' });
    const { page, complaints } = await web.as('aki', path);
    const name = message(page, 'Hello,').getByRole('button', { name: 'Ben Okafor' });
    await name.click();
    await card(page).getByText('@ben').waitFor();
    await card(page)
      .getByText(/Local time: \w{3},? \d\d:\d\d/)
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'detached' });
    expect(await hasFocus(name)).toBe(true);
    await message(page, 'Hello,').getByText('BO').click();
    await card(page).getByText('@ben').waitFor();
    await page.keyboard.press('Escape');
    await message(page, 'Hello,').getByRole('button', { name: '@Aki Tanaka' }).click();
    await card(page).getByText('@aki').waitFor();
    await card(page).getByRole('link', { name: 'Edit profile' }).click();
    await heading(page, 'Settings');
    await card(page).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('leads to a direct message, also from the members, with the keyboard alone', async () => {
    const { path } = await web.room({ name: 'Cards 2', members: ['aki', 'dana'] });
    const { page, complaints } = await web.as('aki', path);
    await composerOf(page).waitFor();
    await showMembers(page);
    const pane = page.getByRole('complementary', { name: 'Members' });
    await pane.getByRole('button', { name: 'Dana Levi', exact: true }).focus();
    await page.keyboard.press('Enter');
    await card(page).getByRole('button', { name: 'Message' }).waitFor();
    await card(page).getByRole('button', { name: 'Message' }).press('Enter');
    await heading(page, 'Dana Levi');
    await card(page).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('opens from the pictures of notifications and threads, which do not follow the link', async () => {
    const { id, path } = await web.room({ name: 'Cards 4', members: ['ben', 'aki'] });
    const { messages } = web.app.services;
    const [aki, ben] = await Promise.all([web.idOf('aki'), web.idOf('ben')]);
    const root = await messages.send({ room: id, author: aki, body: 'A thread with a picture' });
    await messages.send({ room: id, author: ben, body: 'A reply with a picture', replyTo: root });
    const { page, complaints } = await web.as('aki', path);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    const row = panel.locator('[data-notification]').filter({ hasText: 'A reply with a picture' });
    await row.getByText('BO', { exact: true }).click();
    await card(page).getByText('@ben').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'detached' });
    await row.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: /^Threads/ }).click();
    const thread = page.getByRole('link').filter({ hasText: 'A reply with a picture' });
    await thread.getByText('BO', { exact: true }).click();
    await card(page).getByText('@ben').waitFor();
    expect(new URL(page.url()).pathname).toBe('/threads');
    expect(complaints).toEqual([]);
  });

  it('opens from saved messages, the header of a direct room and the pictures below a thread', async () => {
    const { id, path } = await web.room({ name: 'Cards 5', members: ['ben', 'aki', 'dana'] });
    const { messages, saved } = web.app.services;
    const [aki, ben, dana] = await Promise.all(['aki', 'ben', 'dana'].map(web.idOf));
    const root = await messages.send({ room: id, author: ben ?? '', body: 'Worth keeping' });
    await messages.send({ room: id, author: dana ?? '', body: 'I agree', replyTo: root });
    const { threadTs, ts } = root;
    for (const user of [aki ?? '', dana ?? ''])
      await saved.save({ user, room: id, threadTs, ts }, { visibility: 'PUBLIC' }, { known: false });
    const { page, complaints } = await web.as('aki', path);
    const closed = async () => {
      await page.keyboard.press('Escape');
      await card(page).waitFor({ state: 'detached' });
    };
    await message(page, 'Worth keeping').getByText('DL', { exact: true }).click();
    await card(page).getByText('@dana').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    // From the card of who saved it to that of who wrote it, which is in the same place.
    const author = card(page).getByRole('button', { name: 'Ben Okafor' });
    await author.focus();
    await page.keyboard.press('Enter');
    await card(page).getByText('@ben').waitFor();
    expect(await findings(page)).toEqual([]);
    await closed();

    await page.getByRole('link', { name: 'Saved', exact: true }).click();
    const row = page.getByRole('article').filter({ hasText: 'Worth keeping' });
    await row.getByRole('button', { name: 'Ben Okafor' }).focus();
    await page.keyboard.press('Enter');
    await card(page).getByText('@ben').waitFor();
    await closed();
    expect(await hasFocus(row.getByRole('button', { name: 'Ben Okafor' }))).toBe(true);
    await row.getByText('BO', { exact: true }).click();
    await card(page).getByRole('button', { name: 'Message' }).click();

    const title = page.getByRole('heading', { name: 'Ben Okafor', level: 1 }).getByRole('button');
    await title.focus();
    await page.keyboard.press('Enter');
    await card(page).getByText('@ben').waitFor();
    expect(await findings(page)).toEqual([]);
    await closed();
    await page.getByRole('main').locator('header').getByText('BO', { exact: true }).click();
    await card(page).getByText('@ben').waitFor();
    expect(complaints).toEqual([]);
  });

  it('requests a picture only when the card is open, and shows initials if there is none', async () => {
    const { id, path } = await web.room({ name: 'Cards 3', members: ['chie', 'aki'] });
    const chie = await web.idOf('chie');
    await web.app.services.users.update(chie, { avatarUrl: 'https://pictures.example/chie.svg' });
    await web.app.services.messages.send({ room: id, author: chie, body: 'Look at me.' });
    const { page, complaints } = await web.as('aki', '/settings');
    // Signing in ends before the next page is opened.
    await heading(page, 'Settings');
    let requests = 0;
    await page.route('https://pictures.example/**', (route) => {
      requests++;
      return requests === 1
        ? route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
        : route.fulfill({ status: 404 });
    });
    await page.goto(`${web.app.url}${path}`);
    await message(page, 'Look at me.').waitFor();
    expect(requests).toBe(0);
    const name = message(page, 'Look at me.').getByRole('button', { name: 'Chie Mori' });
    await name.click();
    await card(page).locator('img').waitFor();
    expect(await card(page).locator('img').getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(requests).toBe(1);
    expect(complaints.filter(isUnexpected)).toEqual([]);
  });
});
