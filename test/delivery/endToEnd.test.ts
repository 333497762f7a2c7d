/** From a message to a browser: the whole product, a push service, and nothing in between that is not the product's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELIVERY_WINDOWS } from '../../src/core/deliveryKinds.ts';
import { readMetrics } from '../app/support/metrics.ts';
import { SendMessage } from '../support/clients/operations.ts';
import { type Person, people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { Deliveries, RegisterPush } from './support/pushOperations.ts';
import { type PushService, startPushService } from './support/pushService.ts';

let app: TestApp;
let service: PushService;
beforeAll(async () => {
  service = await startPushService();
  app = await startTestApp({
    timersMs: 500,
    config: {
      pushOrigins: [service.origin],
      deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
    },
  });
});
afterAll(async () => {
  await app?.stop();
  await service?.stop();
});

const outcomes = async (person: Person) =>
  (await person.do(Deliveries)).viewer.deliveries.edges.map(({ node }) => node.outcome);

test('a mention reaches the browser of a person who is away, with names, room and link', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben], { name: 'Tea' });
  await aki.do(RegisterPush, { input: service.subscribe() });
  const before = service.pushes.length;
  await ben.do(SendMessage, { input: { roomId, body: `Hello @${aki.handle}` } });
  const push = (await service.arrived(before + 1)).at(-1);
  expect(push?.headers.urgency).toBe('high');
  expect(push?.payload).toMatchObject({ title: 'Tea', badge: 1, kinds: ['MENTION'] });
  expect(push?.payload.text).toMatch(/ mentioned you/);
  expect(push?.payload.url).toMatch(`${app.url}/rooms/${roomId}/messages/`);
  await eventually(async () => expect(await outcomes(aki)).toEqual(['SENT']));
  const metrics = await readMetrics(app.url);
  expect(['sum', 'count'].map((end) => metrics.value(`tsudoi_delivery_acts_${end}`))).toEqual([1, 1]);
});

test('a person without a browser has no delivery', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben, chi]);
  await aki.do(RegisterPush, { input: service.subscribe() });
  await ben.do(SendMessage, { input: { roomId, body: `Hello @${aki.handle} and @${chi.handle}` } });
  await eventually(async () => expect(await outcomes(aki)).toEqual(['SENT']));
  await app.quiet();
  expect(await outcomes(chi)).toEqual([]);
});
