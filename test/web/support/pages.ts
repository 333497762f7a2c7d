import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageConfig } from '../../../web/src/session/pageConfig.ts';
import { startDemo } from '../../dev/support/demo.ts';
import { buildWebClient } from '../../support/builds/webClient.ts';
import { complaintsOf } from '../../support/clients/browser.ts';
import { borrowWindow, freshWindow, type Look } from '../../support/clients/windows.ts';
import type { TestApp, TestAppOptions } from '../../support/servers/app.ts';
import { eventually } from '../../support/time/eventually.ts';

/** The demo with the current web client. */
export const startWeb = async (options: TestAppOptions = {}): Promise<TestApp> =>
  startDemo({ webClientDir: await buildWebClient(), ...options });

export interface TestUser {
  readonly page: Page;
  /** Errors, warnings and requests to other origins in the page. */
  readonly complaints: readonly string[];
  /** `name`: as in the list. */
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
   * Opens a new window. For tests that change more than the window's look (settings of all windows, the connection, the
   * clock), or need an empty cache. Default: a window that other tests have used.
   */
  readonly fresh?: BrowserContextOptions;
}

/** Opens a window and signs in. */
export async function open({ browser, url, as, path = '/', look = {}, fresh }: Opening): Promise<TestUser> {
  const page =
    fresh === undefined
      ? await borrowWindow(browser, url, look)
      : await freshWindow(browser, { ...look, ...fresh });
  const complaints = complaintsOf(page, url);
  await signIn(page, url, as, path);
  return {
    page,
    complaints,
    async openRoom(name) {
      await roomLink(page, name).click();
      // By its name: the room that was open has a composer too.
      await composerOf(page, name).waitFor();
      await page.getByRole('log').first().waitFor();
    },
    async say(text) {
      await composerOf(page).fill(text);
      await composerOf(page).press('Enter');
      await message(page, text).waitFor();
    },
  };
}

/**
 * Signs in at this path. At `/`, signing in by the address would open the room with the newest unread message, and
 * showing it would mark messages as read that a test counts: there, the tab is signed in before.
 */
async function signIn(page: Page, url: string, as: string, path: string): Promise<void> {
  const token = path === '/' ? await tokenOf(url, as) : undefined;
  if (token === undefined) {
    await page.goto(`${url}${path}?as=${as}`);
    return;
  }
  // A page of the same origin without a script.
  await page.goto(`${url}/healthz`);
  await page.evaluate(`sessionStorage.setItem('tsudoi:token', ${JSON.stringify(token)})`);
  await page.goto(url);
}

/** The token of a demo user, from the page. */
async function tokenOf(url: string, handle: string): Promise<string | undefined> {
  const page = await (await fetch(url)).text();
  const embedded = /<script[^>]*id="server"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? '{}';
  const { people = [] } = JSON.parse(embedded) as Partial<PageConfig>;
  return people.find((person) => person.handle === handle)?.token;
}

export const roomLink = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}`) });

/** `name`: of the room, as in the list. Without it: of any room, also while the page does not know its name. */
export const composerOf = (page: Page, name?: string) =>
  page.getByRole('textbox', { name: name === undefined ? /^Message\b/ : new RegExp(`^Message ${name}`) });

/** A message that the server has acknowledged: an outgoing one is not an article. */
export const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

/** The number of unread messages of a room in the list. */
export async function unreadIn(page: Page, name: string): Promise<number> {
  const text = await roomLink(page, name).textContent();
  return Number(/, (\d+) unread/.exec(text ?? '')?.[1] ?? 0);
}

/** The unread total in the window's title. */
export async function totalOf(page: Page): Promise<number> {
  return Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
}

/** Resolves when `read` returns the wanted value. */
export const comesTo = <T>(read: () => Promise<T>, wanted: T) =>
  eventually(async () => expect(await read()).toEqual(wanted));

/** Whether the focus is in this element. */
export const hasFocus = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => element.contains(element.ownerDocument.activeElement));
