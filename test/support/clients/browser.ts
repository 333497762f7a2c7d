import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { defined } from '../../../src/core/defined.ts';
import { isHere } from '../machine/needs.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * `browser`: with all that people have. `shell`: without the browser's own windows, sounds and notifications, if it is
 * here.
 */
export type BrowserKind = 'browser' | 'shell';

const chosen = process.env.CHROMIUM;
const found = chosen ?? BROWSERS.find((place) => existsSync(place));

/** The same pages take a third less processor time in the shell. */
const pathOf = (kind: BrowserKind): string | undefined =>
  kind === 'shell' && chosen === undefined && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : found;

/** Whether this machine has a browser for the tests. CHROMIUM is the path of one in an unusual place. */
export const browserAvailable = isHere('Chromium', pathOf('shell') !== undefined);

/** Whether it has more than the headless shell. */
export const hasWholeBrowser = (): boolean =>
  browserAvailable && isHere('whole Chromium (package chromium)', found !== undefined);

/**
 * Features to turn off. Without the first the browser does not prepare invisible parts of its own windows for each
 * context (a third of its processor time). Without the second it keeps no spare processes (18 instead of 51). The
 * others are Playwright's own list, which this argument replaces: no requests to Google, no switch to HTTPS, and no
 * delay before a new page is shown.
 */
const WITHOUT = [
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

/** A headless Chromium. Its sandbox is off, because it does not work as root. It only opens our own pages. */
export const launchBrowser = (kind: BrowserKind = 'browser'): Promise<Browser> =>
  chromium.launch({
    ...defined({ executablePath: pathOf(kind) }),
    args: ['--no-sandbox', `--disable-features=${WITHOUT.join(',')}`],
  });

/** What Playwright writes in windows without service workers. */
const BLOCKED = 'Service Worker registration blocked';

/** Collects what goes wrong in a page or leaves its origin: errors, console warnings, foreign requests. */
export function complaintsOf(page: Page, origin: string): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !text.startsWith(BLOCKED)) complaints.push(text);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complaints.push(`requested ${url}`);
  });
  return complaints;
}
