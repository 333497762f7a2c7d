/** The limit of mentions counts when a scheduled message is sent, so what was collected for one moment is spread. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { defined } from '../../src/core/defined.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { verify } from '../../src/verify/verify.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { DeleteRoom } from '../roomDeletion/support/room.ts';
import { BanMember, LeaveRoom, SendMessage } from '../support/clients/operations.ts';
import { globalId, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { Killed, killedAt } from '../support/database/killedAt.ts';
import { CancelScheduled, UpdateScheduled } from './support/operations.ts';
import { openScheduling, type Scheduling, scheduling } from './support/scheduling.ts';

/** Two a minute at once, and one more each 30 seconds. */
const rates = { mentions: { max: 2, seconds: 60 } };

let system: Scheduling;
let use: ReturnType<typeof scheduling>;
beforeAll(async () => {
  system = await openScheduling({ rates });
  use = scheduling(system);
});
afterAll(async () => {
  const own = counters.filter(({ name }) => name === 'scheduled messages');
  expect((await verify({ dynamo: system.app.dynamo, counters: own, fix: false })).differences).toEqual([]);
  await system.stop();
});

const sentTo = async (person: Person, roomId: string) =>
  (await use.sentTo(person, roomId)).map(({ body }) => body).sort();
const timersOf = async ({ id }: Person) => (await system.timers()).filter(({ about }) => about.user === id);
/** In how many seconds each is sent. */
const waits = async (person: Person) =>
  (await use.listOf(person)).map(({ sendAt }) => (Date.parse(sendAt) - system.now()) / 1_000);

/** Scheduled for the same moment, one minute ahead. */
async function scheduled(bodies: readonly string[]) {
  const [aki] = await people(system.app, 1);
  const roomId = await roomOf(aki);
  for (const body of bodies) await use.schedule(aki, { roomId, body });
  return { aki, roomId };
}

describe('messages that are due at the same moment', () => {
  test('send the mentions that the limit allows; each of the others is moved to its turn, once', async () => {
    const { aki, roomId } = await scheduled(['1 @abc', '2 @abc', '3 @abc', '4 @abc', '5 @abc', 'None']);
    await system.pass(60);
    expect(await sentTo(aki, roomId)).toHaveLength(3);
    expect(await waits(aki)).toEqual([30, 60, 90]);
    const moved = await use.listOf(aki);
    expect(moved).toMatchObject([{ version: 2 }, { version: 2 }, { version: 2 }]);
    for (const count of [4, 5, 6]) {
      await system.pass(29);
      expect(await sentTo(aki, roomId)).toHaveLength(count - 1);
      await system.pass(1);
      expect(await sentTo(aki, roomId)).toHaveLength(count);
    }
    expect(await sentTo(aki, roomId)).toEqual(['1 @abc', '2 @abc', '3 @abc', '4 @abc', '5 @abc', 'None']);
    expect(await use.listOf(aki)).toEqual([]);
    expect(await timersOf(aki)).toEqual([]);
  });

  test('are spread after an outage as well, and those of others do not wait', async () => {
    const { aki, roomId } = await scheduled(['1 @abc @abd', '2 @abc @abd']);
    const other = await scheduled(['3 @abc @abd']);
    await system.pass(3 * 24 * 3_600);
    expect(await sentTo(aki, roomId)).toHaveLength(1);
    expect(await sentTo(other.aki, other.roomId)).toEqual(['3 @abc @abd']);
    expect(await waits(aki)).toEqual([60]);
    await system.pass(60);
    expect(await sentTo(aki, roomId)).toHaveLength(2);
  });

  test('take turns again after an outage in which their turns have passed', async () => {
    const bodies = ['1', '2', '3', '4', '5', '6'].map((text) => `${text} @abc @abd`);
    const { aki, roomId } = await scheduled(bodies);
    await system.pass(60);
    expect(await waits(aki)).toEqual([60, 120, 180, 240, 300]);
    await system.pass(3 * 24 * 3_600);
    expect(await sentTo(aki, roomId)).toHaveLength(2);
    expect(await waits(aki)).toEqual([60, 120, 180, 240]);
    for (const count of [3, 4, 5, 6]) {
      await system.pass(60);
      expect(await sentTo(aki, roomId)).toHaveLength(count);
    }
    expect(await sentTo(aki, roomId)).toEqual(bodies);
    expect(await timersOf(aki)).toEqual([]);
  });

  test('keep the turns that have passed less than the time of the limit ago', async () => {
    const { aki, roomId } = await scheduled(['1', '2', '3', '4', '5', '6'].map((text) => `${text} @abc`));
    await system.pass(60);
    expect(await waits(aki)).toEqual([30, 60, 90, 120]);
    await system.pass(119);
    expect(await sentTo(aki, roomId)).toHaveLength(4);
    // The first turn was 89 seconds ago. Its message is counted again, behind the one that waits.
    expect(await waits(aki)).toEqual([1, 31]);
  });

  test('are sent if every timer is handled later than that, after a second move', async () => {
    const { aki, roomId } = await scheduled(['1', '2', '3', '4', '5'].map((text) => `${text} @abc @abd`));
    await system.pass(60);
    expect(await sentTo(aki, roomId)).toHaveLength(1);
    for (let handled = 0; handled < 8; handled++) {
      const [next] = (await timersOf(aki)).toSorted((a, b) => a.due - b.due);
      if (next === undefined) throw new Error('There is no timer.');
      system.clock.advance(next.due + 90_000 - system.now());
      await system.handle(next);
    }
    expect(await sentTo(aki, roomId)).toHaveLength(5);
    expect(await timersOf(aki)).toEqual([]);
  });

  test('one that mentions more than the limit allows at once takes the whole limit', async () => {
    const { aki, roomId } = await scheduled(['@abc @abd @abe @abf', 'Next @abc']);
    await system.pass(60);
    expect(await waits(aki)).toEqual([30]);
    await system.pass(60);
    expect(await sentTo(aki, roomId)).toEqual(['@abc @abd @abe @abf', 'Next @abc']);
  });

  test('scheduling itself is not limited by the mentions, which notify no one yet', async () => {
    const { aki } = await scheduled(Array.from({ length: 6 }, (_, n) => `${n} @abc @abd`));
    expect(await use.listOf(aki)).toHaveLength(6);
  });
});

