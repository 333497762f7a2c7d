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
  const [ben, ...others] = await people(app, 6);
  const roomId = await roomOf(ben, others);
  for (const person of others) await person.do(RegisterPush, { input: service.subscribe() });
  service.respond(() => 'hang');
  const mention = ({ handle }: { readonly handle: string }) =>
    ben.do(SendMessage, { input: { roomId, body: `Hello @${handle}` } });
  await mention(others[0]);
  await service.arrived(1);
  // The service holds each push until its time-out. If a send waited for its push, that would be given up by now.
  expect(service.held()).toEqual({ now: 1, givenUp: 0 });
  let acknowledgedWhileHeld = 0;
  for (const person of others) {
    const before = service.held();
    await mention(person);
    const after = service.held();
    if (after.now > 0 && after.givenUp === before.givenUp) acknowledgedWhileHeld++;
  }
  // All of them, but on a slow machine some pushes reach their time-out meanwhile.
  expect(acknowledgedWhileHeld).toBeGreaterThan(0);
  const attempts = (await app.services.deliveries.list(others[0].id, { limit: 5, from: undefined })).nodes;
  expect(attempts.at(-1)).toMatchObject({ outcome: 'PENDING', attempts: [] });
}, 120_000);
