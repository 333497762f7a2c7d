import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { browserAvailable } from '../support/browser.ts';
import {
  BROWSER_TIMEOUT,
  comesTo,
  message,
  open,
  startWeb,
  totalOf,
  unreadIn,
  useBrowser,
} from './support.ts';

const MESSAGES = 240;

describe.skipIf(!browserAvailable)('a long room', { timeout: BROWSER_TIMEOUT }, () => {
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
  const as = (handle: string) => open({ browser: browser(), url: app.url, as: handle });

  it('opens at the first unread message, reads only what was on the screen, and jumps to the newest', async () => {
    const aki = await as('aki');
    await comesTo(() => unreadIn(aki.page, 'Archive'), MESSAGES);
    await aki.openRoom('Archive');
    await message(aki.page, 'Entry 1.').waitFor();
    await aki.page.getByText('New', { exact: true }).waitFor();
    await expect.poll(() => unreadIn(aki.page, 'Archive'), { timeout: 10_000 }).toBeLessThan(MESSAGES);
    const left = await unreadIn(aki.page, 'Archive');
    expect(left).toBeGreaterThan(MESSAGES - 40);

    // Who jumps over messages has not read them.
    await aki.page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(aki.page, `Entry ${MESSAGES}.`).waitFor();
    expect(await unreadIn(aki.page, 'Archive')).toBe(left);
    await aki.page.getByRole('button', { name: /Jump to first unread/ }).click();
    await message(aki.page, 'Entry 1.').waitFor();
    await aki.page.getByText('New', { exact: true }).waitFor();
    await aki.page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(aki.page, `Entry ${MESSAGES}.`).waitFor();
    await aki.page.getByRole('button', { name: /Jump to first unread/ }).waitFor();
    await aki.page.getByRole('button', { name: 'Mark all as read' }).click();
    await comesTo(() => unreadIn(aki.page, 'Archive'), 0);

    // What comes now is read as it comes.
    const { services } = app;
    const next = MESSAGES + 1;
    await services.messages.send({ room, author: services.users.idOf('ben'), body: `Entry ${next}.` });
    await message(aki.page, `Entry ${next}.`).waitFor();
    // The server is asked: in the page the badge may not have grown yet.
    await comesTo(() => unreadOnServer(), 0);
    await comesTo(() => unreadIn(aki.page, 'Archive'), 0);

    // And unread again from where one likes.
    const kept = message(aki.page, `Entry ${next - 3}.`);
    await kept.focus();
    await kept.press('u');
    await comesTo(() => unreadIn(aki.page, 'Archive'), 4);
    expect(await totalOf(aki.page)).toBeGreaterThanOrEqual(4);
    expect(aki.complaints).toEqual([]);
  });
});