describe('a message that waits for its turn', () => {
  /** One that was sent took the limit, and this one waits for a minute. */
  async function waiting() {
    const { aki, roomId } = await scheduled(['First @abc @abd']);
    await system.pass(60);
    await use.schedule(aki, { roomId, body: 'Full @abc @abd' });
    await use.schedule(aki, { roomId, body: 'Waits @abc @abd' });
    await system.pass(60);
    const [one, ...more] = await use.listOf(aki);
    expect(more).toEqual([]);
    if (one === undefined) throw new Error('None waits.');
    return { aki, roomId, one };
  }

  test('is cancelled like any other', async () => {
    const { aki, roomId, one } = await waiting();
    await aki.do(CancelScheduled, { id: one.id });
    expect(await timersOf(aki)).toEqual([]);
    await system.pass(60);
    expect(await sentTo(aki, roomId)).toHaveLength(2);
  });

  test('keeps its turn if its text is changed, unless that mentions more people', async () => {
    const kept = await waiting();
    const change = (person: Person, body: string, id: string) =>
      person.do(UpdateScheduled, { input: { scheduledMessageId: id, body } });
    await change(kept.aki, 'Waits @abe', kept.one.id);
    await system.pass(60);
    expect(await sentTo(kept.aki, kept.roomId)).toContain('Waits @abe');

    const lost = await waiting();
    await change(lost.aki, 'Waits @abe', lost.one.id);
    await change(lost.aki, 'Waits @abe @abf', lost.one.id);
    await system.pass(60);
    expect(await waits(lost.aki)).toEqual([60]);
    await system.pass(60);
    expect(await sentTo(lost.aki, lost.roomId)).toContain('Waits @abe @abf');
  });

  test('counts again at a new time, so turns cannot be collected', async () => {
    const { aki, roomId, one } = await waiting();
    const sendAt = use.at(60);
    const { sendAt: turn } = one;
    expect(sendAt).toBe(turn);
    await aki.do(UpdateScheduled, { input: { scheduledMessageId: one.id, sendAt: use.at(61) } });
    await system.pass(61);
    // Its first turn was taken by no one, but it counts.
    expect(await waits(aki)).toEqual([59]);
    await system.pass(59);
    expect(await sentTo(aki, roomId)).toHaveLength(3);
  });

  test('has the rights of the moment at which it is sent', async () => {
    const [owner, aki] = await people(system.app, 2);
    const roomId = await roomOf(owner, [aki]);
    for (const body of ['1 @abc @abd', '2 @abc @abd']) await use.schedule(aki, { roomId, body });
    await system.pass(60);
    await aki.do(LeaveRoom, { roomId });
    await system.pass(60);
    expect(await use.listOf(aki)).toMatchObject([{ failure: 'FORBIDDEN' }]);
    expect(await timersOf(aki)).toEqual([]);
  });
});

