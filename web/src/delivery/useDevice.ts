import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../session/session.ts';
import { hasFallen } from './hasFallen.ts';
import { keptDevice } from './keptDevice.ts';

/** What the service worker sends to pages. */
type FromWorker =
  /** A user clicked on a delivery. The page that opens it responds on the port. */
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'subscriptionChanged' }
  /**
   * Whether the page makes the sound for what is about to be shown. The page responds on the port. Earlier workers did
   * not say what it is about.
   */
  | { readonly type: 'sounds'; readonly kinds?: readonly string[] }
  /** Something is shown, which may have been read before it got here. */
  | { readonly type: 'shown' };

/**
 * What was read is closed this long after the badge has fallen, at most this often: the server has recorded it by then.
 */
const CLOSE_AFTER_MS = 1_000;

/** Keeps this browser's push subscription alive, opens what the user clicks on, and closes what they have read. */
export function useDevice(): void {
  const { api, badge, ringsFor, viewer } = useSession();
  const [, navigate] = useLocation();
  useEffect(() => {
    // Absent without HTTPS.
    const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (worker === undefined) return;
    const renew = async () => {
      if (keptDevice(viewer.id) === undefined) return;
      const device = await import('./device.ts');
      await device.renew({ api, user: viewer.id });
    };
    // If it fails, it is done when the page is opened the next time.
    const tryToRenew = () => void renew().catch(() => {});
    const listen = ({ data, ports }: MessageEvent<FromWorker>) => {
      if (data.type === 'subscriptionChanged') tryToRenew();
      if (data.type === 'sounds') ports[0]?.postMessage(ringsFor.get()?.(data.kinds ?? []) ?? false);
      // Another window may be another user's.
      if (data.type !== 'open' || keptDevice(viewer.id) === undefined) return;
      ports[0]?.postMessage('opened');
      navigate(data.path);
    };
    tryToRenew();
    worker.addEventListener('message', listen);
    return () => worker.removeEventListener('message', listen);
  }, [api, ringsFor, viewer.id, navigate]);
  useEffect(() => {
    const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (worker === undefined) return;
    let before = badge.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let closed = Promise.resolve();
    const close = async () => {
      timer = undefined;
      const { closeWhatIsRead } = await import('./shown.ts');
      await closeWhatIsRead(api);
    };
    const closeSoon = () => {
      if (timer !== undefined || keptDevice(viewer.id) === undefined) return;
      // After the one before, which may have asked too early. If it fails, it is done after the next change.
      timer = setTimeout(() => {
        closed = closed.then(close).catch(() => {});
      }, CLOSE_AFTER_MS);
    };
    const shown = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'shown') closeSoon();
    };
    const listen = () => {
      const now = badge.get();
      if (keptDevice(viewer.id) !== undefined)
        void navigator.setAppBadge?.(now.notifications).catch(() => {});
      if (hasFallen(before, now)) closeSoon();
      before = now;
    };
    closeSoon();
    const stop = badge.subscribe(listen);
    document.addEventListener('visibilitychange', closeSoon);
    worker.addEventListener('message', shown);
    return () => {
      clearTimeout(timer);
      stop();
      worker.removeEventListener('message', shown);
      document.removeEventListener('visibilitychange', closeSoon);
    };
  }, [api, badge, viewer.id]);
}
