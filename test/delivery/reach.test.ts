/** What waits for a person: only what can be sent by a channel that they have left on. */
import { describe, expect, test } from 'vitest';
import { type DeliveryChannel, reachableWrite } from '../../src/delivery/delivery.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';

const DAY = 24 * 3600;

describe.each(['LIKE', 'DIRECT_MESSAGE', 'MESSAGE'] as const)('%s', (kind) => {
  test.each<
    readonly [string, { everyone: boolean; reachable: boolean }, readonly DeliveryChannel[], boolean]
  >([
    ['a browser, and only digests are on', { everyone: false, reachable: true }, ['EMAIL'], false],
    ['a browser, and nothing is on', { everyone: false, reachable: true }, [], false],
    [
      'a browser, and only webhooks are on',
      { everyone: false, reachable: true },
      ['WEBHOOK', 'EMAIL'],
      false,
    ],
    [
      'a webhook, and only browsers are on',
      { everyone: true, reachable: false },
      ['WEB_PUSH', 'EMAIL'],
      false,
    ],
    ['a webhook, which is on', { everyone: true, reachable: false }, ['WEBHOOK'], true],
    ['a browser, which is on', { everyone: false, reachable: true }, ['WEB_PUSH'], true],
    ['both, and only browsers are on', { everyone: true, reachable: true }, ['WEB_PUSH'], true],
  ])('%s', async (_name, { everyone, reachable }, channels, waits) => {
    const system = await openDeliverySystem({ everyone });
    const { services, settings, dynamo, create, consume, pass, deliveriesOf } = system;
    const [aki, ben] = [await create('Aki'), await create('Ben')];
    if (reachable) await dynamo.transact([reachableWrite(aki.id, true)]);
    await settings.change(aki.id, { kinds: new Map([[kind, { channels }]]) });
    const room = await system.room('Lunch', aki, ben);
    const { id: direct } = await services.rooms.openDirect(ben.id, [aki.id]);
    if (kind === 'MESSAGE') await settings.setRoom(aki.id, room, 'ALL');
    const message = await services.messages.send({ author: aki.id, room, body: 'Hello.' });
    await consume();
    if (kind === 'LIKE') await services.likes.add(ben.id, message);
    else {
      const to = kind === 'MESSAGE' ? room : direct;
      await services.messages.send({ author: ben.id, room: to, body: 'Hello.' });
    }
    await pass(DAY);
    const decided = (await deliveriesOf(aki)).filter(({ kinds }) => kinds.includes(kind));
    expect(decided).toHaveLength(waits ? 1 : 0);
  });
});
