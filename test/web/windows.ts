import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { STEP_TIMEOUT } from '../dev/demo/support.ts';

/** The options that can be set and reset on an open window. All others are fixed when its context is created. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

const VIEWPORT = { width: 1280, height: 720 };

/**
 * Idle windows, for the next test of the same browser. Each has a context of its own, because the second window of a
 * context is in the background, where frames are rare. Loading the first page takes 2 s of processor time in a new
 * window, and 0.4 s in one that has already fetched and compiled everything.
 */
const idle = new WeakMap<Browser, Page[]>();

/** A window for this test, not signed in. Its history and HTTP cache may contain traces of earlier tests. */
export async function borrowWindow(browser: Browser, origin: string, look: Look): Promise<Page> {
  const windows = idle.get(browser) ?? [];
  idle.set(browser, windows);
  const page = windows.pop() ?? (await newWindow(browser, { viewport: VIEWPORT }));
  onTestFinished(async ({ task }) => {
    // A window of a failed test is not reused.
    const isGood = task.result?.state !== 'fail' && (await restore(page, origin, look).catch(() => false));
    if (isGood) windows.push(page);
    else await page.context().close();
  });
  const { viewport, ...media } = look;
  if (viewport) await page.setViewportSize(viewport);
  if (Object.keys(media).length > 0) await page.emulateMedia(media);
  return page;
}

/** A new, empty window for this test alone. */
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

/** Stops everything in the page and resets the window. Resolves to true if it can be reused. */
async function restore(page: Page, origin: string, { viewport, ...media }: Look): Promise<boolean> {
  for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event);
  await page.unrouteAll();
  // A page without scripts. It has the same origin, because another origin would cost a new process.
  await page.goto(`${origin}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(0, 0);
  if (viewport) await page.setViewportSize(VIEWPORT);
  if (Object.keys(media).length > 0) await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return true;
}
