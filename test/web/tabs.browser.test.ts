import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { messageId } from '../../src/messages/message.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import { composerOf, message, open, roomLink } from './support/pages.ts';
import { heading, useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, several tabs and links between them', () => {
  const rooms = useRooms();
  const browser = useBrowser();

  /** A user's account button, or the user on the sign-in page: both have the handle, and a name in a room has not. */
  const account = (name: string) => ({ name: new RegExp(`^${name}.*@`) });

  it('a new tab: begins with the user of the tab that was used last, and both sign out together', async () => {
    const { app } = rooms;
    const { page: aki, complaints } = await open({ browser: browser(), url: app.url, as: 'aki', fresh: {} });
    await roomLink(aki, 'Lobby').waitFor();
    const second = await aki.context().newPage();
    await second.goto(app.url);
    await second.getByRole('button', account('Aki')).waitFor();
    const ben = await aki.context().newPage();
    await ben.goto(`${app.url}/?as=ben`);
    await ben.getByRole('button', account('Ben')).waitFor();
    // For its tab only.
    await aki.reload();
    await aki.getByRole('button', account('Aki')).waitFor();
    await aki.bringToFront();

    await aki.getByRole('button', account('Aki')).click();
    await aki.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const page of [aki, second]) await page.getByRole('button', account('Dana')).waitFor();
    await ben.getByRole('button', account('Ben')).waitFor();
    expect(complaints).toEqual([]);
  });

  it('links: a message is shown as its room and words to those who may read it, and opens in place', async () => {
    const { app } = rooms;
    const { id } = await rooms.room({ name: 'Kitchen', members: ['aki', 'ben'] });
    const author = await rooms.idOf('aki');
    const key = await app.services.messages.send({ author, room: id, body: 'The **kettle** is on.\n\nTea?' });
    const path = `/rooms/${encodeURIComponent(encodeId('Room', id))}`;
    const link = `${app.url}${path}/messages/${encodeURIComponent(encodeId('Message', messageId(key)))}`;
    const [ben, dana] = [await rooms.as('ben'), await rooms.as('dana')];
    await ben.openRoom('Lobby');
    await dana.openRoom('Lobby');
    await composerOf(ben.page).fill(`Look: ${link}`);
    await composerOf(ben.page).press('Enter');
    await message(ben.page, 'Look')
      .getByRole('link', { name: '#Kitchen › The kettle is on. Tea?' })
      .waitFor();
    await message(dana.page, 'Look').getByRole('link', { name: link }).waitFor();
    await message(ben.page, 'Look').getByRole('link').click();
    // In the same page.
    await heading(ben.page, 'Kitchen');
    await composerOf(ben.page).waitFor();
    expect([...ben.complaints, ...dana.complaints]).toEqual([]);
  });
});
