/**
 * Shows deliveries while no page is open, and opens what a user clicks on. It keeps the page and its scripts for the
 * time without the server (`page.ts`). Requests of the API go to the server without it, so it can keep no answer of
 * one.
 */
import { type Delivered, deliveredIn } from './delivered.ts';
import { answerTo, keepPage } from './page.ts';

declare const self: ServiceWorkerGlobalScope;

/** A page that does not respond in this time is frozen, or from an earlier release. */
const RESPONSE_MS = 1_000;

// A new version has nothing to wait for: no page depends on the old one.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const answer = answerTo(event);
  if (answer !== undefined) event.respondWith(answer);
});

self.addEventListener('message', (event) => {
  const { type, files } = event.data as { readonly type?: unknown; readonly files?: readonly string[] };
  // If it fails, the next page that is opened keeps it.
  if (type === 'keepPage') event.waitUntil(keepPage(files ?? []).catch(() => {}));
});

self.addEventListener('push', (event) => event.waitUntil(show(deliveredIn(event.data))));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data as Delivered;
  event.waitUntil(open(new URL(url, self.location.origin)));
});

// The browser has replaced the subscription, or ended it. A page knows who is signed in. If none is open, the next one
// that opens does the same.
self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(
    windows().then((open) => {
      for (const one of open) one.postMessage({ type: 'subscriptionChanged' });
    }),
  ),
);

/**
 * Browsers require that every push shows something. One at a time, and not while a page looks at what is shown:
 * Chromium forgets a notification if it is asked for them before that one is on the screen, and it could not be closed
 * any more.
 */
async function show(delivered: Delivered): Promise<void> {
  // Before it has the lock: no other push waits for a page that does not respond.
  const isSilent = await soundsInPage(delivered);
  await self.navigator.locks.request('tsudoi:shown', () => showAlone(delivered, isSilent));
}

async function showAlone(delivered: Delivered, isSilent: boolean): Promise<void> {
  const { title, text, tag, badge } = delivered;
  const shown = await self.registration.getNotifications({ tag });
  await self.registration.showNotification(title, {
    body: text,
    tag,
    data: delivered,
    ...(isSilent && { silent: true }),
    // The same delivery may arrive twice. Something else with the same tag replaces the earlier one, and is news.
    ...(tag !== '' && { renotify: shown.every(({ data }) => (data as Delivered).id !== delivered.id) }),
  });
  if (badge !== undefined) await self.navigator.setAppBadge?.(badge).catch(() => {});
  // It may have waited at the push service and was read meanwhile. A page asks the server, and closes it.
  for (const one of await windows()) one.postMessage({ type: 'shown' });
}

/** In a window of the user that this browser is registered for, or in a new one, which may ask them to sign in. */
async function open(url: URL): Promise<void> {
  const window = url.origin === self.location.origin ? await windowFor(url) : undefined;
  if (window === undefined) await self.clients.openWindow(url.href);
  // The page has opened it. Some browsers do not let it come to the front.
  else await window.focus().catch(() => {});
}

/** Whether the page that the user looks at makes the sound for this itself, or has made it. */
async function soundsInPage({ kinds, wasHeld }: Delivered): Promise<boolean> {
  if (wasHeld) return false;
  const visible = (await windows()).filter(({ visibilityState }) => visibilityState === 'visible');
  const answers = await Promise.all(
    visible.map((one) => responseOf(one, { type: 'sounds', kinds }).catch(() => false)),
  );
  return answers.includes(true);
}

/** The first window whose page says that it opens it. */
async function windowFor(url: URL): Promise<WindowClient | undefined> {
  const message = { type: 'open', path: `${url.pathname}${url.search}` };
  const asked = async (one: WindowClient) => {
    await responseOf(one, message);
    return one;
  };
  return Promise.any((await windows()).map(asked)).catch(() => undefined);
}

const windows = async (): Promise<readonly WindowClient[]> =>
  self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** What a page responds to a message. Rejects if it does not. */
function responseOf(window: WindowClient, message: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    setTimeout(reject, RESPONSE_MS);
    port1.onmessage = ({ data }) => resolve(data);
    window.postMessage(message, [port2]);
  });
}
