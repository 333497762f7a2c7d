import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../session/session.ts';
import { keptDevice } from './keptDevice.ts';

/** What the service worker sends to pages. */
type FromWorker =
  /** A user clicked on a delivery. The page that opens it responds on the port. */
  { readonly type: 'open'; readonly path: string } | { readonly type: 'subscriptionChanged' };

/** Keeps this browser's push subscription alive, and opens what the user clicks on. */
export function useDevice(): void {
  const { api, viewer } = useSession();
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
      // Another window may be another user's.
      if (data.type !== 'open' || keptDevice(viewer.id) === undefined) return;
      ports[0]?.postMessage('opened');
      navigate(data.path);
    };
    tryToRenew();
    worker.addEventListener('message', listen);
    return () => worker.removeEventListener('message', listen);
  }, [api, viewer.id, navigate]);
}
