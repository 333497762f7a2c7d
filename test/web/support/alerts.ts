/** How a page alerts its user. */
import type { Page } from 'playwright-core';

/** `permission`: what the browser has decided. `default`: it asks, and gets `answer`. */
export interface Permission {
  readonly permission: 'default' | 'granted';
  readonly answer?: NotificationPermission;
}

interface Shown {
  readonly title: string;
  readonly body: string;
}

export interface AlertsOf {
  /** The notifications of the system that the page has open. */
  shown(): Promise<readonly Shown[]>;
  /** Clicks on the only one. */
  click(): Promise<void>;
  /** Whether the page looks what is new. */
  isWatching(): Promise<boolean>;
  /** How often the system has drawn attention to one: it does not for one that replaces another silently. */
  banners(): Promise<number>;
  /** How often the page has asked to be the one that looks what is new. */
  turns(): Promise<number>;
  /** How often the sound has been played to its end. */
  sounds(): Promise<number>;
  /** For each time that the page asked for permission: whether the user had just clicked. */
  asked(): Promise<readonly boolean[]>;
  /** The user looks at something else, or comes back. */
  lookAway(): Promise<void>;
  lookBack(): Promise<void>;
}

/**
 * Chromium's own notifications and sounds, which are recorded. No one can answer its question here, so that is not its
 * own.
 */
const scriptFor = ({ permission, answer = 'granted' }: Permission) => `
  const shown = new Set();
  const asked = [];
  let sounds = 0;
  let banners = 0;
  let turns = 0;
  // It never does on a page that is not secure.
  let isWatching = !('locks' in navigator);
  const request = globalThis.LockManager?.prototype.request;
  if (request) LockManager.prototype.request = function (name, ...rest) {
    if (name.startsWith('tsudoi:alerts:')) turns++;
    if (name.startsWith('tsudoi:page:')) isWatching = true;
    return request.call(this, name, ...rest);
  };
  let permission = ${JSON.stringify(permission)};
  const Real = globalThis.Notification;
  globalThis.Notification = class Notification extends Real {
    static get permission() { return permission; }
    static async requestPermission() {
      asked.push(navigator.userActivation.isActive);
      if (permission === 'default') permission = ${JSON.stringify(answer)};
      return permission;
    }
    constructor(title, options) {
      super(title, options);
      if (options.renotify || ![...shown].some((one) => one.tag === this.tag)) banners++;
      for (const one of shown) if (one.tag === this.tag) shown.delete(one);
      shown.add(this);
    }
    close() {
      shown.delete(this);
      super.close();
    }
  };
  const close = AudioContext.prototype.close;
  AudioContext.prototype.close = async function () {
    if (this.currentTime > 0.3) sounds++;
    return close.call(this);
  };
  globalThis.alertsHere = {
    shown: () => [...shown].map(({ title, body }) => ({ title, body })),
    click: () => { for (const one of shown) one.dispatchEvent(new Event('click')); },
    isWatching: () => isWatching,
    banners: () => banners,
    turns: () => turns,
    sounds: () => sounds,
    asked: () => asked,
  };`;

/** To be called before the page is opened. */
export async function recordAlerts(page: Page, permission: Permission): Promise<AlertsOf> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(scriptFor(permission));
  const look = (hasFocus: boolean) =>
    page.evaluate(
      `document.hasFocus = () => ${hasFocus}; dispatchEvent(new Event('${hasFocus ? 'focus' : 'blur'}'))`,
    );
  return {
    shown: () => page.evaluate('alertsHere.shown()'),
    click: () => page.evaluate('alertsHere.click()'),
    isWatching: () => page.evaluate('alertsHere.isWatching()'),
    banners: () => page.evaluate('alertsHere.banners()'),
    turns: () => page.evaluate('alertsHere.turns()'),
    sounds: () => page.evaluate('alertsHere.sounds()'),
    asked: () => page.evaluate('alertsHere.asked()'),
    lookAway: async () => void (await look(false)),
    lookBack: async () => void (await look(true)),
  };
}
