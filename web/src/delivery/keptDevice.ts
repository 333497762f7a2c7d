/**
 * The user that this browser shows deliveries to, and the id of its push subscription. A browser has one subscription,
 * while each of its windows may have another user.
 */
interface KeptDevice {
  readonly user: string;
  readonly id: string;
}

const PLACE = 'tsudoi:push';

/** The id of this browser's push subscription, if it shows deliveries to this user. */
export function keptDevice(user: string): string | undefined {
  const text = localStorage.getItem(PLACE);
  const kept = text === null ? undefined : (JSON.parse(text) as KeptDevice);
  return kept?.user === user ? kept.id : undefined;
}

export const keepDevice = (kept: KeptDevice): void => localStorage.setItem(PLACE, JSON.stringify(kept));
export const forgetDevice = (): void => localStorage.removeItem(PLACE);
