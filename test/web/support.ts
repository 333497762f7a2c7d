import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { BROWSER_TIMEOUT, STEP_TIMEOUT, startDemo, useBrowser } from '../dev/demo/support.ts';
import type { TestApp, TestAppOptions } from '../support/app.ts';
import { complaintsOf } from '../support/browser.ts';
import { buildWebClient } from '../support/webClient.ts';
import { borrowWindow, freshWindow, type Look } from './windows.ts';

export { BROWSER_TIMEOUT, useBrowser };

/** Starts the demo with a current build of the web client. */
export const startWeb = async (options: TestAppOptions = {}): Promise<TestApp> =>
  startDemo({ webClientDir: await buildWebClient(), ...options });

export interface Somebody {
  readonly page: Page;
  /** Errors in the page, and requests to other origins. */
  readonly complaints: readonly string[];
  /** Opens a room of the list by its name. */
  openRoom(name: string): Promise<void>;
  say(text: string): Promise<void>;
}

export interface Opening {
  readonly browser: Browser;
  readonly url: string;
  /** The handle of a demo user. */
  readonly as: string;
  /** Default: `/`. */
  readonly path?: string;
  readonly look?: Look;
  /**
   * Options of a new browser context. Needed if the test changes more than its window (settings shared by all windows,
   * the connection, the clock) or needs an empty cache. Default: a window that earlier tests have used.
   */
  readonly fresh?: BrowserContextOptions;
}

/** Opens a window that is signed in as a demo user. */
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

/** A message that the server has acknowledged: an outgoing one is not an article. */
export const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

/** The unread count of a room in the list. */
export async function unreadIn(page: Page, name: string): Promise<number> {
  const text = await roomLink(page, name).textContent();
  return Number(/, (\d+) unread/.exec(text ?? '')?.[1] ?? 0);
}

/** The unread total in the window's title. */
export async function totalOf(page: Page): Promise<number> {
  return Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
}

/** Polls an expectation until it holds, because an event or the next frame may still have to arrive. */
export const soon = <T>(read: () => T | Promise<T>) =>
  expect.poll(read, { timeout: STEP_TIMEOUT, interval: 20 });

/** Resolves when `read` returns the wanted value. */
export const comesTo = <T>(read: () => Promise<T>, wanted: T) => soon(read).toEqual(wanted);

/** Whether the element contains the focus. */
export const hasFocus = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => element.contains(element.ownerDocument.activeElement));
