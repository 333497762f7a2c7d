import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { browserAvailable } from '../support/browser.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { openTestDynamo } from '../support/dynamo.ts';
import { BROWSER_TIMEOUT, composerOf, message, open, startWeb, useBrowser } from './support.ts';

describe.skipIf(!browserAvailable)('a connection that is lost', { timeout: BROWSER_TIMEOUT }, () => {
  const browser = useBrowser();

  it('loses nothing when the server is restarted while people write, and sends nothing twice', async () => {
    const database = await openTestDynamo({ file: true });
    onTestFinished(() => database.stop());
    // The same secret and the same port: the pages' tokens and their address stay good.
    const dataDir = await temporaryDirectory();
    let app: TestApp = await startWeb({ database, config: { dataDir } });
    onTestFinished(() => app.stop());
    const port = Number(new URL(app.url).port);
    const { url } = app;
    const [aki, ben] = await Promise.all([
      open({ browser: browser(), url, as: 'aki' }),
      open({ browser: browser(), url, as: 'ben' }),
    ]);
    await Promise.all([aki.openRoom('Lobby'), ben.openRoom('Lobby')]);
    await composerOf(ben.page).pressSequentially('Is anybody ');

    await app.stop();
    for (const { page } of [aki, ben]) await page.getByText('Connection lost').waitFor();
    await composerOf(ben.page).pressSequentially('there?');
    await composerOf(ben.page).press('Enter');
    await composerOf(aki.page).fill('It is quiet.');
    await composerOf(aki.page).press('Enter');
    await aki.page.getByText('Waiting for the connection').waitFor();
    // What waits is still there after a reload, once the page can be loaded again.
    app = await startWeb({ database, config: { dataDir, port } });

    for (const { page } of [aki, ben]) {
      for (const text of ['Is anybody there?', 'It is quiet.']) {
        await message(page, text).waitFor();
        expect(await message(page, text).count()).toBe(1);
      }
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
    }
  });

  it('holds back what is written offline, says so, and sends it once', async () => {
    const app = await startWeb();
    onTestFinished(() => app.stop());
    const [aki, ben] = await Promise.all([
      open({ browser: browser(), url: app.url, as: 'aki' }),
      open({ browser: browser(), url: app.url, as: 'ben' }),
    ]);
    await Promise.all([aki.openRoom('Tea'), ben.openRoom('Tea')]);
    await aki.page.context().setOffline(true);
    await aki.page.getByText('Connection lost').waitFor();
    for (const text of ['One from the tunnel', 'Two from the tunnel']) {
      await composerOf(aki.page).fill(text);
      await composerOf(aki.page).press('Enter');
    }
    await ben.say('Meanwhile in the kitchen');
    await aki.page.context().setOffline(false);
    for (const { page } of [aki, ben]) {
      await message(page, 'Two from the tunnel').waitFor();
      await message(page, 'Meanwhile in the kitchen').waitFor();
      const said = await page.getByRole('article').allTextContents();
      const order = said.flatMap((text) => /(One|Two) from the tunnel|Meanwhile/.exec(text)?.[0] ?? []);
      expect(order.sort()).toEqual(['Meanwhile', 'One from the tunnel', 'Two from the tunnel']);
    }
    expect(ben.complaints).toEqual([]);
  });
});
