/** `npm run screenshots`: starts the product on an empty table and takes the pictures of docs/images. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { createApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { launchBrowser } from '../test/support/browser.ts';

const images = fileURLToPath(new URL('../docs/images/', import.meta.url));

const say = async (page: Page, pane: number, text: string) => {
  const input = page.locator('.pane').nth(pane).getByLabel('Message', { exact: true });
  await input.fill(text);
  await input.press('Enter');
  await page.locator('.pane').nth(pane).getByText(text).waitFor();
};

/** Aki reads one room while Ben writes in another: Aki's badge rises. */
const startPage = (colorScheme: 'light' | 'dark') => async (browser: Browser, url: string) => {
  const page = await browser.newPage({
    viewport: { width: 1100, height: 620 },
    deviceScaleFactor: 1.5,
    colorScheme,
  });
  await page.goto(url);
  const [aki, ben] = [page.locator('.pane').nth(0), page.locator('.pane').nth(1)];
  await aki.getByRole('button', { name: /Engineering/ }).click();
  await ben.getByRole('button', { name: /Lobby/ }).click();
  await say(page, 1, 'Fresh sencha in the kitchen, first come first served.');
  await aki.getByRole('button', { name: /Lobby 4/ }).waitFor();
  await ben.getByLabel('Message', { exact: true }).blur();
  await page.waitForTimeout(500); // The badge's small animation.
  return page.screenshot();
};

/** The badge's subscription as Ben, after Aki has said something. */
async function graphiql(browser: Browser, url: string) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, deviceScaleFactor: 1.5 });
  await page.goto(`${url}/graphql?as=ben`);
  await page.locator('.graphiql-execute-button').click();
  await page.getByRole('menuitem', { name: 'Badge' }).click();
  const result = page.locator('.result-window');
  await result.getByText('"Tea"').waitFor();

  const other = await browser.newPage();
  await other.goto(url);
  await other.locator('.pane').nth(0).getByRole('button', { name: /Lobby/ }).click();
  await say(other, 0, 'Ben, are you there?');
  await result.getByText('"Lobby"').waitFor();
  await page.waitForTimeout(500); // The editor colours what is new.
  return page.screenshot();
}

const pictures = {
  'start-page-light': startPage('light'),
  'start-page-dark': startPage('dark'),
  graphiql,
};

/** Each picture is of a product that was started for it: nobody has said anything yet. */
async function take(name: string, picture: (browser: Browser, url: string) => Promise<Buffer>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-screenshots-'));
  const app = createApp(loadConfig({ DATA_DIR: dataDir, PORT: '0' }), pino({ level: 'error' }));
  const browser = await launchBrowser();
  try {
    const { url } = await app.start();
    await writeFile(join(images, `${name}.png`), await picture(browser, url));
  } finally {
    await browser.close();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await mkdir(images, { recursive: true });
for (const [name, picture] of Object.entries(pictures)) await take(name, picture);
