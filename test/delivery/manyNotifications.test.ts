/** More notifications of one kind in a room than a page of the bell has: words count all of them. */
import { expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { NOTIFICATIONS_MAX } from '../../src/delivery/delivery.ts';
import {
  type GatheringKey,
  gatheringOf,
  gatheringTimer,
  gatheringWrite,
} from '../../src/delivery/gathering.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Message } from '../../src/messages/message.ts';
import { notificationItem } from '../../src/notifications/notification.ts';
import { setTimer } from '../../src/timers/timer.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { openDeliverySystem, type Person } from './support/deliverySystem.ts';

const HOUR = 3_600;

async function openScenario() {
  const system = await openDeliverySystem();
  const { services, dynamo, create } = system;
  const [aki, ben, chi, dan] = [
    ...[await create('Aki'), await create('Ben')],
    ...[await create('Chi'), await create('Dan')],
  ] as [Person, Person, Person, Person];
  const lunch = await system.room('Lunch', aki, ben, chi, dan);
  const say = (author: Person, body = 'Hello.') =>
    services.messages.send({ author: author.id, room: lunch, body });
  await system.pass(0);

  /** A gathering of new notifications, all of which are likes of one message by Ben. */
  async function gather(message: Message, { room = lunch, count = 1, due = HOUR, held = false }) {
    const at = toTimestamp(system.now() * 1_000);
    const ids = Array.from({ length: count }, newId);
    const items = ids.map((id) =>
      notificationItem({
        user: aki.id,
        id,
        kind: 'LIKE',
        room: lunch,
        threadTs: message.threadTs,
        ts: message.ts,
        count: 1,
        actors: [{ user: ben.id, at }],
        updatedAt: at,
        epoch: 0,
        variants: [],
        latest: null,
        version: 1,
        readAt: null,
        expiresAt: null,
      }),
    );
    await bulkWrite({ dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
    const key: GatheringKey = { user: aki.id, kind: 'LIKE', room };
    const none = gatheringOf(key, await dynamo.get(keys.gathering(aki.id, 'LIKE', room)));
    const dueAt = system.now() + due * 1_000;
    await dynamo.transact([
      gatheringWrite(none, { ...none, dueAt, held, notifications: ids }),
      setTimer(gatheringTimer(key, dueAt)),
    ]);
  }

  return {
    ...system,
    aki,
    ben,
    chi,
    dan,
    lunch,
    say,
    gather,
    mention: (author: Person) => say(author, `@${aki.handle} Look!`),
    gathering: (kind: 'LIKE' | 'MENTION') => dynamo.get(keys.gathering(aki.id, kind, lunch)),
  };
}

test('everyone who mentioned the person is counted, and is not delivered again', async () => {
  const { aki, ben, chi, dan, mention, pass, consume, summaries, gathering, dispatcher, dynamo } =
    await openScenario();
  for (const person of [ben, dan]) await mention(person);
  for (let i = 0; i < 28; i++) await mention(chi);
  await pass(11);
  expect(await summaries(aki)).toEqual(['Lunch: Chi and 2 others mentioned you']);
  const seen = Object.keys((await gathering('MENTION'))?.seen as object);
  expect(seen).toHaveLength(30);
  // Their records are read again.
  for (const id of seen) {
    const item = await dynamo.get(keys.notification(aki.id, id));
    const change = { stream: 's', sequence: '1', kind: 'INSERT', expired: false, new: item };
    await dispatcher.dispatch([{ ...change, key: { type: 'notification', user: aki.id, id } } as never]);
  }
  await pass(HOUR);
  expect(await summaries(aki)).toHaveLength(1);
  // The item is as small as before, once something else is delivered.
  await mention(ben);
  await consume();
  await pass(HOUR);
  expect((await summaries(aki)).slice(1)).toEqual(['Lunch: Ben mentioned you']);
  expect(Object.keys((await gathering('MENTION'))?.seen as object)).toHaveLength(25);
});

test('fifty liked messages in an hour', async () => {
  const { aki, ben, say, services, pass, summaries } = await openScenario();
  for (let i = 0; i < 50; i++) await services.likes.add(ben.id, await say(aki));
  await pass(HOUR + 1);
  expect(await summaries(aki)).toEqual(['Lunch: Ben liked 50 of your messages']);
});

test('a mention before many that were deleted', async () => {
  const { aki, ben, chi, mention, services, consume, pass, summaries } = await openScenario();
  await mention(ben);
  const deleted = [];
  for (let i = 0; i < 28; i++) deleted.push(await mention(chi));
  await consume();
  for (const message of deleted) await services.messages.remove(chi.id, message);
  await pass(11);
  expect(await summaries(aki)).toEqual(['Lunch: Ben mentioned you']);
});

test('a gathering has the newest 250, below 6 KB while they wait, and below 16 KB after that', async () => {
  const { aki, lunch, arm, say, gather, pass, now, deliveriesOf, summaries, gathering } =
    await openScenario();
  const message = await say(aki);
  await pass(0);
  const id = newId();
  await gather(message, { count: NOTIFICATIONS_MAX });
  const sizeOf = async () => JSON.stringify(await gathering('LIKE')).length;
  expect(await sizeOf()).toBeLessThan(6 * 1_024);
  const about = (await gathering('LIKE'))?.about as string[];
  const at = toTimestamp(now() * 1_000);
  await arm({ user: aki.id, kind: 'LIKE', room: lunch }, [{ id, kind: 'LIKE', at, count: 1 }]);
  expect((await gathering('LIKE'))?.about).toEqual([...about.slice(1), id]);
  await pass(HOUR);
  // The newest does not exist, and the oldest is not known any more.
  expect(await summaries(aki)).toEqual(['Lunch: Ben liked 249 or more of your messages']);
  expect(await summaries(aki, 'ja')).toEqual([
    'Lunch: Benさんがあなたの249件以上のメッセージに「いいね」しました',
  ]);
  expect(await sizeOf()).toBeLessThan(16 * 1_024);
  const [delivery] = await deliveriesOf(aki);
  expect(delivery?.notifications).toHaveLength(249);
  // The next one is whole again.
  await gather(message, { count: 2 });
  await pass(HOUR);
  expect((await summaries(aki)).slice(1)).toEqual(['Lunch: Ben liked 2 of your messages']);
});

test('a summary counts all, and what is more than a thousand is in a further one', async () => {
  const { aki, say, gather, settings, now, pass, consume, deliveriesOf, summaries } = await openScenario();
  const message = await say(aki);
  await settings.pause(aki.id, now() + HOUR * 1_000, 86_400_000);
  await pass(0);
  for (let i = 0; i < 5; i++) {
    await gather(message, { room: newId(), count: 250, due: HOUR + i, held: true });
  }
  await settings.pause(aki.id, null, 86_400_000);
  await consume();
  await pass(10);
  expect(await summaries(aki)).toEqual([
    'Lunch: Ben liked 1,000 of your messages',
    'Lunch: Ben liked 250 of your messages',
  ]);
  expect((await deliveriesOf(aki)).map(({ notifications, total }) => [notifications.length, total])).toEqual([
    [250, 1_000],
    [250, undefined],
  ]);
});

test('what was held back says that there may be more, and so does a mail', async () => {
  const { aki, lunch, say, gather, arm, settings, now, pass, consume, describe, deliveriesOf, summaries } =
    await openScenario();
  const message = await say(aki);
  await settings.pause(aki.id, now() + HOUR * 1_000, 86_400_000);
  await pass(0);
  await gather(message, { count: NOTIFICATIONS_MAX, held: true });
  const at = toTimestamp(now() * 1_000);
  await arm({ user: aki.id, kind: 'LIKE', room: lunch }, [{ id: newId(), kind: 'LIKE', at, count: 1 }]);
  await settings.pause(aki.id, null, 86_400_000);
  await consume();
  await pass(10);
  expect(await summaries(aki)).toEqual(['Lunch: Ben liked 249 or more of your messages']);
  const [delivery] = await deliveriesOf(aki);
  if (delivery === undefined) throw new Error('Nothing was delivered.');
  const { words } = await describe(delivery, { parts: true });
  expect(words?.isCut).toBe(true);
});
