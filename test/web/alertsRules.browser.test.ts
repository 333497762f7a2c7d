import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { ALLOWED, alertWindows } from './support/alertWindows.ts';
import { comesTo, totalOf } from './support/pages.ts';
import { delay, held, operationOf } from './support/requests.ts';
import { useRooms } from './support/rooms.ts';

describe.skipIf(!browserAvailable)('web, what alerts', () => {
  const web = useRooms();
  const { window, say, send, write, turnOn, looked } = alertWindows(web);
  const mention = (title: string, name: string) => ({ title, body: `${name} mentioned you` });

  it('what was chosen for a room: nothing of one, and mentions of a muted one', async () => {
    const quiet = await web.room({ name: 'Quiet room', members: ['ben', 'aki'] });
    const muted = await web.room({ name: 'Muted room', members: ['ben', 'aki'] });
    const id = await web.idOf('ben');
    const { deliverySettings, readPositions } = web.app.services;
    await deliverySettings.setRoom(id, quiet.id, 'NOTHING');
    await deliverySettings.setRoom(id, muted.id, 'MENTIONS');
    await readPositions.mute(id, muted.id, true);
    const ben = await window({ as: 'ben', path: quiet.path, ...ALLOWED });
    await turnOn(ben);
    await ben.lookAway();
    const isLooked = looked(ben.page);
    await send(quiet.id, 'aki', '@ben A whisper.');
    await isLooked;
    await send(muted.id, 'aki', '@ben A shout.');
    await comesTo(() => ben.shown(), [mention('Muted room', 'Aki Tanaka')]);
    await comesTo(() => ben.sounds(), 1);
    expect(ben.complaints).toEqual([]);
  });

  it('a direct message stays until it is read, also if other things are', async () => {
    const { id, path } = await web.room({ name: 'Mill', members: ['dana', 'aki'] });
    const dana = await window({ as: 'dana', path, ...ALLOWED });
    await turnOn(dana);
    await dana.lookAway();
    const pair = await write('chie', 'dana', 'Are you there?');
    const direct = { title: 'Chie Mori', body: 'New message' };
    await comesTo(() => dana.shown(), [direct]);
    await send(id, 'aki', '@dana Flour.');
    await comesTo(() => dana.shown(), [direct, mention('Mill', 'Aki Tanaka')]);
    const user = await web.idOf('dana');
    await web.app.services.readPositions.markRead(user, id);
    await comesTo(() => dana.shown(), [direct]);
    await web.app.services.readPositions.markRead(user, pair);
    await comesTo(() => dana.shown(), []);
    expect(dana.complaints).toEqual([]);
  });

  it('a second message of the same person is seen, although it replaces the first', async () => {
    const { path } = await web.room({ name: 'Pond', members: ['chie'] });
    const chie = await window({ as: 'chie', path, ...ALLOWED });
    await turnOn(chie);
    await chie.lookAway();
    await write('aki', 'chie', 'One duck.');
    await comesTo(() => chie.banners(), 1);
    await write('aki', 'chie', 'Two ducks.');
    await comesTo(() => chie.banners(), 2);
    expect(await chie.shown()).toHaveLength(1);
    expect(chie.complaints).toEqual([]);
  });

  it('a direct message that is marked as unread is not new', async () => {
    const { id, path } = await web.room({ name: 'Well', members: ['ben', 'aki'] });
    const [user, author] = [await web.idOf('ben'), await web.idOf('chie')];
    const { messages, readPositions, rooms } = web.app.services;
    const pair = await rooms.openDirect(author, [user]);
    const { ts } = await messages.send({ room: pair.id, author, body: 'A bucket.' });
    const ben = await window({ as: 'ben', path, ...ALLOWED });
    await turnOn(ben);
    await ben.lookAway();
    const link = ben.page.locator(`nav a[href="/rooms/${encodeURIComponent(encodeId('Room', pair.id))}"]`);
    const isUnread = async () => ((await link.textContent()) ?? '').includes('unread');
    const unreadAgain = async () => {
      await readPositions.markUnread(user, { room: pair.id, threadTs: ts, ts });
      await comesTo(isUnread, true);
    };
    await comesTo(isUnread, true);
    await readPositions.markRead(user, pair.id);
    await comesTo(isUnread, false);
    await unreadAgain();
    await readPositions.markRead(user, pair.id);
    await comesTo(isUnread, false);
    // The page does not know any more what was read.
    const loaded = ben.page.waitForResponse(/\/assets\/Alerts-/);
    const begun = looked(ben.page);
    await ben.page.reload();
    await ben.page.locator('#main textarea').click();
    await Promise.all([loaded, begun]);
    await ben.lookAway();
    await unreadAgain();
    await send(id, 'aki', '@ben A rope.');
    await comesTo(() => ben.shown(), [mention('Well', 'Aki Tanaka')]);
    expect(ben.complaints).toEqual([]);
  });

  it('a direct message that is read elsewhere before the page knows its room does not alert', async () => {
    const { id, path } = await web.room({ name: 'Dock', members: ['dana', 'aki'] });
    // Nothing else changes the total.
    await web.app.quiet();
    const dana = await window({ as: 'dana', path, ...ALLOWED });
    await turnOn(dana);
    await dana.lookAway();
    const total = () => totalOf(dana.page);
    const before = await total();
    const gate = held();
    const isAsked = dana.page.waitForRequest((request) => operationOf(request) === 'Memberships');
    await delay(dana.page, 'Memberships', gate.promise);
    const pair = await write('ben', 'dana', 'Low tide.');
    await isAsked;
    // Being added is in the bell, and stays there.
    await comesTo(total, before + 2);
    await web.app.services.readPositions.markRead(await web.idOf('dana'), pair);
    await comesTo(total, before + 1);
    const isLooked = looked(dana.page);
    gate.letGo();
    await isLooked;
    await send(id, 'aki', '@dana A rope.');
    await comesTo(async () => (await dana.shown()).at(-1), mention('Dock', 'Aki Tanaka'));
    await comesTo(() => dana.sounds(), 1);
    expect(await dana.shown()).toHaveLength(1);
    expect(dana.complaints).toEqual([]);
  });

  it('a phone, where a page can show no notifications: is not asked about them', async () => {
    const { path } = await web.room({ name: 'Lane', members: ['dana'] });
    const userAgent =
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
    const dana = await window({ as: 'dana', path, userAgent, permission: 'default' });
    const { page } = dana;
    // The second one is sent after the first one is stored, when the page would ask.
    await say(page, 'The first one');
    await say(page, 'The second one');
    expect(await page.getByRole('region', { name: 'Turn on notifications?' }).count()).toBe(0);
    await page.goto(`${web.app.url}/settings`);
    await page.getByRole('switch', { name: 'Sound', exact: true }).waitFor();
    expect(await page.getByRole('switch', { name: 'Desktop notifications' }).count()).toBe(0);
    expect(dana.complaints).toEqual([]);
  });

  it('a phone on its side: the whole question can be reached', async () => {
    const { path } = await web.room({ name: 'Ramp', members: ['dana'] });
    const look = { viewport: { width: 844, height: 390 }, permission: 'default' } as const;
    const { page } = await window({ as: 'dana', path, ...look });
    await say(page, 'The first one');
    const question = page.getByRole('region', { name: 'Turn on notifications?' });
    await question.waitFor();
    const { height = 0 } = (await question.boundingBox()) ?? {};
    expect(height).toBeLessThanOrEqual(0.4 * look.viewport.height + 1);
    await question.getByRole('button', { name: 'Not now' }).click();
    await question.waitFor({ state: 'detached' });
  });
});
