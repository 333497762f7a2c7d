import { describe, expect, it, onTestFinished } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import { comesTo, composerOf, message, open, startWeb } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, scripts of a release that the server does not have', () => {
  const browser = useBrowser();

  // The panel of emoji, and the data that it shows.
  it.each(['EmojiPanel', 'loadEmoji'])(
    'missing script: without %s, the rest of the page stays',
    async (script) => {
      const app = await startWeb();
      onTestFinished(() => app.stop());
      const { page, openRoom } = await open({ browser: browser(), url: app.url, as: 'aki', fresh: {} });
      await openRoom('Lobby');
      await page.route(new RegExp(`/assets/${script}-`), (route) => route.fulfill({ status: 404, body: '' }));
      await composerOf(page).fill('Half a thought');
      await page.getByRole('button', { name: 'Add an emoji' }).click();
      const reload = page.getByRole('button', { name: 'Reload' });
      await reload.waitFor();
      expect(await composerOf(page).inputValue()).toBe('Half a thought');
      await page.unrouteAll();
      await reload.click();
      await reload.waitFor({ state: 'detached' });
      await comesTo(() => composerOf(page).inputValue(), 'Half a thought');
    },
  );

  it('missing script: a text stays if the script that would show it better is missing', async () => {
    const app = await startWeb();
    onTestFinished(() => app.stop());
    const { page, openRoom } = await open({ browser: browser(), url: app.url, as: 'aki', fresh: {} });
    // The page asks after each failure whether the server is up, and gives up after five.
    const parts = ['Highlighted', 'MessageLink', 'EditForm'] as const;
    let checks = 0;
    page.on('response', (response) => {
      if (response.request().method() === 'HEAD') checks++;
    });
    await page.route(new RegExp(`/assets/(${parts.join('|')})-.*\\.js`), (route) =>
      route.fulfill({ status: 404, body: '' }),
    );
    await openRoom('Lobby');
    const address = `${new URL(page.url()).href}/messages/${encodeURIComponent('TWVzc2FnZTp4')}`;
    const sent = message(page, 'const seats = 4;');
    await composerOf(page).fill(`${address}\n\`\`\`ts\nconst seats = 4;\n\`\`\``);
    await composerOf(page).press('Enter');
    await sent.waitFor();
    await comesTo(async () => checks, 10);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    expect(await sent.locator('pre').innerText()).toBe('const seats = 4;');
    await sent.getByRole('link', { name: address, exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);

    await sent.press('e');
    await sent.getByRole('button', { name: 'Reload' }).waitFor();
    expect(await sent.innerText()).toContain('const seats = 4;');
  });
});
