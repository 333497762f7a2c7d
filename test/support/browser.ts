import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { isHere } from './needs.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));

/** Whether this machine has a browser for the tests; CHROMIUM names one that is somewhere else. */
export const browserAvailable = isHere('Chromium', executablePath !== undefined);

/**
 * What the browser is not to do: prepare parts of its own windows, which nobody sees, for each context anew (a third of
 * all its processor time), keep a spare process for a page to come (of 51 processes 18 are left), and, of what
 * Playwright forbids too but this list takes the place of, ask its makers for things, put HTTPS in front of pages, and
 * show an old page for longer.
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

/** A headless Chromium. Its sandbox is off, for that does not work as root, and it opens our own pages only. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', `--disable-features=${WITHOUT.join(',')}`],
  });

/** Everything that goes wrong in a page or leaves its origin: errors, console warnings, foreign requests. */
export function complaintsOf(page: Page, origin: string): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complaints.push(`asked for ${url}`);
  });
  return complaints;
}
