import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { browserAvailable, complaintsOf } from '../support/browser.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { openTestDynamo } from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
import { BROWSER_TIMEOUT, STEP_TIMEOUT, startDemo, useBrowser, useDemo } from './support.ts';

const badgeOf = (pane: Locator) => pane.locator('.total');
const room = (pane: Locator, name: RegExp) => pane.getByRole('button', { name });
const composer = (pane: Locator) => pane.getByLabel('Message', { exact: true });

/** Resolves when the text is there; an event brings it, so this only waits for that. */
const shows = (locator: Locator, text: string) =>
  eventually(async () => expect(await locator.textContent()).toBe(text));

describe.skipIf(!browserAvailable)('the start page in a browser', { timeout: BROWSER_TIMEOUT }, () => {
  const browser = useBrowser();
  const demo = useDemo();

  async function openPage(url: string) {
    const page: Page = await browser().newPage();
    onTestFinished(() => page.close());
    page.setDefaultTimeout(STEP_TIMEOUT);
    const complaints = complaintsOf(page, url);
    await page.goto(url);
    const [aki, ben] = [page.locator('.pane').nth(0), page.locator('.pane').nth(1)];
    await room(ben, /Lobby/).waitFor();
    await room(aki, /Lobby/).waitFor();
    return { page, aki, ben, complaints };
  }

  it("moves one person's badge when the other says something, and clears it when they look", async () => {
    const { page, aki, ben, complaints } = await openPage(demo().url);
    const before = Number(await badgeOf(aki).textContent());

    await composer(ben).fill('<img src=x onerror=alert(1)> & good morning');
    await composer(ben).press('Enter');
    await shows(badgeOf(aki), String(before + 1));
    expect(await page.title()).toMatch(new RegExp(`^Aki ${before + 1} · Ben \\d+ · Tsudoi$`));
    expect(await composer(ben).inputValue()).toBe('');

    const unreadInLobby = Number(await room(aki, /Lobby/).locator('.badge').textContent());
    await room(aki, /Lobby/).click();
    await shows(badgeOf(aki), String(before + 1 - unreadInLobby));
    await aki.getByText('<img src=x onerror=alert(1)> & good morning', { exact: true }).waitFor();
    await aki.getByText('2 replies').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a room that somebody joins while it is open, and takes away one that they leave', async () => {
    const { aki, complaints } = await openPage(demo().url);
    const { services } = demo();
    const [akiId, benId] = [services.users.idOf('aki'), services.users.idOf('ben')];
    const made = { name: 'Garden', topic: null, visibility: 'PUBLIC', capacity: null } as const;
    const garden = await services.rooms.create(benId, made);

    await services.rooms.join(akiId, garden.id);
    await room(aki, /Garden/).waitFor();
    await services.rooms.leave(akiId, garden.id);
    await room(aki, /Garden/).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('comes back by itself when the server was away', async () => {
    const database = await openTestDynamo({ file: true });
    onTestFinished(() => database.stop());
    // The same secret and the same port: the page's tokens and its address stay good.
    const dataDir = await temporaryDirectory();
    let app: TestApp = await startDemo({ database, config: { dataDir } });
    onTestFinished(() => app.stop());
    const { aki, ben } = await openPage(app.url);
    const before = Number(await badgeOf(aki).textContent());

    await app.stop();
    await shows(aki.locator('.state'), 'connecting …');
    const port = Number(new URL(app.url).port);
    app = await startDemo({ database, config: { dataDir, port } });
    await shows(ben.locator('.state'), 'live');
    await composer(ben).fill('And we are back.');
    await composer(ben).press('Enter');
    await shows(badgeOf(aki), String(before + 1));
  });

  it('copies the command for a terminal with the address that the page has', async () => {
    const { page } = await openPage(demo().url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('[data-of=curl]').click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(new RegExp(`^curl -s ${demo().url}/graphql \\\\\n`));
    expect(copied).toContain('$(npm run -s token -- aki)');
  });

  it('fits a telephone', async () => {
    const { page } = await openPage(demo().url);
    await page.setViewportSize({ width: 360, height: 740 });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(360);
  });
});
