/** History that an import adds to a room with members is unread for them, and is not sent to anyone. */
import { expect, test } from 'vitest';
import { runImport } from '../../src/import/import.ts';
import { readerOf } from '../../src/import/reader.ts';
import { fileOf } from '../import/support/files.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';

test('a message is delivered if an import adds many newer ones behind it', async () => {
  const { services, settings, dynamo, create, room, now, pass, stall, consume, summaries } =
    await openDeliverySystem();
  const [aki, ben] = [await create('Aki'), await create('Ben')];
  const lunch = await room('Lunch', aki, ben);
  await settings.setRoom(ben.id, lunch, 'ALL');
  await pass(60);
  await services.messages.send({ author: aki.id, room: lunch, body: 'New' });
  await consume();
  stall(60);
  const rows = Array.from({ length: 80 }, (_, i) => ({
    id: `${i}`,
    roomId: lunch,
    userId: 'u1',
    text: 'Old',
    createdAt: new Date(now() - 10_000 - i * 100).toISOString(),
  }));
  const path = await fileOf(rows.map((row) => JSON.stringify(row)).join('\n'));
  const none = { people: undefined, rooms: undefined, source: undefined };
  const read = await readerOf({ path, dynamo, now: now(), create: 'PRIVATE', ...none });
  expect(await runImport({ dynamo, read, by: 'transactions', unread: true, now })).toMatchObject({
    newMessages: 80,
  });
  await pass(3_600);
  expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
});

test('messages that are imported as unread are not delivered, and later ones are', async () => {
  const { services, settings, dynamo, create, room, pass, summaries } = await openDeliverySystem();
  const [aki, ben] = [await create('Aki'), await create('Ben')];
  const lunch = await room('Lunch', aki, ben);
  const { id: direct } = await services.rooms.openDirect(aki.id, [ben.id]);
  await settings.setRoom(ben.id, lunch, 'ALL');
  // What they were notified of by then.
  await pass(3_600);
  const before = await summaries(ben);
  // Older ones would be too old to deliver anyway.
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000).toISOString();
  const rows = [lunch, direct].flatMap((roomId) => [
    { id: `${roomId}-1`, roomId, createdAt: at(20), userId: 'u1', text: `@${ben.handle} Old` },
    { roomId, createdAt: at(10), userId: 'u1', text: 'Reply', replyToId: `${roomId}-1` },
  ]);
  const path = await fileOf(rows.map((row) => JSON.stringify(row)).join('\n'));
  const none = { people: undefined, rooms: undefined, source: undefined };
  const read = await readerOf({ path, dynamo, now: Date.now(), create: 'PRIVATE', ...none });
  expect(await runImport({ dynamo, read, by: 'transactions', unread: true, now: Date.now })).toMatchObject({
    newMessages: 4,
  });
  await pass(3_600);
  expect(await summaries(ben)).toEqual(before);
  const { rooms } = await services.unread.state(ben.id);
  expect(rooms.map(({ unreadCount }) => unreadCount)).toEqual([1, 1]);

  for (const id of [lunch, direct]) {
    await services.messages.send({ author: aki.id, room: id, body: 'New' });
  }
  await pass(3_600);
  expect((await summaries(ben)).slice(before.length).sort()).toEqual([
    'Aki: Aki wrote to you',
    'Lunch: Aki posted',
  ]);
});
