import { describe, expect, it } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { decodeId, encodeId } from '../../src/graphql/ids.ts';
import { type Message, messageId } from '../../src/messages/message.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, roomLink, totalOf, unreadIn } from './support/pages.ts';
import { operationOf } from './support/requests.ts';
import { heading, memberMenu, roomMenu, useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, rooms', () => {
  const web = useRooms();

  it('create room: requires a name; muted rooms do not count in the total', async () => {
    await web.app.quiet();
    const aki = await web.as('aki');
    await aki.page.getByRole('button', { name: 'Create room' }).click();
    const dialog = aki.page.getByRole('dialog', { name: 'Create room' });
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
    const ben = await web.idOf('ben');
    await web.app.services.rooms.join(ben, id);
    await roomMenu(aki.page, 'Mute');
    await roomLink(aki.page, 'Greenhouse').getByText('muted').waitFor();
    // No one reads it meanwhile.
    await aki.page.getByRole('link', { name: 'Tsudoi' }).click();
    const before = await totalOf(aki.page);
    await web.app.services.messages.send({ room: id, author: ben, body: 'They are ripe.' });
    await comesTo(() => unreadIn(aki.page, 'Greenhouse'), 1);
    expect(await totalOf(aki.page)).toBe(before);
    // Unmuted on another device.
    await web.app.services.readPositions.mute(await web.idOf('aki'), id, false);
    await comesTo(() => totalOf(aki.page), before + 1);
    await roomLink(aki.page, 'Greenhouse').getByText('muted').waitFor({ state: 'detached' });
    expect(aki.complaints).toEqual([]);
  });

  it('room settings: apply live, and explain too few seats and a leaving last owner', async () => {
    const { path } = await web.room({ name: 'Attic', members: ['aki', 'ben'] });
    const [aki, ben] = await Promise.all([web.as('aki', path), web.as('ben', path)]);
    for (const { page } of [aki, ben]) await composerOf(page).waitFor();
    await roomMenu(aki.page, 'Room settings');
    const dialog = aki.page.getByRole('dialog', { name: 'Room settings' });
    await dialog.getByLabel('Name').fill('   ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('Enter a name for the room.').waitFor();
    await dialog.getByLabel('Name').fill('Loft');
    await dialog.getByLabel('Member limit').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('The room has more members than that.').waitFor();
    expect(await findings(aki.page)).toEqual([]);
    await dialog.getByLabel('Member limit').fill('2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await heading(ben.page, 'Loft');
    await roomLink(ben.page, 'Loft').waitFor();

    await roomMenu(aki.page, 'Leave room');
    const last = aki.page.getByRole('alertdialog', { name: 'You’re the last owner of Loft' });
    await last.getByRole('button', { name: 'Choose an owner' }).click();
    await memberMenu(aki.page, 'Ben Okafor');
    await aki.page.getByRole('menuitemradio', { name: 'Owner' }).click();
    const bens = aki.page.getByRole('complementary', { name: 'Members' }).getByRole('listitem');
    await bens.filter({ hasText: '@ben' }).getByText('Owner', { exact: true }).waitFor();
    await roomMenu(aki.page, 'Leave room');
    const sent: unknown[] = [];
    aki.page.on('request', (request) => operationOf(request) === 'LeaveRoom' && sent.push(request.url()));
    await aki.page.getByRole('alertdialog').getByRole('button', { name: 'Leave room' }).dblclick();
    await roomLink(aki.page, 'Loft').waitFor({ state: 'detached' });
    expect(sent).toHaveLength(1);
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('seats: members see that others wait for one, beside the members and the limit', async () => {
    const { id, path } = await web.room({ name: 'Raft', capacity: 2, members: ['aki', 'ben'] });
    await web.app.services.rooms.joinOrWait(await web.idOf('dana'), id);
    const aki = await web.as('aki', `${path}/members`);
    const pane = aki.page.getByRole('complementary', { name: 'Members' });
    await pane.getByText('Full, 2 of 2 · 1 person waiting').waitFor();
    expect(await findings(aki.page)).toEqual([]);
    await web.app.services.rooms.joinOrWait(await web.idOf('chie'), id);
    await roomMenu(aki.page, 'Room settings');
    const dialog = aki.page.getByRole('dialog', { name: 'Room settings' });
    await dialog.getByText('Full, 2 of 2 · 2 people waiting').waitFor();
    expect(await findings(aki.page)).toEqual([]);
    expect(aki.complaints).toEqual([]);
  });

  it('delete room: by owners, after its name was typed; others see that it is gone', async () => {
    const { id, path } = await web.room({ name: 'Attic', members: ['aki', 'ben'] });
    const ben = await web.as('ben', path);
    await composerOf(ben.page).waitFor();
    const aki = await web.as('aki', path);
    await composerOf(aki.page).waitFor();
    await roomMenu(aki.page, 'Delete room');
    const dialog = aki.page.getByRole('dialog', { name: 'Delete Attic?' });
    await dialog.getByLabel(/^Type the room’s name/).fill('Cellar');
    await dialog.getByRole('button', { name: 'Delete room' }).click();
    await dialog.getByRole('alert').getByText('That isn’t the room’s name.').waitFor();
    expect(await findings(aki.page)).toEqual([]);
    expect(await web.app.dynamo.get(keys.room(id))).toBeDefined();
    await dialog.getByLabel(/^Type the room’s name/).fill('Attic');
    await dialog.getByRole('button', { name: 'Delete room' }).click();
    await aki.page.getByText('You deleted Attic.').waitFor();
    for (const { page } of [aki, ben]) await roomLink(page, 'Attic').waitFor({ state: 'detached' });
    await ben.page.getByText('You’re no longer in Attic.').first().waitFor();
    await ben.page.getByText('or the room was deleted.').waitFor();
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('room page: opens a linked thread or message after the viewer has joined', async () => {
    const { id, path } = await web.room({ name: 'Attic', members: ['aki'] });
    const say = async (body: string, replyTo?: Message) => {
      const sending = { room: id, author: await web.idOf('aki'), body };
      return web.app.services.messages.send(replyTo === undefined ? sending : { ...sending, replyTo });
    };
    const root = await say('What is in the chest?');
    const reply = await say('Winter coats.', root);
    const linkTo = (message: Message) => encodeURIComponent(encodeId('Message', messageId(message)));
    const links = { ben: `${path}/threads/${linkTo(root)}`, dana: `${path}/messages/${linkTo(reply)}` };
    for (const [handle, link] of Object.entries(links)) {
      const { page, complaints } = await web.as(handle, link);
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
    for (const name of names) await web.room({ name, members: ['dana'] });
    const ben = await web.as('ben');
    const directory = ben.page.getByRole('dialog', { name: 'Browse rooms' });
    const halls = async () => {
      const shown = await directory.locator('strong').allTextContents();
      return shown.filter((name) => name.startsWith('Hall')).sort();
    };
    for (const late of ['Hall of the first', 'Hall of the last']) {
      await web.room({ name: late, members: ['dana'] });
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
