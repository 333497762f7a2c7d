import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ranges } from '../../src/dynamo/keys.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { comesTo, message, type Opening, open, startWeb, totalOf, unreadIn } from './support/pages.ts';

const MESSAGES = 240;
const SAME_FRAMES = 30;

describe.skipIf(!browserAvailable)('web, a long room', () => {
  const browser = useBrowser();
  let app: TestApp;
  let room: string;
  beforeAll(async () => {
    app = await startWeb();
    const { services } = app;
    const ids = { aki: services.users.idOf('aki'), ben: services.users.idOf('ben') };
    const made = { name: 'Archive', topic: null, visibility: 'PUBLIC', capacity: null } as const;
    room = (await services.rooms.create(ids.ben, made)).id;
    await services.rooms.join(ids.aki, room);
    for (let number = 1; number <= MESSAGES; number++) {
      await services.messages.send({ room, author: ids.ben, body: `Entry ${number}.` });
    }
  });
  afterAll(() => app?.stop());
  const unreadOnServer = async () => {
    const { services } = app;
    const { rooms } = await services.unread.state(services.users.idOf('aki'));
    return rooms.find(({ membership }) => membership.room === room)?.unreadCount ?? 0;
  };
  const as = (handle: string, other: Partial<Opening> = {}) =>
    open({ browser: browser(), url: app.url, as: handle, ...other });

  it('timeline: opens at the first unread message, and reads only what was on the screen', async () => {
    const aki = await as('aki');
    await comesTo(() => unreadIn(aki.page, 'Archive'), MESSAGES);
    await aki.openRoom('Archive');
    await message(aki.page, 'Entry 1.').waitFor();
    await aki.page.getByText('New', { exact: true }).waitFor();
    await comesTo(async () => (await unreadOnServer()) + (await lastOnScreen(aki.page)), MESSAGES);
    const left = MESSAGES - (await lastOnScreen(aki.page));
    expect(left).toBeGreaterThan(MESSAGES - 40);
    await comesTo(() => unreadIn(aki.page, 'Archive'), left);

    // Messages that were jumped over are not read.
    await aki.page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(aki.page, `Entry ${MESSAGES}.`).waitFor();
    expect(await unreadOnServer()).toBe(left);
    await aki.page.getByRole('button', { name: /Jump to first unread/ }).click();
    await message(aki.page, 'Entry 1.').waitFor();
    await aki.page.getByText('New', { exact: true }).waitFor();
    await aki.page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(aki.page, `Entry ${MESSAGES}.`).waitFor();
    await aki.page.getByRole('button', { name: /Jump to first unread/ }).waitFor();
    await aki.page.getByRole('button', { name: 'Mark all as read' }).click();
    await comesTo(() => unreadIn(aki.page, 'Archive'), 0);

    // New messages are read as they arrive.
    const { services } = app;
    const next = MESSAGES + 1;
    await services.messages.send({ room, author: services.users.idOf('ben'), body: `Entry ${next}.` });
    await message(aki.page, `Entry ${next}.`).waitFor();
    // Checked on the server, because the badge in the page may not have grown yet.
    await comesTo(() => unreadOnServer(), 0);
    await comesTo(() => unreadIn(aki.page, 'Archive'), 0);

    // And it can be marked as unread from any message.
    const kept = message(aki.page, `Entry ${next - 3}.`);
    await kept.focus();
    await kept.press('u');
    await comesTo(() => unreadIn(aki.page, 'Archive'), 4);
    await eventually(async () => expect(await totalOf(aki.page)).toBeGreaterThanOrEqual(4));
    expect(aki.complaints).toEqual([]);
  });

  it('timeline: keeps its place while a thread covers it in a narrow window, and Back closes the thread', async () => {
    const look = { viewport: { width: 800, height: 700 } };
    const { page, openRoom, complaints } = await as('ben', { look });
    await openRoom('Archive');
    await message(page, `Entry ${MESSAGES}.`).focus();
    for (let up = 0; up < 40; up++) await page.keyboard.press('ArrowUp');
    const timeline = page.getByRole('log', { name: /Archive/ });
    const kept = timeline.getByRole('article').filter({ hasText: `Entry ${MESSAGES - 40}.` });
    const isOnScreen = () =>
      kept.evaluate((element) => {
        const { top } = element.getBoundingClientRect();
        return element === document.activeElement && top > 0 && top < innerHeight;
      });
    await comesTo(isOnScreen, true);
    const top = await settled(page, async () => (await kept.boundingBox())?.y);

    await page.keyboard.press('t');
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
    await kept.waitFor({ state: 'hidden' });
    await page.goBack();
    await page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    expect(await settled(page, async () => (await kept.boundingBox())?.y)).toBe(top);
    expect(complaints).toEqual([]);
  });

  it('timeline: catches up after the event log has expired, and marks all as read', async () => {
    const MISSED = 60;
    const { services, dynamo } = app;
    const ids = { aki: services.users.idOf('aki'), ben: services.users.idOf('ben') };
    await services.readPositions.markRead(ids.aki, room);
    const aki = await as('aki', { fresh: {} });
    await aki.openRoom('Archive');
    const before = await services.messages.send({ room, author: ids.ben, body: 'Before the tunnel.' });
    await message(aki.page, 'Before the tunnel.').waitFor();
    await comesTo(unreadOnServer, 0);

    await aki.page.context().setOffline(true);
    await aki.page.getByText('Connection lost').waitFor();
    await services.messages.edit(ids.ben, before, 'Before the *long* tunnel.');
    await services.rooms.update(ids.ben, room, { name: 'Attic' });
    for (let number = 1; number <= MISSED; number++) {
      await services.messages.send({ room, author: ids.ben, body: `In the tunnel, ${number}.` });
    }
    await comesTo(unreadOnServer, MISSED);
    await app.quiet();
    // As after thirty days: the log has expired, and the room has to be read again.
    const { items } = await dynamo.query(ranges.log(room, 1, 10_000), { limit: 10_000 });
    for (const { pk, sk } of items) await dynamo.remove({ pk: String(pk), sk: String(sk) });
    await aki.page.context().setOffline(false);

    await message(aki.page, 'Before the long tunnel.').waitFor();
    await aki.page.getByRole('heading', { level: 1, name: 'Attic' }).waitFor();
    await aki.page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(aki.page, `In the tunnel, ${MISSED}.`).waitFor();
    // Messages that were jumped over are not read.
    expect(await unreadOnServer()).toBeGreaterThan(0);
    await aki.page.getByRole('button', { name: 'Mark all as read' }).click();
    await comesTo(() => unreadIn(aki.page, 'Attic'), 0);
    await services.messages.send({ room, author: ids.ben, body: 'Daylight.' });
    await message(aki.page, 'Daylight.').waitFor();
    await comesTo(unreadOnServer, 0);

    // A shorter outage: all of its messages are replayed, and they are more than fit on the screen.
    await aki.page.context().setOffline(true);
    await aki.page.getByText('Connection lost').waitFor();
    for (let number = 1; number <= MISSED / 2; number++) {
      await services.messages.send({ room, author: ids.ben, body: `In a short tunnel, ${number}.` });
    }
    await app.quiet();
    await aki.page.context().setOffline(false);
    await message(aki.page, `In a short tunnel, ${MISSED / 2}.`).waitFor();
    await aki.page.getByRole('button', { name: 'Jump to first unread' }).click();
    await message(aki.page, 'In a short tunnel, 1.').waitFor();
    await aki.page.getByText('New', { exact: true }).waitFor();
  });
});

/** The number of the last entry that is fully on the screen, with a tolerance of 24 pixels. */
const lastOnScreen = (page: Page): Promise<number> =>
  page.getByRole('log').evaluate((list) => {
    const { bottom } = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll('[data-message]')];
    const last = rows.findLast((row) => row.getBoundingClientRect().bottom <= bottom + 24);
    return Number(/Entry (\d+)\./.exec(last?.textContent ?? '')?.[1]);
  });

/** The value once it has been the same for 30 frames, however long they take: all rows have been measured by then. */
async function settled<T>(page: Page, read: () => Promise<T>): Promise<T> {
  let last = await read();
  for (let same = 0; same < SAME_FRAMES; ) {
    await page.evaluate('new Promise(requestAnimationFrame)');
    const now = await read();
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}