describe('messages that may not be sent any more', () => {
  /** Everything that Aki may mention at once is taken when the messages are due in a minute. */
  async function others() {
    const [owner, aki] = await people(system.app, 2);
    const [roomId, own] = [await roomOf(owner, [aki]), await roomOf(aki)];
    const root = await say(owner, roomId, 'A root');
    await use.schedule(aki, { roomId: own, body: 'First @abc @abd', seconds: 119 });
    const schedule = async (replyTo?: string) => {
      for (const text of ['1', '2', '3']) {
        await use.schedule(aki, { roomId, body: `${text} @abc @abd`, seconds: 120, ...defined({ replyTo }) });
      }
      await use.schedule(aki, { roomId: own, body: 'Own @abc', seconds: 120 });
    };
    const failed = async () => (await use.listOf(aki)).flatMap(({ failure }) => failure ?? []);
    const open = async () => (await use.listOf(aki)).filter(({ failure }) => failure === null);
    return { owner, aki, roomId, own, root, schedule, failed, open };
  }

  /** The others of the author wait only for what was sent. */
  async function areRefusedAtOnce(room: Awaited<ReturnType<typeof others>>, code: string) {
    await system.pass(119);
    await system.pass(1);
    expect(await room.failed()).toEqual([code, code, code]);
    expect(await room.open()).toMatchObject([{ body: 'Own @abc', sendAt: use.at(29) }]);
    await system.pass(29);
    expect(await sentTo(room.aki, room.own)).toEqual(['First @abc @abd', 'Own @abc']);
    expect(await timersOf(room.aki)).toEqual([]);
  }

  test('are refused without a turn: their author was banned', async () => {
    const room = await others();
    await room.schedule();
    await room.owner.do(BanMember, { roomId: room.roomId, userId: globalId(room.aki) });
    await areRefusedAtOnce(room, 'FORBIDDEN');
  });

  test('are refused without a turn: the room was deleted', async () => {
    const room = await others();
    await room.schedule();
    await room.owner.do(DeleteRoom, { roomId: room.roomId });
    await areRefusedAtOnce(room, 'NOT_FOUND');
  });

  test('are refused without a turn: the thread is closed', async () => {
    const room = await others();
    await room.schedule(room.root.id);
    await room.owner.do(DeleteMessage, { messageId: room.root.id });
    await areRefusedAtOnce(room, 'CONFLICT');
  });

  test('one that was sent with its key meanwhile does not fail, although its thread is closed', async () => {
    const room = await others();
    const { aki, owner, roomId, root } = room;
    const input = { roomId, body: 'Once @abc', replyTo: root.id, idempotencyKey: 'once' };
    await use.schedule(aki, { ...input, seconds: 120 });
    await aki.do(SendMessage, { input });
    await owner.do(DeleteMessage, { messageId: root.id });
    await system.pass(119);
    await system.pass(1);
    expect(await use.listOf(aki)).toEqual([]);
  });
});

test('two processes, and one that dies at any write: each message is sent once, and none is lost', async () => {
  const { dynamo } = system.app;
  for (const when of ['before', 'after'] as const) {
    const { aki, roomId } = await scheduled(['1 @abc @abd', '2 @abc @abd']);
    system.clock.advance(60_000);
    for (let round = 0; round < 3; round++) {
      for (const timer of await system.timers()) {
        if (timer.due > system.now()) continue;
        await expect(system.handle(timer, killedAt(dynamo, { writes: 1, when }))).rejects.toThrow(Killed);
        await Promise.all([system.handle(timer), system.handle(timer)]);
      }
      system.clock.advance(60_000);
    }
    expect(await sentTo(aki, roomId)).toEqual(['1 @abc @abd', '2 @abc @abd']);
    expect(await timersOf(aki)).toEqual([]);
    expect(await dynamo.get(keys.scheduledCount(aki.id))).toMatchObject({ scheduled: 0 });
  }
});

test('its mentions are found when it is sent, also if it waited', async () => {
  const [aki, ben] = await people(system.app, 2);
  const roomId = await roomOf(aki, [ben]);
  for (const text of ['1', '2']) {
    await use.schedule(aki, { roomId, body: `${text} @${ben.handle} @abc` });
  }
  await system.pass(60);
  await system.pass(60);
  const mentions = (await use.sentTo(aki, roomId)).map((one) => one.mentions);
  expect(mentions).toEqual([[{ id: globalId(ben) }], [{ id: globalId(ben) }]]);
});
