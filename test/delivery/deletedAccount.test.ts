/**
 * An account is deleted while deliveries to its user wait, are retried, and are held back: nothing is sent any more.
 */
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { openDeliverySystem, type Person } from './support/deliverySystem.ts';
import { startMailServer } from './support/mailServer.ts';
import { startPushService } from './support/pushService.ts';
import { startReceiver } from './support/receiver.ts';

const HOUR = 3_600;
const PAUSE_MAX_MS = 365 * 24 * HOUR * 1_000;

async function openScenario() {
  const [service, receiver, server] = await Promise.all([
    startPushService(),
    startReceiver(),
    startMailServer({ startTls: false }),
  ]);
  onTestFinished(() => Promise.all([service.stop(), receiver.stop(), server.stop()]).then(() => {}));
  const webhooks = [{ ...receiver.config, kinds: ['MENTION', 'LIKE'] as const }];
  const system = await openDeliverySystem({ service, mail: server.config(), webhooks });
  const [aki, ben] = (await Promise.all(['Aki', 'Ben'].map(system.create))) as [Person, Person];
  const room = await system.room('Lunch', ben, aki);
  await system.settings.change(aki.id, {
    emailDigest: 'MINUTES_15',
    email: { address: 'aki@example.org', tokenAt: 0 },
  });
  await system.pass(0);
  const { services, dynamo } = system;
  return {
    ...system,
    aki,
    ben,
    room,
    /** The providers accept everything, or nothing for now. */
    accept(is: boolean): void {
      service.respond(() => ({ status: is ? 201 : 503 }));
      receiver.respond(() => ({ status: is ? 204 : 503 }));
      server.reply('data', is ? 'ok' : { code: 451, text: '4.3.0 later' });
    },
    mention: () => services.messages.send({ author: ben.id, room, body: `@${aki.handle} Look!` }),
    requests: () => [service.pushes.length, receiver.requests.length, server.mails.length],
    async partition(): Promise<string[]> {
      const { pk } = keys.user(aki.id);
      const { items } = await dynamo.query({ pk, from: '0', to: '\u{10FFFF}' }, { limit: 100 });
      return items.map(({ sk }) => String(sk));
    },
    timersOf: async () => (await system.openTimers()).filter(({ id }) => id.includes(aki.id)),
  };
}

test.each(['is being retried', 'waits', 'is held back by a pause'] as const)(
  'a delivery that %s is not sent after the account is deleted, and leaves nothing',
  async (how) => {
    const scenario = await openScenario();
    const { aki, mention, accept, pass, settings, now, services, requests, partition, timersOf } = scenario;
    if (how === 'is being retried') {
      accept(false);
      await mention();
      // The push, the webhook and the mail.
      await pass(960);
      expect(requests().every((count) => count > 0)).toBe(true);
    } else {
      if (how === 'is held back by a pause') {
        await settings.pause(aki.id, now() + PAUSE_MAX_MS / 2, PAUSE_MAX_MS);
      }
      await mention();
      await pass(how === 'waits' ? 1 : 60);
    }
    expect((await timersOf()).length).toBeGreaterThanOrEqual(2);
    const before = requests();
    accept(true);
    await services.accountDeletion.remove(aki.id, { eraseMessages: false });
    expect(await partition()).toEqual(['PROFILE']);
    await pass(3 * HOUR);
    expect(requests()).toEqual(before);
    expect(await partition()).toEqual(['PROFILE']);
    expect(await timersOf()).toEqual([]);
  },
);

test('nothing is sent before the job has removed what the user has', async () => {
  const { aki, mention, accept, consume, describe, deliveriesOf, pass, dynamo, requests, partition } =
    await openScenario();
  accept(false);
  await mention();
  await pass(60);
  await mention();
  await consume();
  const before = requests();
  accept(true);
  // As the transaction does that deletes an account. The job has not begun.
  await dynamo.update(keys.user(aki.id), {
    update: 'SET deletedAt = :at',
    values: { ':at': '1700000000000000' },
  });
  await pass(HOUR * 3);
  expect(requests()).toEqual(before);
  const deliveries = await deliveriesOf(aki);
  expect(deliveries.map(({ outcome }) => outcome)).toEqual(['NOT_ENTITLED']);
  expect((await partition()).filter((sk) => sk.startsWith('DELIVERY#'))).toHaveLength(1);
  const [first] = deliveries;
  if (first === undefined) throw new Error('Nothing was decided.');
  expect(await describe({ ...first, kinds: [] })).toEqual({ words: null, reason: 'NOT_ENTITLED' });
});
