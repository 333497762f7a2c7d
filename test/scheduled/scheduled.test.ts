import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { SCHEDULED_MAX } from '../../src/scheduled/scheduledMessage.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { LeaveRoom, Me } from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import {
  CancelScheduled,
  Schedule,
  ScheduledMessages,
  ScheduledNode,
  UpdateScheduled,
} from './support/operations.ts';
import { openScheduling, type Scheduling, scheduling } from './support/scheduling.ts';

let system: Scheduling;
let use: ReturnType<typeof scheduling>;
beforeAll(async () => {
  system = await openScheduling();
  use = scheduling(system);
});
afterAll(() => system?.stop());

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const timersOf = async (person: Person) =>
  (await system.timers()).filter(({ about }) => about.user === person.id).map(({ due }) => due);

async function wrongField(person: Person, input: Parameters<typeof use.inputOf>[0]) {
  const { errors } = await person.send(Schedule, use.inputOf(input));
  const { code, field } = errors?.[0]?.extensions ?? {};
  return [code, field];
}

describe('scheduleMessage', () => {
  test('is listed by time with its room and the message that it answers, and has one timer', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    const root = await say(aki, roomId, 'A root');
    const second = await use.schedule(aki, { roomId, body: 'Second', seconds: 2 * MINUTE });
    const first = await use.schedule(aki, { roomId, body: 'First', replyTo: root.id });
    expect(first).toEqual({
      id: first.id,
      room: { id: roomId },
      body: 'First',
      replyTo: { id: root.id },
      sendAt: use.at(MINUTE),
      failure: null,
      failureReason: null,
      version: 1,
    });
    expect(await use.listOf(aki)).toEqual([first, second]);
    expect(await timersOf(aki)).toEqual([Date.parse(use.at(MINUTE)), Date.parse(use.at(2 * MINUTE))]);
    expect(await use.sentTo(aki, roomId)).toHaveLength(1);
  });

  test('is read in pages', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    for (const n of [1, 2, 3]) await use.schedule(aki, { roomId, body: `${n}`, seconds: n * MINUTE });
    const first = (await aki.do(ScheduledMessages, { first: 2 })).viewer.scheduledMessages;
    expect(first.edges.map(({ node }) => node.body)).toEqual(['1', '2']);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = (await aki.do(ScheduledMessages, { first: 2, after: first.pageInfo.endCursor })).viewer;
    expect(rest.scheduledMessages.edges.map(({ node }) => node.body)).toEqual(['3']);
    expect(rest.scheduledMessages.pageInfo.hasNextPage).toBe(false);
  });

  test('accepts one minute to five years ahead', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    for (const seconds of [MINUTE, 5 * 365 * DAY]) await use.schedule(aki, { roomId, seconds });
    for (const seconds of [-MINUTE, 0, 30, 5 * 366 * DAY]) {
      expect(await wrongField(aki, { roomId, seconds })).toEqual(['BAD_USER_INPUT', 'input.sendAt']);
    }
    expect(await use.listOf(aki)).toHaveLength(2);
  });

  test('refuses what `sendMessage` would refuse', async () => {
    const [aki, ben] = await people(system.app, 2);
    const roomId = await roomOf(aki);
    const hidden = await roomOf(aki, [], { visibility: 'PRIVATE' });
    const root = await say(aki, roomId, 'A root');
    const other = await say(aki, hidden, 'Elsewhere');
    await aki.do(DeleteMessage, { messageId: root.id });
    const refused = async (person: Person, input: Parameters<typeof use.inputOf>[0]) => {
      const { errors } = await person.send(Schedule, use.inputOf(input));
      return (
        (errors?.[0]?.extensions as { reason?: string } | undefined)?.reason ?? errors?.[0]?.extensions?.code
      );
    };
    expect(await refused(ben, { roomId })).toBe('FORBIDDEN');
    expect(await refused(ben, { roomId: hidden })).toBe('NOT_FOUND');
    expect(await refused(aki, { roomId, replyTo: root.id })).toBe('THREAD_CLOSED');
    expect(await refused(aki, { roomId, replyTo: other.id })).toBe('NOT_FOUND');
    expect(await refused(aki, { roomId: 'x' })).toBe('NOT_FOUND');
    for (const body of [
      '',
      ' \n',
      'x'.repeat(4_001),
      Array.from({ length: 51 }, (_, n) => `@abc${n}`).join(' '),
    ]) {
      expect(await wrongField(aki, { roomId, body })).toEqual(['BAD_USER_INPUT', 'input.body']);
    }
    expect(await wrongField(aki, { roomId, idempotencyKey: '' })).toEqual([
      'BAD_USER_INPUT',
      'input.idempotencyKey',
    ]);
    expect(await use.listOf(aki)).toEqual([]);
    expect(await timersOf(aki)).toEqual([]);
  });

  test('schedules the same request with an idempotency key once, also later', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    const input = use.inputOf({ roomId, idempotencyKey: 'key' });
    const made = await Promise.all([aki.do(Schedule, input), aki.do(Schedule, input)]);
    const [first, again] = made.map(({ scheduleMessage }) => scheduleMessage.scheduledMessage);
    expect(again).toEqual(first);
    system.clock.advance(30_000);
    expect((await aki.do(Schedule, input)).scheduleMessage.scheduledMessage).toEqual(first);
    expect(await aki.refused(Schedule, use.inputOf({ roomId, idempotencyKey: 'key', body: 'Other' }))).toBe(
      'CONFLICT',
    );
    expect(await use.listOf(aki)).toEqual([first]);
    await aki.do(CancelScheduled, { id: first?.id ?? '' });
  });

  test('refuses a request with an idempotency key as a CONFLICT once the message was sent', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    const reason = async (input: ReturnType<typeof use.inputOf>) => {
      const { errors } = await aki.send(Schedule, input);
      return errors?.[0]?.extensions?.reason ?? errors?.[0]?.extensions?.code;
    };
    const input = use.inputOf({ roomId, idempotencyKey: 'sent' });
    await aki.do(Schedule, input);
    for (const seconds of [MINUTE, DAY]) {
      await system.pass(seconds);
      expect(await use.sentTo(aki, roomId)).toHaveLength(1);
      expect(await reason(input)).toBe('KEY_REUSED');
    }
    expect(await reason({ input: { ...input.input, sendAt: use.at(MINUTE) } })).toBe('KEY_REUSED');
    // Keys are kept for 90 days.
    await system.pass(90 * DAY);
    expect(await reason(input)).toBe('BAD_USER_INPUT');
    expect(await wrongField(aki, { roomId, idempotencyKey: 'new', seconds: 0 })).toEqual([
      'BAD_USER_INPUT',
      'input.sendAt',
    ]);
  });

  test('is limited to a number of messages, and counts them down', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    const one = await use.schedule(aki, { roomId });
    await system.app.dynamo.update(keys.scheduledCount(aki.id), {
      update: 'SET scheduled = :max',
      values: { ':max': SCHEDULED_MAX },
    });
    const { errors } = await aki.send(Schedule, use.inputOf({ roomId }));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'LIMIT_REACHED' });
    await aki.do(CancelScheduled, { id: one.id });
    await use.schedule(aki, { roomId });
    expect(await aki.refused(Schedule, use.inputOf({ roomId }))).toBe('CONFLICT');
  });
});

