import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { composerOf, message, type Opening, open, startWeb } from './support/pages.ts';

/** The elements whose style says that they move or fade, by their classes. */
const moving = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    const isMoving = animationName !== 'none' || /[1-9]/.test(transitionDuration);
    return isMoving ? [String(element.className)] : [];
  })`);

describe.skipIf(!browserAvailable)('web, reduced motion', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());
  const as = async (handle: string, look: Opening['look'] = {}) => {
    const user = await open({ browser: browser(), url: app.url, as: handle, look });
    await user.openRoom('Lobby');
    return user;
  };

  it('nothing moves, also while someone types', async () => {
    const [aki, ben] = [await as('aki', { reducedMotion: 'reduce' }), await as('ben')];
    await composerOf(ben.page, 'Lobby').pressSequentially('Hel');
    await aki.page.getByText('Ben Okafor is typing').waitFor();
    expect(await moving(aki.page)).toEqual([]);
    expect(await moving(ben.page)).not.toEqual([]);
  });

  it('what a script changes is there at once, as a list expects that looks for its end', async () => {
    const { page } = await as('aki', { reducedMotion: 'reduce' });
    await message(page, 'Good morning').waitFor();
    const grown = await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => {
      const list = document.querySelector('[role=log]');
      const rows = list.querySelector('[data-index]').parentElement;
      const before = list.scrollHeight;
      rows.style.height = rows.offsetHeight + 5000 + 'px';
      resolve(list.scrollHeight - before);
    }))`);
    expect(grown).toBeGreaterThan(4_000);
  });

  it('a message that a link leads to is marked for a moment', async () => {
    const { page } = await as('aki', { reducedMotion: 'reduce' });
    const id = await message(page, 'Did the release').getAttribute('data-message');
    await page.goto(`${page.url()}/messages/${encodeURIComponent(id ?? '')}`);
    await message(page, 'Did the release').waitFor();
    expect(await moving(page)).toEqual([expect.stringContaining('flash')]);
  });
});
