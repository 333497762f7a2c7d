import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installProgram } from '../support/builds/build.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { runProgram } from '../support/servers/program.ts';
import { comesTo, composerOf, message, open, roomLink, startWeb } from './support/pages.ts';
import { operationOf } from './support/requests.ts';

/** A free port below the system's ephemeral ports, so that no other process takes it between two servers. */
async function keptPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

describe.skipIf(!browserAvailable)('web, a lost connection', () => {
  const browser = useBrowser();

  it('connection: a killed server costs no drafts, no sent and no unsent messages', async () => {
    const main = await installProgram(await temporaryDirectory());
    const env = {
      DATA_DIR: await temporaryDirectory(),
      PORT: String(await keptPort()),
      LOG_LEVEL: 'silent',
    };
    const run = () => runProgram({ command: [process.execPath, main], env });
    let program = await run();
    onTestFinished(() => program.stop());
    const { url } = await program.ready();
    const [aki, ben] = await Promise.all([
      open({ browser: browser(), url, as: 'aki' }),
      open({ browser: browser(), url, as: 'ben' }),
    ]);
    await Promise.all([aki.openRoom('Lobby'), ben.openRoom('Lobby')]);
    await composerOf(ben.page).pressSequentially('Half a ');
    // This message may or may not be stored when the server is killed.
    await composerOf(aki.page).fill('Into the night');
    await composerOf(aki.page).press('Enter');
    program.signal('SIGKILL');
    await program.ended;

    for (const { page } of [aki, ben]) await page.getByText('Connection lost').waitFor();
    await composerOf(ben.page).pressSequentially('thought');
    await composerOf(aki.page).fill('And after it');
    await composerOf(aki.page).press('Enter');
    await aki.page.getByText('Waiting for the connection').first().waitFor();

    program = await run();
    await program.ready();
    for (const { page } of [aki, ben]) {
      await message(page, 'And after it').waitFor();
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
      const shown = await page.getByRole('article').allTextContents();
      const found = shown.flatMap((text) => /Into the night|And after it/.exec(text)?.[0] ?? []);
      expect(found).toEqual(['Into the night', 'And after it']);
    }
    // A draft from before survives a reload as well, and is sent to the new server.
    await ben.page.reload();
    await comesTo(() => composerOf(ben.page).inputValue(), 'Half a thought');
    await composerOf(ben.page).press('Enter');
    await message(aki.page, 'Half a thought').waitFor();
  });

  it('connection: messages written offline wait, and are sent once', async () => {
    const app = await startWeb();
    onTestFinished(() => app.stop());
    const [aki, ben] = await Promise.all([
      open({ browser: browser(), url: app.url, as: 'aki', fresh: {} }),
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
      const shown = await page.getByRole('article').allTextContents();
      const order = shown.flatMap((text) => /(One|Two) from the tunnel|Meanwhile/.exec(text)?.[0] ?? []);
      expect(order.sort()).toEqual(['Meanwhile', 'One from the tunnel', 'Two from the tunnel']);
    }

    // A room opened offline shows its messages and its name once the connection is back.
    await aki.page.context().setOffline(true);
    await aki.page.getByText('Connection lost').waitFor();
    await roomLink(aki.page, 'Lobby').click();
    await aki.page.getByText('Couldn’t load messages').waitFor();
    await aki.page.context().setOffline(false);
    await aki.page.getByRole('log', { name: /Lobby/ }).waitFor();
    await aki.page.getByRole('heading', { name: 'Lobby' }).waitFor();
    expect(ben.complaints).toEqual([]);
  });

  it.each([
    ['en-GB', 'Message', 'Message Lobby'],
    ['ja-JP', 'メッセージ', 'Lobby へのメッセージ'],
  ])(
    'connection: a room can be written to in %s before its name is known',
    async (locale, unnamed, named) => {
      const app = await startWeb();
      onTestFinished(() => app.stop());
      const { page } = await open({ browser: browser(), url: app.url, as: 'aki', fresh: { locale } });
      const field = (name: string) => page.getByRole('textbox', { name, exact: true });
      await roomLink(page, 'Lobby').click();
      await field(named).waitFor();
      // The answers with the name do not come; the one with the messages does.
      let isHeld = true;
      await page.route('**/graphql', (route) =>
        isHeld && /^(Room|Memberships)$/.test(operationOf(route.request()) ?? '')
          ? route.abort()
          : route.fallback(),
      );
      await page.reload();
      await field(unnamed).fill('Written early');
      await field(unnamed).press('Enter');
      await message(page, 'Written early').waitFor();
      expect(await field(unnamed).getAttribute('placeholder')).toBe(unnamed);
      expect(await page.getByRole('log').getAttribute('aria-label')).not.toMatch(/^\s|\s$/);
      await field(unnamed).fill('Half a thought');
      isHeld = false;
      await comesTo(() => field(named).inputValue(), 'Half a thought');
    },
  );
});
