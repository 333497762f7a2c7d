/** REMINDER: delivered at once, in quiet hours and muted rooms too, and not during a pause. */
import { expect, test } from 'vitest';
import type { QuietHours } from '../../src/delivery/settings/quietHours.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { MessageKey } from '../../src/messages/message.ts';
import { createReminding } from '../../src/saved/reminders/reminding.ts';
import { openTimers } from '../timers/support/timers.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';

async function openScenario() {
  const system = await openDeliverySystem({
    windows: { LIKE: { delaySeconds: 0, windowSeconds: 0 } },
  });
  const [aki, ben] = [await system.create('Aki'), await system.create('Ben')];
  const room = await system.room('Lunch', ben, aki);
  const say = (body: string, author = ben) =>
    system.services.messages.send({ author: author.id, room, body });
  const message = await say('one');
  await system.pass(0);
  const { handle } = createReminding({ dynamo: system.dynamo });

  /** Saves a message, and lets its reminder be due. */
  async function remind(of: MessageKey = message): Promise<void> {
    const key = { user: aki.id, room, threadTs: of.threadTs, ts: of.ts };
    await system.services.saved.save(key, { remindAt: system.now() + 60_000 }, { known: false });
    await system.pass(60);
    for (const timer of await openTimers(system.dynamo)) {
      if (timer.kind !== 'reminder') continue;
      await handle(timer as never);
      await system.dynamo.remove(keys.timer(timer.due, timer.id));
    }
    await system.pass(0);
  }
  return { ...system, aki, ben, room, message, say, remind };
}

/** Quiet hours that began an hour ago and end in an hour. */
function around(now: number): QuietHours {
  const minute = Math.floor((now % 86_400_000) / 60_000);
  const days = [0, 1, 2, 3, 4, 5, 6];
  return { from: (minute + 1_380) % 1_440, to: (minute + 60) % 1_440, timeZone: 'UTC', days };
}

test('a reminder is delivered at once, also in a muted room', async () => {
  const { aki, room, remind, summaries, services, settings, say } = await openScenario();
  await remind();
  expect(await summaries(aki)).toEqual(['Lunch: You asked to be reminded of a message']);
  expect(await summaries(aki, 'ja')).toEqual(['Lunch: メッセージのリマインダーです']);
  await settings.setRoom(aki.id, room, 'NOTHING');
  await services.readPositions.mute(aki.id, room, true);
  await remind(await say('two'));
  expect(await summaries(aki)).toHaveLength(2);
});

test('it passes quiet hours, which hold back everything else', async () => {
  const { aki, ben, say, remind, settings, services, now, pass, summaries } = await openScenario();
  const own = await say('mine', aki);
  await settings.change(aki.id, { quietHours: around(now()) });
  await services.likes.add(ben.id, own);
  await pass(10);
  await remind();
  expect(await summaries(aki)).toEqual(['Lunch: You asked to be reminded of a message']);
  await pass(3_700);
  expect(await summaries(aki)).toEqual([
    'Lunch: You asked to be reminded of a message',
    'Lunch: Ben liked your message',
  ]);
});

test('a pause holds it back; if the pause ends in quiet hours, it is delivered then, alone', async () => {
  const { aki, ben, say, remind, settings, services, now, pass, summaries } = await openScenario();
  const own = await say('mine', aki);
  await settings.pause(aki.id, now() + 1_800_000, 86_400_000);
  await settings.change(aki.id, { quietHours: around(now()) });
  await services.likes.add(ben.id, own);
  await remind();
  expect(await summaries(aki)).toEqual([]);
  await settings.pause(aki.id, null, 86_400_000);
  await pass(1);
  expect(await summaries(aki)).toEqual(['Lunch: You asked to be reminded of a message']);
  await pass(3_700);
  expect(await summaries(aki)).toHaveLength(2);
});

test('one of a message that was deleted, or of a room that was left, is in the bell only', async () => {
  const { aki, ben, room, message, remind, summaries, services, say } = await openScenario();
  await services.messages.remove(ben.id, message);
  await remind();
  const other = await say('two');
  await services.saved.save(
    { user: aki.id, room, threadTs: other.threadTs, ts: other.ts },
    {},
    { known: false },
  );
  await services.rooms.leave(aki.id, room);
  await remind(other);
  expect(await summaries(aki)).toEqual(['REMINDER: NOTHING_LEFT', 'REMINDER: NOT_ENTITLED']);
});