describe('updateScheduledMessage', () => {
  test('changes the text, and moves the message with its timer', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    const { id } = await use.schedule(aki, { roomId });
    const text = await aki.do(UpdateScheduled, { input: { scheduledMessageId: id, body: 'New' } });
    expect(text.updateScheduledMessage.scheduledMessage).toMatchObject({ body: 'New', version: 2 });
    expect(await timersOf(aki)).toEqual([Date.parse(use.at(MINUTE))]);
    const sendAt = use.at(5 * MINUTE);
    const moved = await aki.do(UpdateScheduled, { input: { scheduledMessageId: id, sendAt, version: 2 } });
    expect(moved.updateScheduledMessage.scheduledMessage).toMatchObject({ body: 'New', version: 3 });
    expect(await timersOf(aki)).toEqual([Date.parse(sendAt)]);
    expect(await use.listOf(aki)).toMatchObject([{ body: 'New', sendAt }]);
    const { errors } = await aki.send(UpdateScheduled, {
      input: { scheduledMessageId: id, body: 'Old', version: 2 },
    });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'VERSION_CHANGED' });
    const late = { scheduledMessageId: id, sendAt: use.at(-1) };
    expect(await aki.refused(UpdateScheduled, { input: late })).toBe('BAD_USER_INPUT');
    expect(await aki.refused(UpdateScheduled, { input: { scheduledMessageId: id, body: '' } })).toBe(
      'BAD_USER_INPUT',
    );
  });
});

describe('cancelScheduledMessage', () => {
  test('returns what was removed, once, and removes the timer', async () => {
    const [aki] = await people(system.app, 1);
    const roomId = await roomOf(aki);
    const { id } = await use.schedule(aki, { roomId, body: 'Never' });
    const { cancelScheduledMessage: first } = await aki.do(CancelScheduled, { id });
    expect(first.cancelled).toEqual({ id, body: 'Never' });
    const { cancelScheduledMessage: second } = await aki.do(CancelScheduled, { id });
    expect(second.cancelled).toBeNull();
    expect(await use.listOf(aki)).toEqual([]);
    expect(await timersOf(aki)).toEqual([]);
    expect(await aki.refused(UpdateScheduled, { input: { scheduledMessageId: id, body: 'x' } })).toBe(
      'NOT_FOUND',
    );
  });
});

test('another user does not find it', async () => {
  const [aki, ben] = await people(system.app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id } = await use.schedule(aki, { roomId });
  expect((await aki.do(ScheduledNode, { id })).node).toEqual({ id, body: 'Later' });
  expect((await ben.do(ScheduledNode, { id })).node).toBeNull();
  expect(await ben.refused(UpdateScheduled, { input: { scheduledMessageId: id, body: 'x' } })).toBe(
    'NOT_FOUND',
  );
  expect(await ben.refused(CancelScheduled, { id })).toBe('NOT_FOUND');
  const { endCursor } = (await aki.do(ScheduledMessages, { first: 1 })).viewer.scheduledMessages.pageInfo;
  expect(await ben.refused(ScheduledMessages, { after: endCursor })).toBe('BAD_USER_INPUT');
  expect(await use.listOf(ben)).toEqual([]);
});

test('shows nothing of a room that the user has left', async () => {
  const [aki, ben] = await people(system.app, 2);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  await ben.do(Me);
  await system.app.services.rooms.add({ by: aki.id, room: rawId(roomId), user: ben.id });
  const root = await say(aki, roomId, 'A root');
  const one = await use.schedule(ben, { roomId, replyTo: root.id });
  await ben.do(LeaveRoom, { roomId });
  expect(await use.listOf(ben)).toEqual([{ ...one, room: null, replyTo: null }]);
});
