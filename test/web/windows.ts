import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** What a window can be changed to, and back; anything else is decided when its context is made. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

/**
 * Of one action in a page: it fails before its test does, and says which it was. Far more than any action takes, also
 * at the lowest priority on a busy machine.
 */
export const STEP_TIMEOUT = 60_000;

const VIEWPORT = { width: 1280, height: 720 };

/**
 * The windows that nobody has at the moment, for the next test of the same browser. Each has a context of its own:
 * the second window of a context stands in the background, where frames are rare. Until its first page stands there a
 * new one costs 2 s of processor time, and one that has fetched and compiled everything before 0.4 s.
 */
const idle = new WeakMap<Browser, Page[]>();

/** A window for this test, which nobody is signed in to. Its history and its HTTP cache are not fresh. */
export async function borrowWindow(browser: Browser, origin: string, look: Look): Promise<Page> {
  const windows = idle.get(browser) ?? [];
  idle.set(browser, windows);
  const page = windows.pop() ?? (await newWindow(browser, { viewport: VIEWPORT }));
  onTestFinished(async ({ task }) => {
    // What a test has failed with is not handed on.
    const isGood = task.result?.state !== 'fail' && (await restore(page, origin, look).catch(() => false));
    if (isGood) windows.push(page);
    else await page.context().close();
  });
  const { viewport, ...media } = look;
  if (viewport) await page.setViewportSize(viewport);
  if (Object.keys(media).length > 0) await page.emulateMedia(media);
  return page;
}

/** A window with nothing in it yet, of this test alone. */
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

/** Ends what the page was doing, as closing it would; true when it is as a new one. */
async function restore(page: Page, origin: string, { viewport, ...media }: Look): Promise<boolean> {
  for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event);
  await page.unrouteAll();
  // Of the same origin, without a script: another origin would cost a new process.
  await page.goto(`${origin}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(0, 0);
  if (viewport) await page.setViewportSize(VIEWPORT);
  if (Object.keys(media).length > 0) await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return true;
}
