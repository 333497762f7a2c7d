import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { composerOf } from './support/pages.ts';
import { operationOf, refuse } from './support/requests.ts';
import { heading, useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, search and waitlists', () => {
  const web = useRooms();

  it('mentions: a member that the client has not read yet is found by the beginning of their handle', async () => {
    const { id: room, path } = await web.room({ name: 'Crowd', members: ['aki'] });
    const { users, rooms } = web.app.services;
    const crowd = await Promise.all(
      Array.from({ length: 130 }, async (_, i) => {
        const handle = `crowd_${i + 100}`;
        const id = await users.ensure({ sub: handle, handle, name: `Person ${i}` });
        await rooms.join(id, room);
        return { id, handle };
      }),
    );
    // Members are read by id, 100 at a time.
    const last = crowd.sort((a, b) => (a.id < b.id ? -1 : 1)).at(-1)?.handle ?? '';
    const aki = await web.as('aki', path);
    await composerOf(aki.page).pressSequentially(`Hello @${last}`);
    await aki.page.getByRole('option', { name: `@${last}` }).waitFor();
    expect(await findings(aki.page)).toEqual([]);
    await aki.page.keyboard.press('Enter');
    expect(await composerOf(aki.page).inputValue()).toBe(`Hello @${last} `);
    expect(aki.complaints).toEqual([]);
  });

  it('invite: offers the waitlist of a full room, shows the place, and opens the room with the seat', async () => {
    const { rooms, users } = web.app.services;
    const [aki, ben] = [users.idOf('aki'), users.idOf('ben')];
    const made = { name: 'Small', topic: null, visibility: 'PRIVATE', capacity: 2 } as const;
    const { id: room } = await rooms.create(aki, made);
    await rooms.add({ by: aki, room, user: ben });
    const { code } = await rooms.createInvite({ by: aki, room, seconds: 600, maxUses: null });
    const chie = await web.as('chie', `/invite/${code}`);
    await chie.page.getByRole('button', { name: 'Accept invitation' }).click();
    await chie.page.getByRole('heading', { name: 'This room is full' }).waitFor();
    expect(await findings(chie.page)).toEqual([]);
    await chie.page.getByRole('button', { name: 'Join waitlist' }).click();
    await chie.page.getByText('You’re next on the waitlist').waitFor();

    // From anywhere, it is above the public rooms, and can be left there.
    await chie.page.goto(web.app.url);
    const browse = chie.page.getByRole('button', { name: 'Browse rooms' });
    const dialog = chie.page.getByRole('dialog', { name: 'Browse rooms' });
    const waiting = dialog.getByRole('list', { name: 'Waiting for a seat' });
    await browse.click();
    await waiting.getByText('You’re next on the waitlist').waitFor();
    await waiting.getByText('1 person waiting').waitFor();
    expect(await findings(chie.page)).toEqual([]);
    await waiting.getByRole('button', { name: 'Leave waitlist for Small' }).click();
    // The dialog, which is still open, does not hide it from screen readers.
    await chie.page.getByRole('status').filter({ hasText: 'left the waitlist for Small' }).waitFor();
    await waiting.waitFor({ state: 'detached' });
    await chie.page.goto(`${web.app.url}/invite/${code}`);
    await chie.page.getByRole('button', { name: 'Accept invitation' }).click();
    await chie.page.getByRole('button', { name: 'Join waitlist' }).click();
    await chie.page.getByText('You’re next on the waitlist').waitFor();

    // After a reload, the seat is still announced as one that the viewer waited for.
    await chie.page.goto(web.app.url);
    await browse.click();
    await waiting.getByText('You’re next on the waitlist').waitFor();
    await rooms.leave(ben, room);
    await chie.page.getByText('A seat opened up: you’re now in Small.').waitFor();
    await waiting.getByRole('button', { name: 'Open Small' }).click();
    await composerOf(chie.page).waitFor();
    expect(chie.complaints).toEqual([]);
  });

  it('waitlist: who is banned, or waits for a room that is deleted, sees that', async () => {
    const aki = await web.idOf('aki');
    const { id: banned, path } = await web.room({ name: 'Yawl', capacity: 1, members: ['aki'] });
    const { page, complaints } = await web.as('dana', path);
    const wait = async (name: string) => {
      await page.getByRole('button', { name: `Join waitlist for ${name}` }).click();
      await page.getByText('You’re next on the waitlist').waitFor();
    };
    await wait('Yawl');
    await web.app.services.rooms.ban({ by: aki, room: banned, user: await web.idOf('dana') });
    await page
      .getByRole('status')
      .filter({ hasText: 'You’re no longer on the waitlist for Yawl.' })
      .waitFor();
    expect(await findings(page)).toEqual([]);

    const gone = await web.room({ name: 'Ketch', capacity: 1, members: ['aki'] });
    await page.goto(`${web.app.url}${gone.path}`);
    await wait('Ketch');
    await web.app.services.roomDeletion.deleteRoom(aki, gone.id);
    await page.getByRole('heading', { name: 'Ketch isn’t available any more.' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('preview: keeps the room while the connection is lost', async () => {
    for (const [name, capacity, button] of [
      ['Dinghy', 5, 'Join Dinghy'],
      ['Canoe', 1, 'Leave waitlist for Canoe'],
    ] as const) {
      const { id, path } = await web.room({ name, capacity, members: ['aki'] });
      const dana = await web.as('dana', path);
      if (capacity === 1) await dana.page.getByRole('button', { name: `Join waitlist for ${name}` }).click();
      await dana.page.getByRole('button', { name: button }).waitFor();
      await refuse(dana.page, operationOfButton[capacity], { code: 'OFFLINE' });
      await refuse(dana.page, 'Room', { code: 'OFFLINE' });
      const failed = () =>
        dana.page.waitForEvent('requestfailed', (request) => operationOf(request) === 'Room');
      const first = failed();
      await dana.page.getByRole('button', { name: button }).click();
      await first;
      // The first failure is shown when the second attempt is made.
      await failed();
      await heading(dana.page, name);
      expect(await dana.page.getByText('doesn’t exist').count()).toBe(0);
      await dana.page.unroute('**/graphql');
      await web.app.services.rooms.update(await web.idOf('aki'), id, { name: `${name} 2` });
      await heading(dana.page, `${name} 2`);
    }
  });
});

const operationOfButton = { 1: 'LeaveRoom', 5: 'JoinRoom' } as const;
