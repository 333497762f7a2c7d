/** `npm run screenshots`: starts the product on an empty table and writes the pictures in docs/images. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config.ts';
import { buildWebClient } from '../test/support/builds/webClient.ts';
import { launchBrowser } from '../test/support/clients/browser.ts';
import { morning } from './screenshots/morning.ts';

const images = fileURLToPath(new URL('../docs/images/', import.meta.url));

interface View {
  readonly browser: Browser;
  readonly url: string;
  /** The other demo users write, stamp and like while Aki is away. */
  readonly morning: () => Promise<void>;
  /** Names the next step, for the error message if it fails. */
  readonly step: (name: string) => void;
}

/** Takes pictures and returns them by file name. Light and dark ones show the same moment. */
type Scene = (view: View) => Promise<Record<string, Buffer>>;

/** The timeout of one click or wait in a page, in milliseconds. */
const PATIENCE_MS = 20_000;

/** A time zone in which it is nine o'clock now, because the demo users say good morning. */
function nineInTheMorning(): string {
  const east = 9 - new Date().getUTCHours();
  // POSIX zone names have the sign reversed.
  return east < 0 ? `Etc/GMT+${Math.min(-east, 12)}` : `Etc/GMT-${east}`;
}

/** Two characters of Japanese, drawn in the page's font. Without such a font, all of them are the same box. */
const LOOK_SAME = `['集', '鬱'].map((character) => {
  const canvas = document.createElement('canvas');
  const paint = canvas.getContext('2d');
  paint.font = '48px system-ui, sans-serif';
  paint.fillText(character, 20, 80);
  return canvas.toDataURL();
}).every((picture, _, [first]) => picture === first)`;

async function needJapaneseFont(): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    if (!(await page.evaluate(LOOK_SAME))) return;
  } finally {
    await browser.close();
  }
  throw new Error(
    'This machine has no Japanese font, so the pictures would show boxes. On Debian: apt-get install fonts-ipafont-gothic',
  );
}

const DESK = { viewport: { width: 1320, height: 840 }, deviceScaleFactor: 1.5 };
const TELEPHONE = {
  viewport: { width: 390, height: 800 },
  deviceScaleFactor: 1.5,
  hasTouch: true,
  isMobile: true,
};

