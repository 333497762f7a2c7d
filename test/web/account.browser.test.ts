import { describe, expect, it } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { composerOf, message } from './support/pages.ts';
import { useRooms } from './support/rooms.ts';

/** The page reads the rooms again when the memberships end, and may be refused before it is signed out. */
const isUnexpected = (complaint: string): boolean => !complaint.includes('status of 403');

describe.skipIf(!browserAvailable)('web, account', () => {
  const web = useRooms();

  it('delete account: after the own handle was typed; others see a former member, in their language', async () => {
    const { id, path } = await web.room({ name: 'Attic', members: ['ben', 'aki'] });
    const [aki, ben] = [await web.idOf('aki'), await web.idOf('ben')];
    const { messages } = web.app.services;
    const root = await messages.send({ room: id, author: aki, body: 'Good bye, all.' });
    await messages.send({ room: id, author: ben, body: 'Why?', replyTo: root });
    const { page, complaints } = await web.as('aki', path);
    await composerOf(page).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel(/^Type “aki”/).fill('ben');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByRole('alert').getByText('That doesn’t match.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await web.app.dynamo.get(keys.user(aki))).not.toHaveProperty('deletedAt');
    await dialog.getByLabel(/^Type “aki”/).fill('@Aki');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('alert').getByText('This account was deleted.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(complaints.filter(isUnexpected)).toEqual([]);

    const other = await web.as('ben', path);
    await message(other.page, 'Good bye, all.').getByText('Former member').waitFor();
    await other.page.getByRole('button', { name: 'Account' }).click();
    await other.page.getByRole('menuitem', { name: '日本語' }).click();
    await message(other.page, 'Good bye, all.').getByText('退会したユーザー').waitFor();
    await other.page.getByRole('button', { name: 'アカウント' }).click();
    await other.page.getByRole('menuitem', { name: 'アカウントを削除…' }).click();
    await other.page.getByLabel('自分のメッセージの本文もすべて消去する').check();
    expect(await findings(other.page)).toEqual([]);
    await other.page.getByLabel(/「ben」/).fill('ben');
    await other.page.getByRole('button', { name: 'アカウントを削除' }).click();
    await other.page.getByRole('alert').getByText('このアカウントは削除されています。').waitFor();
    expect(other.complaints.filter(isUnexpected)).toEqual([]);
  });
});
