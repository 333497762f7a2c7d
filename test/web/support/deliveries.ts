import { afterAll, beforeAll } from 'vitest';
import { DELIVERY_WINDOWS } from '../../../src/core/deliveryKinds.ts';
import { type PushService, startPushService } from '../../delivery/support/pushService.ts';
import { complaintsOf } from '../../support/clients/browser.ts';
import { useBrowser } from '../../support/clients/windows.ts';
import type { TestApp } from '../../support/servers/app.ts';
import { demoIsDelivered } from './notificationState.ts';
import { startWeb } from './pages.ts';
import { openPushWindow, type PushWindow, type PushWindowOptions } from './pushBrowser.ts';

export const SETTINGS = '/settings/notifications';

/**
 * An app whose mentions are delivered at once to a push service of its own, and a browser. To be called once in a
 * `describe`, outside its tests.
 */
export function useDeliveries() {
  const browser = useBrowser('browser');
  let app: TestApp;
  let service: PushService;
  beforeAll(async () => {
    service = await startPushService();
    app = await startWeb({
      timersMs: 200,
      config: {
        pushOrigins: [service.origin],
        deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
      },
    });
    await demoIsDelivered(app);
  });
  afterAll(async () => {
    await app?.stop();
    await service?.stop();
  });

  const id = (handle: string) => app.services.users.idOf(handle);
  const window = (look: Partial<PushWindowOptions> = {}) =>
    openPushWindow({ browser: browser(), url: app.url, service, ...look });

  return {
    get app() {
      return app;
    },
    get service() {
      return service;
    },
    id,
    devicesOf: async (handle: string) => (await app.services.pushSubscriptions.read(id(handle))).all,
    /** One with nothing in it. */
    window,

    /** At the settings of deliveries. */
    async open(as: string, look: Partial<PushWindowOptions> = {}) {
      const opened = await window(look);
      const complaints = complaintsOf(opened.page, app.url);
      await opened.page.goto(`${app.url}${SETTINGS}?as=${as}`);
      return { ...opened, complaints };
    },

    async turnOn({ page }: PushWindow): Promise<void> {
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByText('This browser shows notifications.').waitFor();
    },

    async roomOf(name: string, ...handles: readonly string[]): Promise<string> {
      const [owner = '', ...others] = handles.map(id);
      const made = { name, topic: null, visibility: 'PUBLIC', capacity: null } as const;
      const { id: room } = await app.services.rooms.create(owner, made);
      for (const other of others) await app.services.rooms.join(other, room);
      return room;
    },

    /** Someone mentions a user. Resolves to what the push service receives. */
    async mention(room: string, body: string, author = 'ben') {
      const before = service.pushes.length;
      await app.services.messages.send({ room, author: id(author), body });
      const push = (await service.arrived(before + 1)).at(-1);
      if (push === undefined) throw new Error('Nothing arrived.');
      return push;
    },
  };
}
