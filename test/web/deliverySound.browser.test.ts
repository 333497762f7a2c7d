/** Whether a delivery is shown with the system's sound, or the page makes one. */
import { describe, expect, it } from 'vitest';
import { hasWholeBrowser } from '../support/clients/browser.ts';
import { useDeliveries } from './support/deliveries.ts';
import { comesTo } from './support/pages.ts';
import type { PushWindow } from './support/pushBrowser.ts';

describe.skipIf(!hasWholeBrowser())('web, the sound of deliveries', () => {
  const { open, turnOn, roomOf, mention } = useDeliveries();

  /** Whether the notification with this text is shown without the system's sound. */
  const isSilent = async ({ worker }: PushWindow, body: string) =>
    (await worker()).evaluate(
      `navigator.locks.request('tsudoi:shown', async () =>
        (await registration.getNotifications()).find(({ body }) => body === ${JSON.stringify(body)}).silent,
      )`,
    );
  /** Whether the page alerts its user to what is new. */
  const isAlerting = ({ page }: PushWindow) =>
    page.evaluate(
      `navigator.locks.query().then(({ held }) => held.some(({ name }) => name.startsWith('tsudoi:page:')))`,
    );

  it('a page that its user looks at makes the sound: the delivery is shown without one', async () => {
    const room = await roomOf('Choir', 'ben', 'chie');
    const chie = await open('chie');
    await turnOn(chie);
    await comesTo(() => isAlerting(chie), true);
    const push = await mention(room, '@chie Sing.');
    await chie.deliver(push);
    expect(await isSilent(chie, 'Ben Okafor mentioned you')).toBe(true);
    // What the page does not alert to, with the same page in front.
    for (const [kinds, silent] of [
      [['LIKE'], false],
      [['LIKE', 'DIRECT_MESSAGE'], true],
      // A test, and a server of an earlier release.
      [[], false],
      [undefined, false],
    ] as const) {
      const text = `About ${kinds}`;
      await chie.deliver({ payload: { ...push.payload, text, id: text, tag: text, kinds } });
      expect(await isSilent(chie, text), text).toBe(silent);
    }
    // What quiet hours held back: the page made no sound when it happened.
    const held = 'Held back';
    await chie.deliver({ payload: { ...push.payload, text: held, id: held, tag: held, wasHeld: true } });
    expect(await isSilent(chie, held)).toBe(false);
    await chie.page.evaluate('document.hasFocus = () => false');
    const text = 'Louder.';
    await chie.deliver({ payload: { ...push.payload, text, id: text, tag: text } });
    expect(await isSilent(chie, text)).toBe(false);
    expect(chie.complaints).toEqual([]);
  });

  it('a page that no one has used yet: says that it makes no sound, so that no delivery waits for it', async () => {
    const chie = await open('chie');
    await turnOn(chie);
    await chie.page.reload();
    await chie.page.getByRole('button', { name: 'Turn off' }).waitFor();
    expect(await isAlerting(chie)).toBe(false);
    const answer = (await chie.worker()).evaluate(`new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      clients.matchAll({ type: 'window', includeUncontrolled: true }).then(([page]) =>
        page.postMessage({ type: 'sounds', kinds: ['MENTION'] }, [port2]),
      );
    })`);
    expect(await answer).toBe(false);
    expect(await isAlerting(chie)).toBe(false);
    expect(chie.complaints).toEqual([]);
  });
});
