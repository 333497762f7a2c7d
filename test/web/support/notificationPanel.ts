import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { defined } from '../../../src/core/defined.ts';
import type { Message } from '../../../src/messages/message.ts';
import { useBrowser } from '../../support/clients/windows.ts';
import type { TestApp } from '../../support/servers/app.ts';
import { demoIsDelivered } from './notificationState.ts';
import { comesTo, hasFocus, type Opening, open, startWeb } from './pages.ts';

/** Also below the open panel, which hides everything else from screen readers. */
export const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/, includeHidden: true });
export const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
export const rows = (page: Page) => panel(page).locator('[data-notification]');
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** The number of unread notifications on the bell. */
export async function countOf(page: Page): Promise<number> {
  return Number(/(\d+) unread/.exec((await bell(page).getAttribute('aria-label')) ?? '')?.[1] ?? 0);
}

export async function openPanel(page: Page): Promise<void> {
  await bell(page).click();
  await isOpen(page);
}

/** Resolves when the panel is open and has the focus. */
export async function isOpen(page: Page): Promise<void> {
  await panel(page).waitFor();
  await comesTo(() => hasFocus(panel(page)), true);
}

/** As if the user switched to another window, and back. */
export const lookAway = (page: Page) =>
  page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))");
export const lookBack = (page: Page) =>
  page.evaluate("delete document.hasFocus; dispatchEvent(new Event('focus'))");

/**
 * An app with the web client and the demo, whose notifications have been delivered, and a browser. To be called once in
 * a `describe`, outside its tests.
 */
export function useNotifications() {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
    await demoIsDelivered(app);
  });
  afterAll(() => app?.stop());
  const id = (handle: string) => app.services.users.idOf(handle);

  return {
    get app() {
      return app;
    },
    id,
    as: (handle: string, other: Partial<Opening> = {}) =>
      open({ browser: browser(), url: app.url, as: handle, ...other }),
    /** Marks all notifications of a user as read. */
    clear: (handle: string) => app.services.notificationReading.markAllRead(id(handle)),
    async room(name: string, members: readonly string[]): Promise<string> {
      const [owner = '', ...others] = members.map(id);
      const made = { name, topic: null, visibility: 'PUBLIC', capacity: null } as const;
      const { id: room } = await app.services.rooms.create(owner, made);
      for (const other of others) await app.services.rooms.join(other, room);
      return room;
    },
    say: (room: string, author: string, body: string, replyTo?: Message) =>
      app.services.messages.send({
        room,
        author: id(author),
        body,
        ...defined({ replyTo }),
      }),
  };
}
