import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { comesTo, composerOf, message, open, startWeb } from './support/pages.ts';

const LINES = Array.from({ length: 80 }, (_, index) => `Line ${index + 1}`);

describe.skipIf(!browserAvailable)('web, long messages', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('toolbar: stays on the screen beside a message that is higher than the window', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    await composerOf(page).fill(LINES.join('\n'));
    await composerOf(page).press('Enter');
    const long = message(page, 'Line 80');
    await long.waitFor();
    const log = page.getByRole('log').first();
    const toolbar = (text: string) => message(page, text).getByRole('group', { name: 'Message actions' });
    /** The distance of the toolbar from the top of the list, in pixels. */
    const below = async (text: string) => {
      const [bar, list] = await Promise.all([toolbar(text).boundingBox(), log.boundingBox()]);
      return Math.round((bar?.y ?? Number.NaN) - (list?.y ?? Number.NaN));
    };
    // At the end of the list, the beginning of the message is far above.
    await long.hover({ position: { x: 200, y: 1_500 } });
    await comesTo(async () => [0, 1, 2, 3, 4, 5, 6, 7, 8].includes(await below('Line 80')), true);
    await toolbar('Line 80').getByRole('button', { name: 'Reply in thread' }).click();
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
    await page.keyboard.press('Escape');

    // Of a short message it is over the upper edge, as before.
    await say('Short');
    await message(page, 'Short').hover();
    const over = await message(page, 'Short').evaluate((element) => element.getBoundingClientRect().top);
    const bar = await toolbar('Short').boundingBox();
    expect(over - (bar?.y ?? 0)).toBeGreaterThan(10);
    expect(over - (bar?.y ?? 0)).toBeLessThan(20);
    expect(complaints).toEqual([]);
  });

  it.each([320, 375])('toolbar: is below the date on a phone (%i px)', async (width) => {
    const { page, openRoom, say, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'chie',
      fresh: { viewport: { width, height: 667 }, hasTouch: true, isMobile: true },
    });
    await openRoom('Lobby');
    await composerOf(page).fill([`${width} pixels`, ...LINES].join('\n'));
    await composerOf(page).press('Enter');
    const long = message(page, `${width} pixels`);
    await long.waitFor();
    const log = page.getByRole('log').first();
    await log.evaluate((list) => list.scrollBy(0, -700));
    const date = page.getByRole('button', { name: /^Today/ });
    await date.waitFor();
    await page.touchscreen.tap(width / 2, 400);
    const like = long.getByRole('button', { name: 'Like' });
    await like.waitFor();
    // Not `click`, which would scroll until nothing covers the button.
    const tap = async () => {
      const box = await like.boundingBox();
      if (box === null) throw new Error('The button is not shown.');
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    };
    const [pill, bar] = await Promise.all([
      date.boundingBox(),
      long.getByRole('group', { name: 'Message actions' }).boundingBox(),
    ]);
    expect(bar?.y).toBeGreaterThanOrEqual((pill?.y ?? 0) + (pill?.height ?? 0));
    await tap();
    await long.getByRole('button', { name: /^1 like/i }).waitFor({ state: 'attached' });
    expect(await page.getByRole('dialog').count()).toBe(0);

    await say(`Short ${width}`);
    const short = message(page, `Short ${width}`);
    await short.tap();
    await short.getByRole('button', { name: 'Like' }).waitFor();
    const [row, over] = await Promise.all([
      short.boundingBox(),
      short.getByRole('group', { name: 'Message actions' }).boundingBox(),
    ]);
    expect((row?.y ?? 0) - (over?.y ?? 0)).toBeGreaterThan(10);
    expect(complaints).toEqual([]);
  });

  it('direction: each line of a message has its own', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'ben' });
    await openRoom('Lobby');
    await composerOf(page).fill('مرحبا بكم!\nHello (all).\n\n- שלום\n- Hello, too.\n\n> أهلا\n> Quoted.');
    await composerOf(page).press('Enter');
    const sent = message(page, 'Hello (all).');
    /** Whether the text begins at the left of its paragraph. */
    const isLeft = (text: string) =>
      sent
        .locator('p', { hasText: text })
        .first()
        .evaluate((paragraph, wanted) => {
          const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            if (!walker.currentNode.textContent?.includes(wanted)) continue;
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            return range.getBoundingClientRect().left - paragraph.getBoundingClientRect().left < 5;
          }
          throw new Error('There is no such text.');
        }, text);
    await sent.waitFor();
    const lines = ['مرحبا', 'Hello (all).', 'שלום', 'Hello, too.', 'أهلا', 'Quoted.'];
    expect(await Promise.all(lines.map(isLeft))).toEqual([false, true, false, true, false, true]);
    expect(complaints).toEqual([]);
  });
});
