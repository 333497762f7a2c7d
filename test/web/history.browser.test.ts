import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import { scaled } from '../support/run/budget.ts';
import type { TestApp } from '../support/servers/app.ts';
import { heapOf, type LongRoom, makeLongRoom, type Walk, walk } from './support/longRoom.ts';
import { comesTo, composerOf, message, open, startWeb } from './support/pages.ts';
import { held, refuse } from './support/requests.ts';

/** Ten thousand in CI. */
const MESSAGES = Math.min(10_000, scaled(3_000));
const MIDDLE = MESSAGES / 2;
/** The most that the page may contain at any time: rows, elements, and the height of the loaded messages in pixels. */
const MOST = { mostRows: 110, mostNodes: 3_000, highest: 30_000 };
/** A high window, so that each step loads more. */
const viewport = { width: 1280, height: 1600 };
const STEP = 1_300;
/** How much the heap may grow while all messages pass, in bytes. */
const HEAP_GROWTH = 4_000_000;

describe.skipIf(!browserAvailable)('web, a room of thousands of messages', () => {
  const browser = useBrowser();
  let app: TestApp;
  let room: LongRoom;
  beforeAll(async () => {
    app = await startWeb();
    room = await makeLongRoom(app, { name: 'History', messages: MESSAGES, author: 'ben', reader: 'aki' });
  });
  afterAll(() => app?.stop());

  function expectSmooth({ gaps, jumps, ...most }: Walk): void {
    expect({ gaps, jumps }).toEqual({ gaps: [], jumps: [] });
    for (const [what, limit] of Object.entries(MOST)) {
      expect(most[what as keyof typeof MOST], what).toBeLessThan(limit);
    }
  }

  it('messageList: scrolls to the first message without gaps or jumps, in a page that stays small', async () => {
    const aki = await open({ browser: browser(), url: app.url, as: 'aki', fresh: { viewport } });
    await aki.openRoom('History');
    await message(aki.page, `Entry ${MESSAGES}.`).waitFor();
    expectSmooth(await walk(aki.page, -STEP, MESSAGES - 1000));
    const heap = await heapOf(aki.page);
    const back = await walk(aki.page, -STEP, 1);
    expectSmooth(back);
    expect(back).toMatchObject({ first: 1 });
    expect(back.seen).toBe(back.last);
    expect(back.last).toBeGreaterThan(MESSAGES - 1100);
    expect((await heapOf(aki.page)) - heap).toBeLessThan(HEAP_GROWTH);

    const forth = await walk(aki.page, STEP, 400);
    expectSmooth(forth);
    expect(forth.seen).toBe(forth.last);
    await aki.page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(aki.page, `Entry ${MESSAGES}.`).waitFor();
    expect(aki.complaints).toEqual([]);
  });

  it('messageList: opens at a linked message, scrolls both ways, and jumps to the newest', async () => {
    const path = `/rooms/${room.id}/messages/${room.message(MIDDLE)}`;
    const aki = await open({ browser: browser(), url: app.url, as: 'aki', path });
    await message(aki.page, `Entry ${MIDDLE}.`).waitFor();
    // It moves until all rows are measured, because some are higher than estimated.
    const top = async () => (await message(aki.page, `Entry ${MIDDLE}.`).boundingBox())?.y ?? 0;
    await comesTo(async () => (await top()) > 100 && (await top()) < 600, true);
    for (const [by, until] of [
      [-400, MIDDLE - 100],
      [400, MIDDLE + 100],
    ] as const) {
      const { gaps, jumps } = await walk(aki.page, by, until);
      expect({ gaps, jumps }).toEqual({ gaps: [], jumps: [] });
    }
    await aki.page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(aki.page, `Entry ${MESSAGES}.`).waitFor();
    await aki.page.getByRole('button', { name: 'Jump to newest' }).waitFor({ state: 'detached' });
    const { first, gaps } = await walk(aki.page, -400, MESSAGES - 100);
    expect({ isThere: first <= MESSAGES - 100, gaps }).toEqual({ isThere: true, gaps: [] });
    expect(aki.complaints).toEqual([]);
  });

  it('outbox: an unsent message stays visible far back, and a refusal is shown in other rooms', async () => {
    const path = `/rooms/${room.id}/messages/${room.message(MIDDLE)}`;
    const aki = await open({ browser: browser(), url: app.url, as: 'aki', path });
    const { page } = aki;
    await message(page, `Entry ${MIDDLE}.`).waitFor();
    await refuse(page, 'RoomPage', { code: 'UNAVAILABLE' });
    const answer = await refuse(page, 'SendMessage', { code: 'UNAVAILABLE' });
    await composerOf(page).fill('From far back');
    await composerOf(page).press('Enter');
    await page.getByText('Sending…').waitFor();
    expect(await page.getByText('From far back').isVisible()).toBe(true);
    expect(await page.getByText('try again').count()).toBe(0);
    await answer();
    await page.getByText('Sending…').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(page, 'From far back').waitFor();
    expect(await page.getByText('From far back').count()).toBe(1);

    const { promise: before, letGo } = held();
    await refuse(page, 'SendMessage', { code: 'FORBIDDEN', before });
    await composerOf(page).fill('Not for here');
    await composerOf(page).press('Enter');
    await aki.openRoom('Lobby');
    letGo();
    await page.getByText('Not sent in History.').waitFor();
    await aki.openRoom('History');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Not for here').waitFor({ state: 'detached' });
    expect(aki.complaints).toEqual([]);
  });
});
