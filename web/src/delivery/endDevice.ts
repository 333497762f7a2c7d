import type { Session } from '../session/session.ts';
import { keptDevice } from './keptDevice.ts';

/** Users who sign out do not wait longer for it. */
const END_MS = 3_000;

/** Ends deliveries to this browser for a user who signs out, if there are any. */
export async function endDevice({ api, viewer }: Pick<Session, 'api' | 'viewer'>): Promise<void> {
  if (keptDevice(viewer.id) === undefined) return;
  const late = new Promise<void>((resolve) => setTimeout(resolve, END_MS));
  const ended = import('./device.ts').then((device) => device.turnOff({ api, user: viewer.id }));
  // Offline. The subscription has ended in this browser, and the push service says so to the server.
  await Promise.race([ended.catch(() => {}), late]);
}