async function openAs({ browser, url }: View, handle: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: nineInTheMorning(), ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  // At `/`, signing in by the address would open a room.
  await page.goto(`${url}/settings?as=${handle}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(url);
  await page.getByRole('navigation').getByRole('link').first().waitFor();
  return page;
}

async function openLobby(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Lobby/ }).click();
  await page.getByRole('article').filter({ hasText: '14:00' }).waitFor();
}

/** Moves the pointer away, and waits for animations and for the marking of messages as read. */
async function settled(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1_200);
}

async function lightAndDark(page: Page, name: string, before = async () => {}) {
  const taken: Record<string, Buffer> = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await before();
    await settled(page);
    taken[`${name}-${colorScheme}`] = await page.screenshot();
  }
  return taken;
}

/** Aki opens the Lobby and a thread, and sees Chie typing. */
async function openThread(view: View, options: BrowserContextOptions) {
  view.step('Aki opens the Lobby');
  const aki = await openAs(view, 'aki', { ...DESK, ...options });
  await openLobby(aki);
  view.step('Aki opens the thread');
  await aki.getByText(/4 replies|返信 4 件/).click();
  await aki.getByRole('complementary').getByText('changelog').waitFor();

  view.step('Chie types');
  const chie = await openAs(view, 'chie', DESK);
  await openLobby(chie);
  const typed = async () => {
    await chie.getByRole('textbox').pressSequentially('We');
    await aki.getByText(/Chie Mori.*(typing|入力)/).waitFor();
  };
  return { aki, typed };
}

const room: Scene = async (view) => {
  await view.morning();
  const { aki, typed } = await openThread(view, {});
  return lightAndDark(aki, 'room', typed);
};

const japanese: Scene = async (view) => {
  await view.morning();
  const { aki, typed } = await openThread(view, { locale: 'ja-JP' });
  await typed();
  await settled(aki);
  return { 'room-japanese': await aki.screenshot() };
};

/** The notifications panel over the Lobby, after Aki was away. */
const notifications: Scene = async (view) => {
  view.step('Aki marks the demo notifications as read');
  const before = await openAs(view, 'aki', DESK);
  await before.getByRole('button', { name: 'Notifications' }).click();
  await before.getByRole('button', { name: 'Mark all as read' }).click();
  await before.getByRole('dialog').getByText('New', { exact: true }).first().waitFor({ state: 'detached' });
  await before.context().close();

  await view.morning();
  view.step('Aki opens the bell');
  const aki = await openAs(view, 'aki', DESK);
  await openLobby(aki);
  await aki.getByRole('button', { name: /Notifications/ }).click();
  await aki.getByText('Chie Mori and 2 others liked your message').waitFor();
  return lightAndDark(aki, 'notifications');
};

const telephone: Scene = async (view) => {
  await view.morning();
  view.step('Aki opens the Lobby on a phone');
  const aki = await openAs(view, 'aki', { ...TELEPHONE, colorScheme: 'dark' });
  await openLobby(aki);
  await aki.getByRole('button', { name: 'Jump to newest' }).click();
  await settled(aki);
  return { telephone: await aki.screenshot() };
};

/** What Aki has saved, with the tags and a reminder. */
const saved: Scene = async (view) => {
  view.step('Aki opens the saved messages');
  const aki = await openAs(view, 'aki', { ...DESK, viewport: { width: 1320, height: 700 } });
  await aki.getByRole('link', { name: 'Saved', exact: true }).click();
  await aki.getByRole('region', { name: 'All' }).getByText('Reminder: lunch').waitFor();
  await aki.getByRole('navigation', { name: 'Lists' }).getByText('DynamoDB').waitFor();
  return lightAndDark(aki, 'saved');
};

/** The badge's subscription as Ben, after others have written. */
const graphiql: Scene = async (view) => {
  view.step("Ben runs the badge's subscription in GraphiQL");
  const context = await view.browser.newContext({
    viewport: { width: 1360, height: 900 },
    deviceScaleFactor: 1.5,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${view.url}/graphql?as=ben`);
  // Makes room for the subscription.
  await page.getByRole('button', { name: 'Hide editor tools' }).click();
  await page.locator('.graphiql-execute-button').click();
  await page.getByRole('menuitem', { name: 'Badge' }).click();
  const result = page.locator('.result-window');
  await result.getByText('"Tea"').waitFor();

  await view.morning();
  view.step("Ben's badge moves");
  await result.getByText('"Lobby"').waitFor();
  await page.waitForTimeout(500); // The editor highlights the new text.
  return { graphiql: await page.screenshot() };
};

const scenes: Readonly<Record<string, Scene>> = { room, japanese, notifications, saved, telephone, graphiql };

/** Takes one scene in a newly started product with the demo data only. */
async function take(name: string, scene: Scene, webClientDir: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-screenshots-'));
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0' });
  let behindMs = 23 * 60_000;
  const app = createApp(config, pino({ level: 'error' }), {
    webClientDir,
    now: () => Date.now() - behindMs,
  });
  let at = 'the product starts';
  const step = (next: string) => {
    at = next;
  };
  const browser = await launchBrowser();
  try {
    const { url, services, dynamo } = await app.start();
    const view: View = {
      browser,
      url,
      step,
      async morning() {
        step('the others have their morning');
        await morning({ services, dynamo, pass: (minutes) => (behindMs -= minutes * 60_000) });
      },
    };
    for (const [file, picture] of Object.entries(await scene(view))) {
      await writeFile(join(images, `${file}.png`), picture);
      process.stdout.write(`${file}.png, ${Math.ceil(picture.length / 1024)} KB\n`);
    }
  } catch (cause) {
    throw new Error(`No picture of ${name}. It failed at this step: ${at}.`, { cause });
  } finally {
    await browser.close();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in scenes));
if (unknown.length > 0) {
  throw new Error(`Unknown scenes: ${unknown.join(', ')}. The scenes are ${Object.keys(scenes).join(', ')}.`);
}
await needJapaneseFont();
const webClientDir = await buildWebClient();
await mkdir(images, { recursive: true });
for (const [name, scene] of Object.entries(scenes)) {
  if (wanted.length === 0 || wanted.includes(name)) await take(name, scene, webClientDir);
}
