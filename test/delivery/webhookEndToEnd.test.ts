/** From a message to a webhook: the whole product, and a receiver as the documentation shows it. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELIVERY_WINDOWS } from '../../src/core/deliveryKinds.ts';
import { LeaveRoom, SendMessage } from '../support/clients/operations.ts';
import { people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { Deliveries } from './support/pushOperations.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { verifyWebhook } from './support/verifyWebhook.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  app = await startTestApp({
    timersMs: 500,
    config: {
      webhooks: [{ ...receiver.config, kinds: ['MENTION'] }],
      webhookPrivateHosts: ['127.0.0.1'],
      deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
    },
  });
});
afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
});

test('a mention of a person without a browser reaches the webhook, with names, room and link', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben], { name: 'Tea' });
  const before = receiver.requests.length;
  await ben.do(SendMessage, { input: { roomId, body: `A secret for @${aki.handle}` } });
  const request = (await receiver.arrived(before + 1)).at(-1);
  const { headers = {}, body = '' } = request ?? {};
  expect(verifyWebhook(receiver.secret, headers, body).data.deliveries).toEqual([
    {
      id: expect.any(String),
      user: { id: expect.any(String), handle: aki.handle },
      kinds: ['MENTION'],
      rooms: [{ id: roomId, name: 'Tea' }],
      text: expect.stringMatching(/ mentioned you$/),
      url: expect.stringContaining(`${app.url}/rooms/${roomId}/messages/`),
    },
  ]);
  expect(body).not.toContain('secret');
  expect(() => verifyWebhook(receiver.secret, headers, body.replace('Tea', 'Pea'))).toThrow();
  await eventually(async () => {
    const { edges } = (await aki.do(Deliveries)).viewer.deliveries;
    expect(edges.map(({ node }) => node)).toEqual([{ id: request?.deliveries[0]?.id, outcome: 'SENT' }]);
  });
});

test('what a person may not see any more is not sent, also if it was decided before', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben], { name: 'Secret plans' });
  receiver.respond(() => ({ status: 503, headers: { 'retry-after': '2' } }));
  const before = receiver.requests.length;
  await aki.do(SendMessage, { input: { roomId, body: `Hello @${ben.handle}` } });
  await receiver.arrived(before + 1);
  await ben.do(LeaveRoom, { roomId });
  receiver.respond(() => ({ status: 204 }));
  await eventually(async () => {
    const { edges } = (await ben.do(Deliveries)).viewer.deliveries;
    expect(edges.map(({ node }) => node.outcome)).toEqual(['NOT_ENTITLED']);
  });
  expect(receiver.requests).toHaveLength(before + 1);
});

test('docs/delivery.md: the code of the receiver is the code that is tested', async () => {
  const document = await readFile(new URL('../../docs/delivery.md', import.meta.url), 'utf8');
  const [, code] =
    /^`test\/delivery\/support\/verifyWebhook\.ts`:\n\n```ts\n(.*?)^```$/ms.exec(document) ?? [];
  expect(code).toBe(await readFile(new URL('support/verifyWebhook.ts', import.meta.url), 'utf8'));
});
