import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { browserAvailable } from '../support/browser.ts';
import { BROWSER_TIMEOUT, comesTo, message, open, startWeb, useBrowser } from './support.ts';

/** The code of a key that an input method deals with itself. */
const PROCESSED = 229;

/** A zone where what was said just now was said today, and midnight is far: it is between twelve and one there. */
const whereItIsNoon = () => {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
};

describe.skipIf(!browserAvailable)('writing, and the day that it is', { timeout: BROWSER_TIMEOUT }, () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('leaves Enter to an input method until it has ended, and completes who is mentioned by keyboard', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    // Of whichever role: while it completes names it is a combobox.
    const field = page.getByLabel('Message Lobby');
    await field.focus();
    const keyboard = await page.context().newCDPSession(page);
    const enter = async (code: number) => {
      const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: code };
      await keyboard.send('Input.dispatchKeyEvent', { ...key, type: 'rawKeyDown' });
      await keyboard.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' });
    };
    await keyboard.send('Input.imeSetComposition', { text: 'にほんご', selectionStart: 4, selectionEnd: 4 });
    await enter(13);
    expect(await field.inputValue()).toBe('にほんご');
    await keyboard.send('Input.insertText', { text: '日本語' });
    // Safari tells of the key that chose a word when the composition has ended.
    await enter(PROCESSED);
    expect(await field.inputValue()).toBe('日本語');
    await enter(13);
    await message(page, '日本語').waitFor();

    await field.pressSequentially('Ask @');
    const people = page.getByRole('listbox', { name: 'People to mention' });
    await people.getByRole('option').nth(2).waitFor();
    const chosen = people.getByRole('option', { selected: true });
    const first = await chosen.textContent();
    await field.press('ArrowDown');
    expect(await chosen.textContent()).not.toBe(first);
    await field.press('ArrowUp');
    expect(await chosen.textContent()).toBe(first);
    await field.pressSequentially('b');
    await comesTo(() => chosen.textContent(), 'BOBen Okafor@ben');
    // Also who writes on before the next frame is drawn writes on behind the name.
    await page.evaluate(`
      window.held = { late: [], request: requestAnimationFrame };
      requestAnimationFrame = (draw) => held.late.push(draw);
    `);
    await field.press('Enter');
    await people.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Ask @ben ');
    await field.pressSequentially('tomo');
    await page.evaluate(
      'requestAnimationFrame = held.request; for (const draw of held.late) draw(performance.now())',
    );
    await field.pressSequentially('rrow');
    await field.press('Enter');
    await message(page, 'Ask @ben tomorrow').getByTitle('Ben Okafor').getByText('@ben').waitFor();
    expect(complaints).toEqual([]);
  });

  it('calls what was said today yesterday when midnight has passed', async () => {
    const { page, openRoom, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'ben',
      fresh: { timezoneId: whereItIsNoon() },
    });
    await page.clock.install();
    // From then on the page goes by that clock.
    await page.reload();
    await openRoom('Lobby');
    const lines = page.getByRole('log').getByText(/^(Today|Yesterday)$/);
    await comesTo(() => lines.allTextContents(), ['Today']);
    await page.clock.fastForward('24:00:00');
    await comesTo(() => lines.allTextContents(), ['Yesterday']);
    expect(complaints).toEqual([]);
  });
});
