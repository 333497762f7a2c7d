import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { browserAvailable } from '../support/browser.ts';
import { answered, refuse } from './refuse.ts';
import { BROWSER_TIMEOUT, message, open, startWeb, useBrowser } from './support.ts';

describe.skipIf(!browserAvailable)('web, failed requests', { timeout: BROWSER_TIMEOUT }, () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('failed request: is retried, for a link, a header, a list, an invitation and a script', async () => {
    const { page, openRoom, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'ben',
      fresh: {},
    });
    const unavailable = { code: 'UNAVAILABLE' };
    await openRoom('Lobby');
    const id = await message(page, 'The kettle is on').getAttribute('data-message');

    for (const operation of ['FindMessage', 'Room']) {
      const relent = await refuse(page, operation, unavailable);
      const refused = answered(page, operation);
      await page.goto(`${new URL(page.url()).origin}${roomOf(page)}/messages/${id}`);
      await refused;
      await relent();
      await message(page, 'The kettle is on').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    }

    let relent = await refuse(page, 'Directory', unavailable);
    await page.getByRole('button', { name: 'Browse rooms' }).click();
    const rooms = page.getByRole('dialog', { name: 'Browse rooms' });
    await rooms.getByRole('alert').getByText('Try again in a moment.').waitFor();
    await relent();
    await rooms.getByRole('button', { name: 'Try again' }).click();
    await rooms.getByRole('button', { name: 'Open Lobby' }).waitFor();
    await page.keyboard.press('Escape');
    await rooms.waitFor({ state: 'detached' });

    relent = await refuse(page, 'JoinWithInvite', unavailable);
    await page.goto(`${app.url}/invite/nobody-made-this-one`);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('alert').getByText('Try again in a moment.').waitFor();
    await relent();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    expect(complaints).toEqual([]);

    const script = '**/assets/CreateRoom-*.js';
    await page.route(script, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'New room' }).click();
    await failed;
    await page.unroute(script);
    await page.getByRole('dialog', { name: 'New room' }).waitFor();
  });
});

/** The path of the open room. */
const roomOf = (page: Page): string => /^\/rooms\/[^/]+/.exec(new URL(page.url()).pathname)?.[0] ?? '';
