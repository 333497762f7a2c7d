import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { OutageError } from '../../src/core/errors.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { verify } from '../../src/verify/verify.ts';
import { DeleteAccount } from '../accountDeletion/support/operations.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { DeleteRoom } from '../roomDeletion/support/room.ts';
import { BanMember, JoinRoom, LeaveRoom, SendMessage } from '../support/clients/operations.ts';
import { globalId, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { CancelScheduled, Schedule, UpdateScheduled } from './support/operations.ts';
import { openScheduling, type Scheduling, scheduling } from './support/scheduling.ts';

let system: Scheduling;
let use: ReturnType<typeof scheduling>;
beforeAll(async () => {
  system = await openScheduling();
  use = scheduling(system);
});
afterAll(async () => {
  const { differences } = await verify({ dynamo: system.app.dynamo, counters: own, fix: false });
  expect(differences).toEqual([]);
  await system.stop();
});
const own = counters.filter(({ name }) => name === 'scheduled messages');

const scheduledItems = ({ id }: Person) =>
  itemsIn(system.app.dynamo, { pk: keys.user(id).pk, from: 'SCHEDULED#', to: 'SCHEDULED#~' });

const bodies = async (person: Person, roomId: string) =>
  (await use.sentTo(person, roomId)).map(({ body }) => body);

async function room(count = 1) {
  const all = await people(system.app, 3);
  const [aki, ben] = all;
  const roomId = await roomOf(aki, all.slice(1, count));
  return { aki, ben, roomId };
}

describe('when it is due', () => {
  test('it is sent as its author would have sent it, with mentions, and is gone', async () => {
    const { aki, ben, roomId } = await room(2);
    const root = await say(ben, roomId, 'A root');
    await use.schedule(aki, { roomId, body: `Hello @${ben.handle}`, idempotencyKey: 'mine' });
    await use.schedule(aki, { roomId, body: 'A reply', replyTo: root.id });
    await system.pass(59);
    expect(await bodies(aki, roomId)).toEqual(['A root']);
    await system.pass(1);
    const [first, second] = await use.sentTo(aki, roomId);
    expect(first?.replies.edges.map(({ node }) => node.body)).toEqual(['A reply']);
    expect(second).toMatchObject({
      body: `Hello @${ben.handle}`,
      idempotencyKey: 'mine',
      author: { id: globalId(aki) },
      mentions: [{ id: globalId(ben) }],
    });
    expect(await use.listOf(aki)).toEqual([]);
    expect(await system.timers()).toEqual([]);
    expect(await system.app.dynamo.get(keys.scheduledCount(aki.id))).toMatchObject({ scheduled: 0 });
  });

  test('after an outage it is sent late, once', async () => {
    const { aki, roomId } = await room();
    await use.schedule(aki, { roomId });
    await system.pass(3 * 24 * 3_600);
    await system.pass(3_600);
    expect(await bodies(aki, roomId)).toEqual(['Later']);
  });

  test('it is sent at the new time after it was moved, and not after it was cancelled', async () => {
    const { aki, roomId } = await room();
    const { id } = await use.schedule(aki, { roomId, body: 'Moved' });
    const cancelled = await use.schedule(aki, { roomId, body: 'Cancelled' });
    // A process has read them before.
    const read = await system.timers();
    await aki.do(UpdateScheduled, { input: { scheduledMessageId: id, sendAt: use.at(120) } });
    await aki.do(CancelScheduled, { id: cancelled.id });
    system.clock.advance(60_000);
    for (const timer of read) await system.handle(timer);
    expect(await bodies(aki, roomId)).toEqual([]);
    await system.pass(60);
    expect(await bodies(aki, roomId)).toEqual(['Moved']);
  });

  test('two processes send it once', async () => {
    const { aki, roomId } = await room();
    await use.schedule(aki, { roomId });
    system.clock.advance(60_000);
    const [timer] = await system.timers();
    if (timer === undefined) throw new Error('There is no timer.');
    await Promise.all([system.handle(timer), system.handle(timer)]);
    await system.handle(timer);
    expect(await bodies(aki, roomId)).toEqual(['Later']);
  });

  test('a key that was used for the same message sends nothing more; one of another message fails', async () => {
    const { aki, roomId } = await room();
    await use.schedule(aki, { roomId, body: 'Same', idempotencyKey: 'same' });
    await use.schedule(aki, { roomId, body: 'Other', idempotencyKey: 'other' });
    const send = (body: string, idempotencyKey: string) =>
      aki.do(SendMessage, { input: { roomId, body, idempotencyKey } });
    await send('Same', 'same');
    await send('Not the same', 'other');
    await system.pass(60);
    expect(await bodies(aki, roomId)).toEqual(['Same', 'Not the same']);
    const [failed, ...more] = await use.listOf(aki);
    expect(failed).toMatchObject({ body: 'Other', failure: 'CONFLICT', failureReason: 'KEY_REUSED' });
    expect(more).toEqual([]);
    // The same request once more, after it was sent.
    expect(await aki.refused(Schedule, use.inputOf({ roomId, body: 'Same', idempotencyKey: 'same' }))).toBe(
      'CONFLICT',
    );
  });
});

describe('a message that may not be sent any more', () => {
  const failures = async (person: Person) =>
    (await use.listOf(person)).map(({ body, failure, failureReason }) => [body, failure, failureReason]);

  test('left, banned, deleted: its author gets it back with the reason, and it is not tried again', async () => {
    const { aki, ben, roomId } = await room(2);
    const secret = await roomOf(aki, [], { visibility: 'PRIVATE' });
    const banned = await roomOf(aki, [ben]);
    const root = await say(aki, secret, 'A root');
    for (const [person, input] of [
      [ben, { roomId, body: 'left' }],
      [ben, { roomId: banned, body: 'banned' }],
      [aki, { roomId: secret, body: 'closed', replyTo: root.id }],
    ] as const) {
      await use.schedule(person, input);
    }
    await ben.do(LeaveRoom, { roomId });
    await aki.do(BanMember, { roomId: banned, userId: globalId(ben) });
    await aki.do(DeleteMessage, { messageId: root.id });
    await system.pass(60);
    expect((await failures(ben)).sort()).toEqual([
      ['banned', 'FORBIDDEN', null],
      ['left', 'FORBIDDEN', null],
    ]);
    expect(await failures(aki)).toEqual([['closed', 'CONFLICT', 'THREAD_CLOSED']]);
    expect(await system.timers()).toEqual([]);
    await use.schedule(aki, { roomId: secret, body: 'deleted' });
    await aki.do(DeleteRoom, { roomId: secret });
    await system.pass(60);
    expect((await use.listOf(aki)).map(({ room: one, failure }) => [one, failure])).toEqual([
      [null, 'CONFLICT'],
      [null, 'NOT_FOUND'],
    ]);
    expect(await bodies(aki, roomId)).toEqual([]);
  });

  test('is sent at a new time, with the rights of that moment', async () => {
    const { aki, ben, roomId } = await room(2);
    const { id } = await use.schedule(ben, { roomId });
    await ben.do(LeaveRoom, { roomId });
    await system.pass(60);
    const body = await ben.do(UpdateScheduled, { input: { scheduledMessageId: id, body: 'Again' } });
    expect(body.updateScheduledMessage.scheduledMessage.failure).toBe('FORBIDDEN');
    const { updateScheduledMessage: moved } = await ben.do(UpdateScheduled, {
      input: { scheduledMessageId: id, sendAt: use.at(60) },
    });
    expect(moved.scheduledMessage).toMatchObject({ body: 'Again', failure: null, version: 4 });
    await ben.do(JoinRoom, { roomId });
    await system.pass(60);
    expect(await bodies(aki, roomId)).toEqual(['Again']);
    expect(await use.listOf(ben)).toEqual([]);
  });

  test('is not sent for a deleted account, of which nothing is left', async () => {
    const { aki, ben, roomId } = await room(2);
    for (const seconds of [60, 3_600]) await use.schedule(ben, { roomId, seconds });
    await ben.do(DeleteAccount, { input: { confirm: ben.handle, eraseMessages: false } });
    expect(await scheduledItems(ben)).toEqual([]);
    expect(await system.timers()).toEqual([]);
    // One that the deletion has not reached yet.
    await use.schedule(aki, { roomId, body: 'Not sent' });
    await system.app.dynamo.update(keys.user(aki.id), {
      update: 'SET deletedAt = :at',
      values: { ':at': '1' },
    });
    await system.pass(60);
    await system.app.dynamo.update(keys.user(aki.id), { update: 'REMOVE deletedAt' });
    expect(await bodies(aki, roomId)).toEqual([]);
    expect(await use.listOf(aki)).toEqual([]);
  });
});

describe('faults', () => {
  test('an outage of the database: it is sent after it', async () => {
    const { aki, roomId } = await room();
    await use.schedule(aki, { roomId });
    system.clock.advance(60_000);
    const [timer] = await system.timers();
    const down: Dynamo = { ...system.app.dynamo, tryTransact: () => Promise.reject(new OutageError()) };
    await expect(system.kindOn(down).handle(timer as never)).rejects.toThrow(OutageError);
    await system.pass(0);
    expect(await bodies(aki, roomId)).toEqual(['Later']);
  });

  test('an error that it does not know: tried again, and given up with a failure after a day', async () => {
    const { aki, roomId } = await room();
    const { id } = await use.schedule(aki, { roomId });
    const broken: Dynamo = {
      ...system.app.dynamo,
      tryTransact: (writes, options) =>
        'membership' in writes
          ? Promise.reject(new Error('A bug'))
          : system.app.dynamo.tryTransact(writes, options),
    };
    await system.pass(60, broken);
    const [timer] = await system.timers();
    expect(timer?.failures).toMatchObject({ count: 1, setFor: system.now() });
    expect(await use.listOf(aki)).toMatchObject([{ id, failure: null }]);
    await system.pass(25 * 3_600, broken);
    expect(await use.listOf(aki)).toMatchObject([{ id, failure: 'INTERNAL' }]);
    expect(await system.timers()).toEqual([]);
    await aki.do(CancelScheduled, { id });
  });
});
