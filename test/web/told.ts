import { vi } from 'vitest';
import type { TestApp } from '../support/app.ts';

/** The unread notifications of a demo user, newest first. */
export async function unreadOf({ dynamo, services }: TestApp, handle: string) {
  const page = { limit: 100, from: undefined, unreadOnly: true };
  const items = { loadMany: dynamo.batchGet };
  return (await services.notifications.list(services.users.idOf(handle), page, items)).nodes;
}

/** A demo user's total of unread messages and notifications, read from the server. */
export const unreadTotalOf = async ({ services }: TestApp, handle: string): Promise<number> =>
  (await services.unread.state(services.users.idOf(handle))).total;

/**
 * Resolves when the notifications of the demo data are complete, so that no badge changes by itself any more. The
 * stream is in order, and the last notification is for Ben's reply to Aki in Tea: the second thread with replies
 * to her.
 */
export const everybodyIsTold = (app: TestApp): Promise<void> =>
  vi.waitFor(
    async () => {
      const replies = (await unreadOf(app, 'aki')).filter(({ kind }) => kind === 'REPLY');
      if (replies.length < 2) throw new Error('The notifications of the demo data are not complete yet.');
    },
    { timeout: 20_000, interval: 50 },
  );
