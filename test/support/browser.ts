import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { isHere } from './needs.ts';

/** The first has no windows of its own, and takes half of the processor time for the same pages. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));

/** Whether this machine has a browser for the tests; CHROMIUM names one that is somewhere else. */
export const browserAvailable = isHere('Chromium', executablePath !== undefined);

/** A headless Chromium. Its sandbox is off, for that does not work as root, and it opens our own pages only. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox'] });

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
