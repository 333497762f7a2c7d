import type { Session } from '../session/session.ts';
import { isOthersDevice, keptDevice } from './keptDevice.ts';

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

/**
 * Ends deliveries to a former user of this browser, whose sign-in ended without a sign-out: they would show the next
 * user what was sent to that one. Only to be called where all windows of the browser are the same user.
 */
export function endOthersDevice(user: string): void {
  if (!isOthersDevice(user)) return;
  // If it fails, the next page that is opened does it.
  void import('./device.ts').then((device) => device.endOthers(user)).catch(() => {});
}
