/** A browser window whose push subscriptions are those of the tests' push service. All else is Chromium's own. */
import type { Browser, BrowserContextOptions, Page, Worker } from 'playwright-core';
import { expect } from 'vitest';
import type { Push, PushService } from '../../delivery/support/pushService.ts';
import { freshWindow } from '../../support/clients/windows.ts';

export interface PushWindow {
  readonly page: Page;
  /** The service worker, once it runs. */
  worker(): Promise<Worker>;
  /** Hands a push to the service worker, as the browser does, and resolves when it has shown something. */
  push(push: Pick<Push, 'payload'>): Promise<void>;
  /** The same, and this must be shown then. Default: what it says. */
  deliver(push: Pick<Push, 'payload'>, shown?: ShownNotification): Promise<void>;
  /** What is shown now. */
  shown(): Promise<readonly ShownNotification[]>;
  /** Clicks on what is shown. Resolves to the address that the worker opens in a new window, if it opens one. */
  click(): Promise<string | undefined>;
  /** For each time that the page asked for permission: whether the user had just clicked. */
  asked(): Promise<readonly boolean[]>;
}

interface ShownNotification {
  readonly title: string;
  readonly body: string;
}

export interface PushWindowOptions extends BrowserContextOptions {
  readonly browser: Browser;
  readonly url: string;
  readonly service: PushService;
}

/** Chromium cannot reach a push service here, so `subscribe` returns what the tests' service gives out. */
const SUBSCRIPTIONS = `
  const PLACE = 'test:subscription';
  const bytesOf = (key) => Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const current = () => {
    const kept = JSON.parse(localStorage.getItem(PLACE));
    return kept && {
      options: { applicationServerKey: bytesOf(kept.key).buffer },
      toJSON: () => kept,
      unsubscribe: async () => { localStorage.removeItem(PLACE); return true; },
    };
  };
  PushManager.prototype.getSubscription = async () => current();
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly || Notification.permission !== 'granted') throw new DOMException('Not allowed', 'NotAllowedError');
    localStorage.setItem(PLACE, JSON.stringify({ ...(await subscribeAtService()), key: applicationServerKey }));
    return current();
  };
  const asked = [];
  const ask = Notification.requestPermission.bind(Notification);
  Notification.requestPermission = async () => {
    asked.push(navigator.userActivation.isActive);
    return ask();
  };
  globalThis.askedForPermission = asked;
`;

/**
 * Evaluates to how many notifications the worker has shown since this was evaluated first. `shownAfter` waits for one
 * more. They stay until they are closed: Chromium closes others after 25 s.
 */
const COUNT_SHOWN = `(() => {
  if (globalThis.shownAfter === undefined) {
    const show = registration.showNotification.bind(registration);
    const waiting = new Set();
    globalThis.countOfShown = 0;
    globalThis.shownAfter = async (before) => {
      while (globalThis.countOfShown <= before) await new Promise((resolve) => waiting.add(resolve));
    };
    registration.showNotification = async (title, options) => {
      await show(title, { ...options, requireInteraction: true });
      globalThis.countOfShown++;
      for (const resolve of waiting) resolve();
      waiting.clear();
    };
  }
  return globalThis.countOfShown;
})()`;

export async function openPushWindow(options: PushWindowOptions): Promise<PushWindow> {
  const { browser, url, service, ...look } = options;
  const page = await freshWindow(browser, {
    permissions: ['notifications'],
    serviceWorkers: 'allow',
    ...look,
  });
  const context = page.context();
  await context.exposeFunction('subscribeAtService', () => {
    const { endpoint, p256dh, auth } = service.subscribe();
    return { endpoint, keys: { p256dh, auth } };
  });
  await context.addInitScript(SUBSCRIPTIONS);
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations;
      if (one !== undefined) resolve(one.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const worker = async () => context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));

  const now = async (): Promise<readonly ShownNotification[]> =>
    (await worker()).evaluate(
      `navigator.locks.request('tsudoi:shown', async () =>
        (await registration.getNotifications()).map(({ title, body }) => ({ title, body })),
      )`,
    );

  async function push({ payload }: Pick<Push, 'payload'>): Promise<void> {
    const registrationId = await registered;
    // Not by asking what is shown again and again: Chromium forgets a notification that is asked for while it is shown.
    const before = (await (await worker()).evaluate(COUNT_SHOWN)) as number;
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: url,
      registrationId,
      data: JSON.stringify(payload),
    });
    await (await worker()).evaluate(`globalThis.shownAfter(${before})`);
  }

  return {
    page,
    worker,
    push,
    async deliver(one, shown = { title: String(one.payload.title), body: String(one.payload.text) }) {
      await push(one);
      expect(await now()).toContainEqual(shown);
    },
    shown: now,
    // An event that a script makes cannot be extended, and no user is there for a new window.
    click: async () =>
      (await worker()).evaluate(`(async () => {
        const [notification] = await registration.getNotifications();
        const event = new NotificationEvent('notificationclick', { notification });
        let opened, work;
        event.waitUntil = (promise) => { work = promise; };
        clients.openWindow = async (url) => { opened = url; };
        dispatchEvent(event);
        await work;
        return opened;
      })()`),
    asked: () => page.evaluate('askedForPermission'),
  };
}
