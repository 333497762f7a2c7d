import type { TestApp } from '../../support/servers/app.ts';
import { eventually } from '../../support/time/eventually.ts';

/** The unread notifications of a demo user, newest first. */
export async function unreadOf({ dynamo, services }: TestApp, handle: string) {
  const page = { limit: 100, from: undefined, unreadOnly: true };
  const items = { loadMany: dynamo.batchGet };
  return (await services.notifications.list(services.users.idOf(handle), page, items)).nodes;
}

/** The number of unread messages and notifications of a demo user on the server. */
export const unreadTotalOf = async ({ services }: TestApp, handle: string): Promise<number> =>
  (await services.unread.state(services.users.idOf(handle))).total;

/**
 * Resolves when the notifications of the demo's messages have been delivered, and no badge changes by itself any more.
 * The stream is in order: the last notification is about Ben's reply to Aki in Tea, the second thread with replies to
 * her.
 */
export const demoIsDelivered = (app: TestApp): Promise<void> =>
  eventually(async () => {
    const replies = (await unreadOf(app, 'aki')).filter(({ kind }) => kind === 'REPLY');
    if (replies.length < 2) throw new Error('The notifications of the demo are still being delivered.');
  }, 50);
