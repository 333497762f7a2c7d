/** `npm run screenshots`: starts the product on an empty table and takes the pictures of docs/images. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { buildWebClient } from '../test/support/webClient.ts';

const images = fileURLToPath(new URL('../docs/images/', import.meta.url));

interface View {
  readonly browser: Browser;
  readonly url: string;
}

type Picture = (view: View) => Promise<Buffer>;

const DESK = { viewport: { width: 1320, height: 800 }, deviceScaleFactor: 1.5 };
const TELEPHONE = {
  viewport: { width: 390, height: 800 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

async function openAs({ browser, url }: View, handle: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
  await page.goto(`${url}/?as=${handle}`);
  await page.getByRole('navigation').getByRole('link').first().waitFor();
  return page;
}

const openRoom = async (page: Page, name: string) => {
  await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('article').first().waitFor();
};

const write = async (page: Page, text: string) => {
  const field = page.getByRole('textbox').last();
  await field.fill(text);
  await field.press('Enter');
  await page
    .getByRole('article')
    .filter({ hasText: text.slice(0, 12) })
    .last()
    .waitFor();
};

async function stamp(page: Page, text: string, name: string): Promise<void> {
  const message = page.getByRole('article').filter({ hasText: text }).first();
  await message.hover();
  await message.getByRole('button', { name: /Add a stamp|スタンプを押す/ }).click();
  await page.getByRole('searchbox').fill(name);
  await page.keyboard.press('Enter');
  await page.mouse.move(0, 0);
}

async function like(page: Page, text: string): Promise<void> {
  const message = page.getByRole('article').filter({ hasText: text }).first();
  await message.hover();
  await message.getByRole('button', { name: 'Like', exact: true }).click();
  await message.getByRole('button', { name: /yours/ }).waitFor();
}

/** A morning in the Lobby, with others who write elsewhere and one who is typing. */
async function morning(view: View): Promise<void> {
  const ben = await openAs(view, 'ben', DESK);
  await openRoom(ben, 'Lobby');
  await write(ben, '@aki the new build is **on staging**. Could you look at `unread` once more?');
  await stamp(ben, 'lunch with the Osaka', 'onigiri');
  const chie = await openAs(view, 'chie', DESK);
  await openRoom(chie, 'Lobby');
  await stamp(chie, 'lunch with the Osaka', 'onigiri');
  await stamp(chie, 'on staging', 'rocket');
  await stamp(chie, 'New here', 'wave');
  await write(chie, 'Numbers from last night: p95 is down to *22 ms*.');
  await openRoom(chie, 'Engineering');
  await write(chie, 'The dashboards moved, see the topic.');
  await openRoom(ben, 'Tea');
  await write(ben, 'And there are dorayaki.');
  await openRoom(chie, 'Lobby');
  await chie.getByRole('textbox').pressSequentially('Wh');
}

const room =
  (options: BrowserContextOptions): Picture =>
  async (view) => {
    await morning(view);
    const aki = await openAs(view, 'aki', { ...DESK, ...options });
    await openRoom(aki, 'Lobby');
    await aki.getByText(/2 replies|返信 2 件/).click();
    await aki.getByRole('complementary').getByText('Lovely').waitFor();
    await settled(aki);
    return aki.screenshot();
  };

/** What others have done while Aki was away, over the Lobby. */
const notifications =
  (options: BrowserContextOptions): Picture =>
  async (view) => {
    const before = await openAs(view, 'aki', DESK);
    await before.getByRole('button', { name: 'Notifications' }).click();
    await before.getByRole('button', { name: 'Mark all as read' }).click();
    await before.getByRole('dialog').getByText('New', { exact: true }).first().waitFor({ state: 'detached' });
    await before.context().close();
    await morning(view);
    for (const handle of ['dana', 'ben', 'chie']) {
      const page = await openAs(view, handle, DESK);
      await openRoom(page, 'Lobby');
      await like(page, 'The kettle is on');
    }
    const aki = await openAs(view, 'aki', { ...DESK, ...options });
    await openRoom(aki, 'Lobby');
    await aki.getByRole('button', { name: /Notifications/ }).click();
    await aki.getByText('Chie Mori and 2 others like your message').waitFor();
    await settled(aki);
    return aki.screenshot();
  };

const telephone: Picture = async (view) => {
  await morning(view);
  const aki = await openAs(view, 'aki', { ...TELEPHONE, colorScheme: 'dark' });
  await openRoom(aki, 'Lobby');
  await settled(aki);
  return aki.screenshot();
};

/** Its small animations have ended, what is on the screen has been read, and the pointer is nowhere. */
async function settled(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1_200);
}

/** The badge's subscription as Ben, after Aki has said something. */
const graphiql: Picture = async (view) => {
  const page = await view.browser.newPage({ viewport: { width: 1360, height: 900 }, deviceScaleFactor: 1.5 });
  await page.goto(`${view.url}/graphql?as=ben`);
  await page.locator('.graphiql-execute-button').click();
  await page.getByRole('menuitem', { name: 'Badge' }).click();
  const result = page.locator('.result-window');
  await result.getByText('"Tea"').waitFor();

  const aki = await openAs(view, 'aki', DESK);
  await openRoom(aki, 'Lobby');
  await write(aki, 'Ben, are you there?');
  await result.getByText('"Lobby"').waitFor();
  await page.waitForTimeout(500); // The editor colours what is new.
  return page.screenshot();
};

const pictures: Readonly<Record<string, Picture>> = {
  'room-light': room({ colorScheme: 'light' }),
  'room-dark': room({ colorScheme: 'dark' }),
  'room-japanese': room({ colorScheme: 'light', locale: 'ja-JP' }),
  'notifications-light': notifications({ colorScheme: 'light' }),
  'notifications-dark': notifications({ colorScheme: 'dark' }),
  telephone,
  graphiql,
};

/** Each picture is of a product that was started for it: nobody has said anything yet. */
async function take(name: string, picture: Picture, webClientDir: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-screenshots-'));
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0' });
  const app = createApp(config, pino({ level: 'error' }), { webClientDir });
  const browser = await launchBrowser();
  try {
    const { url } = await app.start();
    await writeFile(join(images, `${name}.png`), await picture({ browser, url }));
  } finally {
    await browser.close();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const webClientDir = await buildWebClient();
await mkdir(images, { recursive: true });
const wanted = process.argv.slice(2);
for (const [name, picture] of Object.entries(pictures)) {
  if (wanted.length === 0 || wanted.includes(name)) await take(name, picture, webClientDir);
}
