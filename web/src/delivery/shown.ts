import type { Api } from '../api/api.ts';
import { WhatIsLeftDocument } from '../generated/graphql.ts';

/** What the service worker keeps with a notification. Earlier ones did not keep the ids. */
interface Shown {
  readonly deliveries?: readonly string[];
}

/** The most deliveries that are asked for at once. What is beyond stays until some of these are closed. */
const ASKED_MAX = 40;

/**
 * Closes what this browser shows and was read, deleted or muted meanwhile, here or on another device. One query if
 * something is shown, otherwise none. The other windows of this browser need not ask as well.
 */
export const closeWhatIsRead = (api: Pick<Api, 'queryUncached'>): Promise<void> =>
  navigator.locks.request('tsudoi:closing', { ifAvailable: true }, async (lock) => {
    if (lock !== null) await close(api);
  });

/** Not while the service worker shows one (web/worker/serviceWorker.ts, which knows the lock by this name). */
export const shownNow = async (
  registration: ServiceWorkerRegistration | undefined,
): Promise<readonly Notification[]> =>
  navigator.locks.request('tsudoi:shown', async () => registration?.getNotifications() ?? []);

async function close({ queryUncached }: Pick<Api, 'queryUncached'>): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  const shown = (await shownNow(registration)).flatMap((one) => {
    const { deliveries = [] } = (one.data as Shown | null) ?? {};
    return deliveries.length === 0 ? [] : [{ close: () => one.close(), deliveries }];
  });
  const ids = [...new Set(shown.flatMap(({ deliveries }) => deliveries))].slice(0, ASKED_MAX);
  if (ids.length === 0) return;
  const { nodes } = await queryUncached(WhatIsLeftDocument, { ids });
  const over = new Set(
    ids.filter((_, i) => {
      const node = nodes[i];
      // Null: it is not kept any more, or it is another user's.
      return node == null || !('text' in node) || node.text === null;
    }),
  );
  for (const { close, deliveries } of shown) if (deliveries.every((one) => over.has(one))) close();
}
