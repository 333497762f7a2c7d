/** Windows of the web client whose alerts are recorded. */

import type { Page, Response } from 'playwright-core';
import { defined } from '../../../src/core/defined.ts';
import { complaintsOf } from '../../support/clients/browser.ts';
import { freshWindow } from '../../support/clients/windows.ts';
import { type AlertsOf, type Permission, recordAlerts } from './alerts.ts';
import { comesTo, message } from './pages.ts';
import { operationOf } from './requests.ts';
import type { useRooms } from './rooms.ts';

/** In any language. */
const field = (page: Page) => page.locator('#main textarea');

const UNUSED = `Object.defineProperty(navigator, 'userActivation', {
  value: { hasBeenActive: false, isActive: false },
})`;

export const ALLOWED: Permission = { permission: 'granted' };

export interface AlertWindow extends AlertsOf {
  readonly page: Page;
  readonly complaints: readonly string[];
}

interface Opened extends Permission {
  readonly as: string;
  readonly path: string;
  readonly locale?: string;
  /** Default: true. An unused page has only seen the pointer move. */
  readonly isUsed?: boolean;
  readonly userAgent?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
}

export function alertWindows(web: ReturnType<typeof useRooms>) {
  /** Until someone uses a page, the browser lets it make no sound, and this script is not loaded. */
  async function opened(
    page: Page,
    { as, path, permission, answer = 'granted', isUsed = true }: Opened,
  ): Promise<AlertWindow> {
    const complaints = complaintsOf(page, web.app.url);
    const alerts = await recordAlerts(page, { permission, answer });
    // What a test evaluates counts as the user's action in Chromium.
    if (!isUsed) await page.addInitScript(UNUSED);
    await page.goto(`${web.app.url}${path}?as=${as}`);
    const loaded = page.waitForResponse(/\/assets\/Alerts-/);
    await field(page).waitFor();
    if (isUsed) await field(page).click();
    // A real one may wait for a frame, which are rare in the background.
    else await page.evaluate("dispatchEvent(new Event('pointermove'))");
    await loaded;
    await comesTo(alerts.isWatching, true);
    return { page, complaints, ...alerts };
  }

  const window = async (options: Opened): Promise<AlertWindow> => {
    const { locale = 'en-GB', viewport = { width: 1280, height: 800 }, userAgent } = options;
    const look = { locale, viewport, ...defined({ userAgent }) };
    return opened(await freshWindow(web.browser, look), options);
  };

  async function say(page: Page, text: string): Promise<void> {
    await field(page).fill(text);
    await field(page).press('Enter');
    await message(page, text).waitFor();
  }

  const send = async (room: string, author: string, body: string): Promise<void> => {
    await web.app.services.messages.send({ room, author: await web.idOf(author), body });
  };

  /** Turns both on, and resolves when the page knows what is there already. */
  async function turnOn({ page }: AlertWindow): Promise<void> {
    const begun = page.waitForResponse((response) => operationOf(response.request()) === 'Alerts');
    await page.evaluate(
      `localStorage.setItem('tsudoi:alerts', '{"isAnswered":true,"notify":true,"sound":true}');
       dispatchEvent(new StorageEvent('storage', { key: 'tsudoi:alerts' }))`,
    );
    await (await begun).finished();
  }

  /** Resolves when one of the tabs has asked the server what is new. */
  const looked = async (page: Page): Promise<void> => {
    const isLook = { predicate: (one: Response) => operationOf(one.request()) === 'Alerts' };
    await (await page.context().waitForEvent('response', isLook)).finished();
  };

  /** A direct message. Resolves to the raw id of its room. */
  const write = async (from: string, to: string, body: string): Promise<string> => {
    const [author, other] = [await web.idOf(from), await web.idOf(to)];
    const { id } = await web.app.services.rooms.openDirect(author, [other]);
    await send(id, from, body);
    return id;
  };

  return { opened, window, say, send, write, turnOn, looked };
}
