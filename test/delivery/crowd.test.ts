/** A room in which everyone writes, and everyone wants all messages: what it was first needed for. */
import { expect, onTestFinished, test } from 'vitest';
import { DELIVERY_WINDOWS } from '../../src/core/deliveryKinds.ts';
import { SendMessage } from '../support/clients/operations.ts';
import { people, roomOf } from '../support/clients/people.ts';
import { startTestApp } from '../support/servers/app.ts';
import { openDeliverySystem, type Person } from './support/deliverySystem.ts';
import { RegisterPush } from './support/pushOperations.ts';
import { startPushService } from './support/pushService.ts';

const PEOPLE = 30;
const MINUTES = 5;

test('thirty people who write for five minutes are sent one delivery each, and readers none', async () => {
  const system = await openDeliverySystem();
  const { services, settings, pass, deliveriesOf, summaries } = system;
  const crowd: Person[] = [];
  for (let i = 0; i < PEOPLE; i++) crowd.push(await system.create(`Person${i}`));
  const [owner, ...members] = crowd as [Person, ...Person[]];
  const room = await system.room('Lunch', owner, ...members);
  for (const { id } of crowd) await settings.setRoom(id, room, 'ALL');
  await pass(0);
  for (let minute = 0; minute < MINUTES; minute++) {
    for (const { id } of crowd) await services.messages.send({ author: id, room, body: 'Hello.' });
    await pass(60);
  }
  // The last five have the page open.
  const readers = crowd.slice(-5);
  for (const { id } of readers) await services.readPositions.markRead(id, room);
  await pass(3_600);
  const sent = await Promise.all(
    crowd.map(async (one) => (await deliveriesOf(one)).filter(({ outcome }) => outcome === 'PENDING').length),
  );
  expect(sent).toEqual(crowd.map((one) => (readers.includes(one) ? 0 : 1)));
  expect(await summaries(owner)).toEqual([expect.stringMatching(/^Lunch: Person\d+ and 28 others posted$/)]);
}, 120_000);

test('a send waits for no channel: it returns while a push service hangs', async () => {
  const service = await startPushService();
  const app = await startTestApp({
    timersMs: 200,
    config: {
      pushOrigins: [service.origin],
      deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
    },
  });
  onTestFinished(async () => {
    service.release();
    await app.stop();
    await service.stop();
  });
  const crowd = await people(app, 3);
  const [aki, ben, chi] = crowd;
  const roomId = await roomOf(aki, [ben, chi]);
  for (const person of [aki, chi]) await person.do(RegisterPush, { input: service.subscribe() });
  let answered = 0;
  service.respond(() => 'hang');
  await ben.do(SendMessage, { input: { roomId, body: `Hello @${aki.handle}` } });
  await service.arrived(1);
  // The first push is held by the service until its time-out. All of these are acknowledged before that.
  const first = service.pushes.length;
  for (let i = 0; i < 10; i++) {
    await ben.do(SendMessage, { input: { roomId, body: `Hello @${chi.handle}` } });
    answered++;
  }
  expect(first).toBe(1);
  expect(answered).toBe(10);
  const attempts = (await app.services.deliveries.list(aki.id, { limit: 5, from: undefined })).nodes;
  expect(attempts.map(({ outcome, attempts: made }) => [outcome, made.length])).toEqual([['PENDING', 0]]);
});
