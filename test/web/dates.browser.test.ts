import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { type LongRoom, makeLongRoom } from './support/longRoom.ts';
import { comesTo, message, open, roomLink, startWeb } from './support/pages.ts';
import { delay, held } from './support/requests.ts';

const MESSAGES = 400;
/** Two messages a day. */
const HALF_DAY_MICROS = 12 * 3_600_000_000;

const dayIn = (page: Page, at: Date): Promise<string> =>
  page.evaluate((ms) => {
    const date = new Date(ms);
    const two = (part: number) => String(part).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  }, at.getTime());

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Jump to a date' });
const pill = (page: Page) => page.getByRole('button', { name: /: jump to a date$/ });

/** Holds frames back until `releaseFrames` is called. */
const HOLD_FRAMES = `
  const request = requestAnimationFrame.bind(window);
  let waiting = [];
  window.requestAnimationFrame = (call) => (waiting === undefined ? request(call) : -waiting.push(call));
  window.releaseFrames = () => {
    for (const call of waiting) request(call);
    waiting = undefined;
  };
`;

describe.skipIf(!browserAvailable)('web, dates of a room', () => {
  const browser = useBrowser();
  let app: TestApp;
  let room: LongRoom;
  beforeAll(async () => {
    app = await startWeb();
    const options = { name: 'Years', messages: MESSAGES, author: 'ben', reader: 'aki' };
    room = await makeLongRoom(app, { ...options, apartMicros: HALF_DAY_MICROS });
  });
  afterAll(() => app?.stop());

  /** Opens the room at a message. */
  const at = (number: number) =>
    open({
      browser: browser(),
      url: app.url,
      as: 'aki',
      path: `/rooms/${room.id}/messages/${room.message(number)}`,
    });

  async function jumpTo(page: Page, day: string): Promise<void> {
    await dialog(page).getByLabel('Date').fill(day);
    await dialog(page).getByRole('button', { name: 'Jump', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
  }

  it('timeline: shows the day of the first message on the screen, which changes with scrolling', async () => {
    const { page, complaints } = await at(200);
    await message(page, 'Entry 200.').waitFor();
    await pill(page).waitFor();
    const before = await pill(page).textContent();
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -1_500);
    await comesTo(async () => (await pill(page).textContent()) !== before, true);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(page, `Entry ${MESSAGES}.`).waitFor();
    await pill(page).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('timeline: opens at a linked message if the first frame is late', async () => {
    const page = await freshWindow(browser());
    await page.addInitScript(HOLD_FRAMES);
    const pages = held();
    await delay(page, 'RoomPage', pages.promise);
    await page.goto(`${app.url}/rooms/${room.id}/messages/${room.message(200)}?as=aki`);
    await page.getByRole('article').first().waitFor();
    // Longer than the list waits for rows that are still added.
    await page.evaluate('new Promise((done) => setTimeout(done, 500))');
    const height = () => page.getByRole('log').evaluate((log) => log.scrollHeight);
    const before = await height();
    pages.letGo();
    await comesTo(async () => (await height()) > before + 2_000, true);
    await page.evaluate('releaseFrames()');
    await message(page, 'Entry 200.').waitFor();
    const top = async () => (await message(page, 'Entry 200.').boundingBox())?.y ?? 0;
    await comesTo(async () => (await top()) > 100 && (await top()) < 600, true);
  });

  it('jumpToDate: goes to the first message of a day, and shows it at the top', async () => {
    const { page, complaints } = await at(200);
    await message(page, 'Entry 200.').waitFor();
    await pill(page).click();
    await dialog(page).waitFor();
    expect(await findings(page)).toEqual([]);
    await jumpTo(page, await dayIn(page, room.sentAt(100)));
    // The first of that day is this message or the one before it.
    await message(page, 'Entry 100.').waitFor();
    await message(page, 'Entry 200.').waitFor({ state: 'detached' });
    const top = async () => {
      const box = await message(page, 'Entry 100.').boundingBox();
      const log = await page.getByRole('log').boundingBox();
      return box === null || log === null ? 1_000 : box.y - log.y;
    };
    await comesTo(async () => (await top()) > 0 && (await top()) < 300, true);
    expect(complaints).toEqual([]);
  });

  it('jumpToDate: is in the menu of the room, and goes to its beginning and to today', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await roomLink(page, 'Years').click();
    await page.getByRole('log').waitFor();
    const menu = async () => {
      await page.getByRole('button', { name: 'More about Years' }).click();
      await page.getByRole('menuitem', { name: 'Jump to a date…' }).click();
    };
    await menu();
    await dialog(page).getByRole('button', { name: 'The beginning' }).click();
    await message(page, 'Entry 1.').waitFor();
    await menu();
    await jumpTo(page, await dayIn(page, new Date()));
    await message(page, `Entry ${MESSAGES}.`).waitFor();
    expect(complaints).toEqual([]);
  });
});
