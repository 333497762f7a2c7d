import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { BROWSER_TIMEOUT, STEP_TIMEOUT, startDemo, useBrowser } from '../demo/support.ts';
import type { TestApp, TestAppOptions } from '../support/app.ts';
import { complaintsOf } from '../support/browser.ts';
import { buildWebClient } from '../support/webClient.ts';

export { BROWSER_TIMEOUT, useBrowser };

/** The demo, with the web client as it is now. */
export const startWeb = async (options: TestAppOptions = {}): Promise<TestApp> =>
  startDemo({ webClientDir: await buildWebClient(), ...options });

export interface Somebody {
  readonly page: Page;
  /** What went wrong in the page, or left its origin. */
  readonly complaints: readonly string[];
  /** By its name, as the list has it. */
  openRoom(name: string): Promise<void>;
  say(text: string): Promise<void>;
}

export interface Opening {
  readonly browser: Browser;
  readonly url: string;
  /** One of the demo people. */
  readonly as: string;
  /** Default: `/`. */
  readonly path?: string;
  readonly options?: BrowserContextOptions;
}

/** A window of a browser of their own, signed in. */
export async function open({ browser, url, as, path = '/', options = {} }: Opening): Promise<Somebody> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT);
  const complaints = complaintsOf(page, url);
  await page.goto(`${url}${path}?as=${as}`);
  return {
    page,
    complaints,
    async openRoom(name) {
      await roomLink(page, name).click();
      await composerOf(page).waitFor();
      await page.getByRole('log').first().waitFor();
    },
    async say(text) {
      await composerOf(page).fill(text);
      await composerOf(page).press('Enter');
      await message(page, text).waitFor();
    },
  };
}

export const roomLink = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}`) });

export const composerOf = (page: Page) => page.getByRole('textbox', { name: /^Message / });

/** A message that the server has acknowledged. */
export const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

/** How many are unread in a room, as the list tells it. */
export async function unreadIn(page: Page, name: string): Promise<number> {
  const text = await roomLink(page, name).textContent();
  return Number(/, (\d+) unread/.exec(text ?? '')?.[1] ?? 0);
}

/** The total in the window's title. */
export async function totalOf(page: Page): Promise<number> {
  return Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
}

/** Resolves when it is so; an event brings it, so this only waits for that. */
export const comesTo = <T>(read: () => Promise<T>, wanted: T) =>
  expect.poll(read, { timeout: 10_000, interval: 20 }).toEqual(wanted);
