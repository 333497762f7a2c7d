import type { Api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import {
  PushDevicesDocument,
  RegisterPushSubscriptionDocument,
  RemovePushSubscriptionDocument,
} from '../generated/graphql.ts';
import { deviceLabel } from './deviceLabel.ts';
import { forgetDevice, isOthersDevice, keepDevice, keptDevice } from './keptDevice.ts';
import { shownNow } from './shown.ts';

/** The one that this browser's push subscription belongs to. */
export interface Owner {
  readonly api: Pick<Api, 'queryUncached' | 'mutateUncached'>;
  readonly user: string;
}

/** Whether this browser can show pushes: not without HTTPS, and on an iPhone only if the page is on the home screen. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** One change at a time, in all windows of this browser: they share the subscription. */
const alone = <T>(change: () => Promise<T>): Promise<T> => navigator.locks.request('tsudoi:push', change);

/**
 * Shows deliveries to this user in this browser. Only called on a click, because it asks for permission. `key`: the
 * server's public key. Resolves to what the user answered.
 */
export async function turnOn(owner: Owner, key: string): Promise<NotificationPermission> {
  const permission = await Notification.requestPermission();
  if (permission === 'granted') await alone(() => register(owner, key));
  return permission;
}

/**
 * Ends deliveries to this browser. The subscription ends here in any case, and the server removes it at the latest when
 * the push service says so.
 */
export const turnOff = (owner: Owner): Promise<void> =>
  alone(async () => {
    const id = keptDevice(owner.user);
    if (id === undefined) return;
    await end(() => remove(owner, id));
  });

/**
 * To be called when the page opens: a subscription may have changed, and a new token keeps it alive. A browser that was
 * removed on another device stays removed.
 */
export const renew = (owner: Owner): Promise<void> =>
  alone(async () => {
    const id = keptDevice(owner.user);
    if (id === undefined) return;
    const { viewer, webPushPublicKey: key } = await owner.api.queryUncached(PushDevicesDocument, {});
    const isRegistered = viewer.pushSubscriptions.some((one) => one.id === id);
    if (!isRegistered) return end();
    if (key === null) return;
    if (Notification.permission !== 'granted') return end(() => remove(owner, id));
    const renewed = await register(owner, key);
    if (renewed !== id) await remove(owner, id);
  });

/** Ends deliveries to another user in this browser. The push service reports it to the server. */
export const endOthers = (user: string): Promise<void> =>
  alone(async () => {
    if (isOthersDevice(user)) await end();
  });

async function register({ api, user }: Owner, key: string): Promise<string> {
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = (await subscribe(key)).toJSON();
  const input = { endpoint: endpoint ?? '', p256dh, auth, label: deviceLabel(navigator.userAgent) };
  const { registerPushSubscription } = await api.mutateUncached(RegisterPushSubscriptionDocument, { input });
  const { id } = registerPushSubscription.pushSubscription;
  keepDevice({ user, id });
  return id;
}

async function subscribe(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/sw.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const existing = await pushManager.getSubscription();
  if (existing !== null && keyOf(existing) === key) return existing;
  // The server has another key now.
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

const keyOf = ({ options: { applicationServerKey: key } }: PushSubscription): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * What is shown goes, too: another person may use this browser next. `removed` does not wait for that: the service
 * worker may be showing something, and a user who signs out does not wait long.
 */
async function end(removed: () => Promise<void> = async () => {}): Promise<void> {
  forgetDevice();
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await Promise.all([removed(), closeAll(registration)]);
}

async function closeAll(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  await navigator.clearAppBadge?.().catch(() => {});
  for (const one of await shownNow(registration)) one.close();
}

/** Idempotent. */
async function remove({ api }: Owner, id: string): Promise<void> {
  await api.mutateUncached(RemovePushSubscriptionDocument, { id }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
  });
}
