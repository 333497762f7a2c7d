/** What a webhook gets of a summary is only about the kinds that it may have: texts, rooms and links too. */
import { expect, onTestFinished, test } from 'vitest';
import { DELIVERY_KINDS, type DeliveryKind } from '../../src/core/deliveryKinds.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';
import { startPushService } from './support/pushService.ts';
import { startReceiver } from './support/receiver.ts';

const windows = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  LIKE: { delaySeconds: 10, windowSeconds: 60 },
};

async function openScenario(kinds: readonly DeliveryKind[]) {
  const [service, receiver] = await Promise.all([startPushService(), startReceiver()]);
  onTestFinished(async () => {
    await Promise.all([service.stop(), receiver.stop()]);
  });
  const system = await openDeliverySystem({ windows, service, webhooks: [{ ...receiver.config, kinds }] });
  const { services, settings, pass, now } = system;
  const aki = await system.create('Aki');
  const ben = await system.create('Ben');
  const lobby = await system.room('Lobby', aki, ben);
  const { id: layoffs } = await services.rooms.create(aki.id, {
    name: 'Layoffs',
    topic: null,
    visibility: 'PRIVATE',
    capacity: null,
  });
  await settings.change(ben.id, { kinds: new Map([['INVITED', { mode: 'OFF' }]]) });
  await services.rooms.add({ by: aki.id, room: layoffs, user: ben.id });
  const plan = await services.messages.send({ author: aki.id, room: layoffs, body: 'A plan.' });
  await pass(0);
  /** A mention in Lobby and a like in Layoffs, in one summary at the end of a pause. */
  async function summarize(): Promise<void> {
    await settings.change(aki.id, { pausedUntil: now() + 600_000 });
    await services.messages.send({ author: ben.id, room: lobby, body: `@${aki.handle} Look!` });
    await services.likes.add(ben.id, plan);
    await pass(700);
  }
  return { ...system, service, receiver, aki, lobby, summarize };
}

test.each(['the person', 'the operator'])('kinds that %s left out are in no part of it', async (who) => {
  const { aki, lobby, settings, service, receiver, summarize } = await openScenario(
    who === 'the operator' ? ['MENTION'] : DELIVERY_KINDS,
  );
  if (who === 'the person') {
    await settings.change(aki.id, { kinds: new Map([['LIKE', { channels: ['WEB_PUSH'] }]]) });
  }
  await summarize();
  expect(service.pushes.map(({ payload }) => payload.text)).toEqual(['2 new notifications']);
  const [request, ...others] = receiver.requests;
  expect(others).toEqual([]);
  expect(request?.deliveries).toEqual([
    {
      id: expect.any(String),
      user: { id: encodeId('User', aki.id), handle: aki.handle },
      kinds: ['MENTION'],
      rooms: [{ id: encodeId('Room', lobby), name: 'Lobby' }],
      text: 'Ben mentioned you',
      url: expect.stringContaining(`/rooms/${encodeId('Room', lobby)}/messages/`),
    },
  ]);
});
