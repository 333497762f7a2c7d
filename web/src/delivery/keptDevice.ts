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
  const device = kept();
  return device?.user === user ? device.id : undefined;
}

/** Whether this browser shows deliveries to another user. */
export function isOthersDevice(user: string): boolean {
  const device = kept();
  return device !== undefined && device.user !== user;
}

/** Undefined as well for a value of another release, or one that someone has edited. */
function kept(): KeptDevice | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<
      Record<keyof KeptDevice, unknown>
    > | null;
    const { user, id } = found ?? {};
    return typeof user === 'string' && typeof id === 'string' ? { user, id } : undefined;
  } catch {
    return undefined;
  }
}

export const keepDevice = (device: KeptDevice): void => localStorage.setItem(PLACE, JSON.stringify(device));
export const forgetDevice = (): void => localStorage.removeItem(PLACE);
