import type { Page } from 'playwright-core';
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
/** So many rows are in the page at most, however many messages were read. */
const ROWS = 60;

const rows = (page: Page) => page.getByRole('article').count();
/** Scrolls as a wheel does; resolves when what is there now has been drawn. */
const scroll = (page: Page, by: number) =>
  page.evaluate(`(async () => {
    document.querySelector('[role=log]').scrollBy(0, ${by});
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  })()`);

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
    for (let number = 1; number <= MESSAGES; number += 10) {
      const bodies = Array.from({ length: 10 }, (_, index) => `Entry ${number + index}.`);
      for (const body of bodies) await services.messages.send({ room, author: ids.ben, body });
    }
  });
  afterAll(() => app?.stop());
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
    await aki.page.getByRole('button', { name: /Jump to first unread/ }).waitFor();
    expect(await unreadIn(aki.page, 'Archive')).toBe(left);
    await aki.page.getByRole('button', { name: 'Mark all as read' }).click();
    await comesTo(() => unreadIn(aki.page, 'Archive'), 0);

    // And unread again from where one likes.
    const kept = message(aki.page, `Entry ${MESSAGES - 3}.`);
    await kept.focus();
    await kept.press('u');
    await comesTo(() => unreadIn(aki.page, 'Archive'), 4);
    expect(await totalOf(aki.page)).toBeGreaterThanOrEqual(4);
    expect(aki.complaints).toEqual([]);
  });

  it('scrolls back to its beginning and on to its end, with few rows in the page', async () => {
    const ben = await as('ben');
    await ben.openRoom('Archive');
    await message(ben.page, `Entry ${MESSAGES}.`).waitFor();
    let most = 0;
    const seen = new Set<number>();
    const look = async () => {
      const texts = await ben.page.getByRole('article').allTextContents();
      most = Math.max(most, texts.length);
      for (const text of texts) seen.add(Number(/Entry (\d+)\./.exec(text)?.[1]));
    };
    for (let turn = 0; turn < 400 && !seen.has(1); turn++) {
      await scroll(ben.page, -450);
      await look();
    }
    expect(seen.has(1)).toBe(true);
    expect(most).toBeLessThan(ROWS);
    for (let turn = 0; turn < 400; turn++) {
      await scroll(ben.page, 450);
      await look();
      if (!(await ben.page.getByRole('button', { name: 'Jump to newest' }).isVisible())) break;
    }
    expect(await message(ben.page, `Entry ${MESSAGES}.`).isVisible()).toBe(true);
    expect(most).toBeLessThan(ROWS);
    expect(await rows(ben.page)).toBeLessThan(ROWS);
    expect(ben.complaints).toEqual([]);
  });
});
