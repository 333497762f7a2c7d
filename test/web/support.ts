import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startDemo, useBrowser } from '../demo/support.ts';
import type { TestApp, TestAppOptions } from '../support/app.ts';
import { complaintsOf } from '../support/browser.ts';
import { buildWebClient } from '../support/webClient.ts';
import { borrowWindow, freshWindow, type Look, STEP_TIMEOUT } from './windows.ts';

export { useBrowser };

/** Of a test: it only ends one in which something never happens. */
export const BROWSER_TIMEOUT = 3 * STEP_TIMEOUT;

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
  readonly look?: Look;
  /**
   * A browser of their own, where the test changes more than its window (what is chosen for all windows, the
   * connection, the clock) or needs one that has fetched nothing. Default: a window that other tests had, too.
   */
  readonly fresh?: BrowserContextOptions;
}

/** A window, signed in. */
export async function open({ browser, url, as, path = '/', look = {}, fresh }: Opening): Promise<Somebody> {
  const page =
    fresh === undefined
      ? await borrowWindow(browser, url, look)
      : await freshWindow(browser, { ...look, ...fresh });
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

/** Expects something of what is read, now or in a moment: an event or the next frame brings it. */
export const soon = <T>(read: () => T | Promise<T>) =>
  expect.poll(read, { timeout: STEP_TIMEOUT, interval: 20 });

/** Resolves when it is so. */
export const comesTo = <T>(read: () => Promise<T>, wanted: T) => soon(read).toEqual(wanted);

/** Whether the keyboard is in there. */
export const hasFocus = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => element.contains(element.ownerDocument.activeElement));
