import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** The settings of a window that can be changed and reset. All others are fixed when its context is created. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

/**
 * The timeout of one action in a page, so that a failing test reports which action it was. No action takes nearly as
 * long, even at the lowest priority on a busy machine.
 */
export const STEP_TIMEOUT = 60_000;

const VIEWPORT = { width: 1280, height: 720 };

/**
 * Unused windows, for the next test of the same browser. Each has its own context, because the second window of a
 * context is in the background, where frames are rare. The first page of a new window costs 2 s of processor time; in a
 * window that has fetched and compiled everything before, a page costs 0.4 s.
 */
const idle = new WeakMap<Browser, Page[]>();

/** A window for this test, signed out. Its history and its HTTP cache are from earlier tests. */
export async function borrowWindow(browser: Browser, origin: string, look: Look): Promise<Page> {
  const windows = idle.get(browser) ?? [];
  idle.set(browser, windows);
  const page = windows.pop() ?? (await newWindow(browser, { viewport: VIEWPORT }));
  onTestFinished(async ({ task }) => {
    // The window of a failed test is not used again.
    const isGood = task.result?.state !== 'fail' && (await restore(page, origin, look).catch(() => false));
    if (isGood) windows.push(page);
    else await page.context().close();
  });
  const { viewport, ...media } = look;
  if (viewport) await page.setViewportSize(viewport);
  if (Object.keys(media).length > 0) await page.emulateMedia(media);
  return page;
}

/** A new window, for this test only. */
export async function freshWindow(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await newWindow(browser, options);
  onTestFinished(() => page.context().close());
  return page;
}

async function newWindow(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(STEP_TIMEOUT);
  return context.newPage();
}

/** Ends everything that the page does, as closing it would. Resolves with true if the window can be used again. */
async function restore(page: Page, origin: string, { viewport, ...media }: Look): Promise<boolean> {
  for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event);
  await page.unrouteAll();
  // A page of the same origin without a script: another origin would cost a new process.
  await page.goto(`${origin}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(0, 0);
  if (viewport) await page.setViewportSize(VIEWPORT);
  if (Object.keys(media).length > 0) await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return true;
}
