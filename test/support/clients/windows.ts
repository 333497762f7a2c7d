import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../time/eventually.ts';
import { startFairTime } from '../time/fairTime.ts';
import { type BrowserKind, launchBrowser } from './browser.ts';

/** The settings of a window that can be changed and reset. All others are fixed when its context is created. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

/**
 * How long a test may use a window, in milliseconds of `fairTime.ts`. The slowest test takes a fifth of it. After this
 * time the window is closed, and the action that waits in it fails with its name and what it waited for.
 */
const WINDOW_MS = 2 * PATIENCE_MS;

const VIEWPORT = { width: 1280, height: 720 };

const launched = new Map<BrowserKind, Promise<Browser>>();

/**
 * The browser of this worker, for the tests of a `describe`. It ends with the worker: a launch costs 3 s of processor
 * time, and there are dozens of files with such tests.
 */
export function useBrowser(kind: BrowserKind = 'shell'): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    const running = launched.get(kind) ?? launchBrowser(kind);
    launched.set(kind, running);
    browser = await running;
    browser.once('disconnected', () => launched.delete(kind));
  });
  return () => browser;
}

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
  closeInTime(page);
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
export async function freshWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newWindow(browser, options);
  closeInTime(page);
  onTestFinished(() => page.context().close());
  return page;
}

/** Closes the window if the test does not end in time. Playwright's own timeouts are by the usual clock. */
function closeInTime(page: Page): void {
  const leftMs = startFairTime(WINDOW_MS);
  const reason = `The test did not end within ${WINDOW_MS / 1_000} s of fair time.`;
  const timer = setInterval(() => {
    if (leftMs() > 0) return;
    clearInterval(timer);
    void page.context().close({ reason });
  }, 1_000);
  onTestFinished(() => clearInterval(timer));
}

async function newWindow(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  // Requests that a service worker answers would not reach the routes of a test.
  const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block', ...options });
  context.setDefaultTimeout(0);
  return context.newPage();
}

/** Ends everything that the page does, as closing it would. Resolves with true if the window can be used again. */
async function restore(page: Page, origin: string, { viewport: _, ...media }: Look): Promise<boolean> {
  for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event);
  await page.unrouteAll();
  // A page of the same origin without a script: another origin would cost a new process.
  await page.goto(`${origin}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(0, 0);
  // A test may have changed it by itself.
  await page.setViewportSize(VIEWPORT);
  if (Object.keys(media).length > 0) await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return true;
}
