import { vi } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { STEP_TIMEOUT } from './windows.ts';

/** The unread notifications of one of the demo people, newest first. */
export async function unreadOf({ dynamo, services }: TestApp, handle: string) {
  const page = { limit: 100, from: undefined, unreadOnly: true };
  const items = { loadMany: dynamo.batchGet };
  return (await services.notifications.list(services.users.idOf(handle), page, items)).nodes;
}

/** What is unread for one of the demo people, rooms and notifications, as the server has it. */
export const unreadTotalOf = async ({ services }: TestApp, handle: string): Promise<number> =>
  (await services.unread.state(services.users.idOf(handle))).total;

/**
 * Resolves when people were told of what the demo begins with, and no badge moves by itself any more. The stream is
 * in order: the last thing that somebody is told of is Ben's reply to Aki in Tea, the second thread with replies
 * to her.
 */
export const everybodyIsTold = (app: TestApp): Promise<void> =>
  vi.waitFor(
    async () => {
      const replies = (await unreadOf(app, 'aki')).filter(({ kind }) => kind === 'REPLY');
      if (replies.length < 2) throw new Error('The demo is still being told.');
    },
    { timeout: STEP_TIMEOUT, interval: 50 },
  );
