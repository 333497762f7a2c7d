/** Reminders: which times they may have, who is notified when they are due, and what ends them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { savedCounters } from '../../src/saved/counters.ts';
import { REMINDER_TIMER } from '../../src/saved/reminders/reminder.ts';
import { verify } from '../../src/verify/verify.ts';
import { DeleteAccount } from '../accountDeletion/support/operations.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { openScheduling, type Scheduling } from '../scheduled/support/scheduling.ts';
import { LeaveRoom } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import {
  Reminders,
  RemoveSavedMessage,
  SavedNode,
  SaveMessage,
  SnoozeReminder,
} from './support/operations.ts';
import { storedOf } from './support/stored.ts';

let system: Scheduling;
beforeAll(async () => {
  system = await openScheduling({ timerKind: REMINDER_TIMER });
});
afterAll(async () => {
  const counters = savedCounters.filter(({ name }) => name !== 'public saves');
  expect((await verify({ dynamo: system.app.dynamo, counters, fix: false })).differences).toEqual([]);
  await system.stop();
});

const DAY = 24 * 3_600;
const at = (seconds: number): string => new Date(system.now() + seconds * 1_000).toISOString();
const save = async (by: Person, input: object) =>
  (await by.do(SaveMessage, { input })).saveMessage.savedMessage;
const refusal = async (by: Person, input: object) =>
  (await by.send(SaveMessage, { input })).errors?.[0]?.extensions;
const reminders = async (by: Person, variables: object = {}) =>
  (await by.do(Reminders, variables)).viewer.reminders.edges.map(({ node }) => node);
const timersOf = async ({ id }: Person) => (await system.timers()).filter(({ about }) => about.user === id);
const faultsOf = async ({ id }: Person) => (await storedOf(system.app.dynamo, id)).faults;

async function room() {
  const [aki, ben] = await people(system.app, 2);
  const roomId = await roomOf(aki, [ben]);
  return { aki, ben, roomId, message: await say(aki, roomId, 'one') };
}

describe('a time', () => {
  test.each([
    [-60, false],
    [30, false],
    [60, true],
    [4 * 365 * DAY, true],
    [6 * 365 * DAY, false],
  ])('of %i seconds ahead: %s', async (seconds, allowed) => {
    const { ben, message } = await room();
    const input = { messageId: message.id, remindAt: at(seconds) };
    if (!allowed) {
      expect(await refusal(ben, input)).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.remindAt' });
      expect(await reminders(ben)).toEqual([]);
      return;
    }
    expect(await save(ben, input)).toMatchObject({ remindAt: input.remindAt, version: 1 });
    expect(await reminders(ben)).toMatchObject([{ remindAt: input.remindAt, message: { id: message.id } }]);
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('can be set again shortly before it, moved and removed', async () => {
    const { ben, message } = await room();
    const input = { messageId: message.id, remindAt: at(90) };
    const { id } = await save(ben, input);
    system.clock.advance(80_000);
    expect(await save(ben, { ...input, note: 'soon' })).toMatchObject({
      remindAt: input.remindAt,
      version: 2,
    });
    const later = at(3_600);
    const moved = await ben.do(SnoozeReminder, { id, remindAt: later });
    expect(moved.snoozeReminder.savedMessage).toMatchObject({ remindAt: later, version: 3 });
    expect(await faultsOf(ben)).toEqual([]);
    expect(await save(ben, { messageId: message.id, tags: ['a'] })).toMatchObject({ remindAt: later });
    expect(await reminders(ben)).toMatchObject([{ id, tags: ['a'] }]);
    expect(await save(ben, { messageId: message.id, remindAt: null })).toMatchObject({ remindAt: null });
    expect(await reminders(ben)).toEqual([]);
    expect(await timersOf(ben)).toEqual([]);
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('goes with what was saved, and comes back with what was removed', async () => {
    const { ben, message } = await room();
    const remindAt = at(3_600);
    await save(ben, { messageId: message.id, remindAt, tags: ['a'] });
    const { removeSavedMessage } = await ben.do(RemoveSavedMessage, { input: { messageId: message.id } });
    expect(removeSavedMessage.removed).toMatchObject({ remindAt, tags: ['a'] });
    expect(await timersOf(ben)).toEqual([]);
    expect(await faultsOf(ben)).toEqual([]);
    const { visibility, tags, remindAt: before } = removeSavedMessage.removed ?? {};
    expect(await save(ben, { messageId: message.id, visibility, tags, remindAt: before })).toMatchObject({
      remindAt,
    });
    await ben.do(RemoveSavedMessage, { input: { messageId: message.id } });
  });

  test.each([
    ['is near', 90],
    ['has passed', 130],
  ])('comes back with what was removed, also if it %s', async (_when, seconds) => {
    const { ben, message } = await room();
    const content = { visibility: 'PUBLIC', note: 'n', tags: ['a', 'b'] };
    await save(ben, { messageId: message.id, ...content, remindAt: at(120) });
    const { removed } = (await ben.do(RemoveSavedMessage, { input: { messageId: message.id } }))
      .removeSavedMessage;
    await system.pass(seconds);
    const { id: _id, ...values } = removed ?? {};
    // Other times are refused as always.
    expect(await refusal(ben, { messageId: message.id, remindAt: at(119 - seconds) })).toMatchObject({
      field: 'input.remindAt',
    });
    const restored = await save(ben, { messageId: message.id, ...values });
    expect(restored).toMatchObject({ ...content, remindAt: removed?.remindAt });
    expect(await timersOf(ben)).toMatchObject([{ due: Date.parse(removed?.remindAt ?? '') }]);
    expect(await faultsOf(ben)).toEqual([]);

    await system.pass(Math.max(0, 120 - seconds));
    expect(await save(ben, { messageId: message.id, ...content })).toMatchObject({
      remindAt: null,
      version: 4,
    });
    expect(await timersOf(ben)).toEqual([]);
    // It was restored once.
    expect(await refusal(ben, { messageId: message.id, ...values })).toMatchObject({
      field: 'input.remindAt',
    });
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('is the business of its owner alone', async () => {
    const { aki, ben, message } = await room();
    const { id } = await save(ben, { messageId: message.id, visibility: 'PUBLIC', remindAt: at(600) });
    expect((await aki.do(SavedNode, { id })).node).toMatchObject({ visibility: 'PUBLIC', remindAt: null });
    expect(await reminders(aki)).toEqual([]);
    expect(await aki.refused(SnoozeReminder, { id, remindAt: at(700) })).toBe('NOT_FOUND');
    await ben.do(RemoveSavedMessage, { input: { savedMessageId: id } });
    expect(await ben.refused(SnoozeReminder, { id, remindAt: at(700) })).toBe('NOT_FOUND');
  });
});

describe('Viewer.reminders', () => {
  test('has them by time, page by page', async () => {
    const { aki, ben, roomId } = await room();
    const expected: string[] = [];
    for (const minutes of [30, 10, 20]) {
      const { id } = await say(aki, roomId, `in ${minutes} minutes`);
      expected[minutes / 10 - 1] = (await save(ben, { messageId: id, remindAt: at(minutes * 60) })).id;
    }
    const found: string[] = [];
    for (let after: string | null | undefined; ; ) {
      const { edges, pageInfo } = (await ben.do(Reminders, { first: 2, after })).viewer.reminders;
      found.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(found).toEqual(expected);
    expect(await ben.refused(Reminders, { after: 'x' })).toBe('BAD_USER_INPUT');
    for (const id of expected) await ben.do(RemoveSavedMessage, { input: { savedMessageId: id } });
  });

  test('has at most a thousand: one more is refused, also if two are set at once', async () => {
    const { aki, ben, roomId, message } = await room();
    const other = await say(aki, roomId, 'two');
    await save(ben, { messageId: message.id });
    await save(ben, { messageId: other.id });
    const setCount = (reminders: number) =>
      system.app.dynamo.update(keys.savedCounts(ben.id), {
        update: 'SET reminders = :reminders',
        values: { ':reminders': reminders },
      });
    await setCount(999);
    const inputs = [message, other].map(({ id }) => ({ messageId: id, remindAt: at(600) }));
    const refused = await Promise.all(inputs.map((input) => refusal(ben, input)));
    expect(refused.filter((one) => one === undefined)).toHaveLength(1);
    expect(refused.find((one) => one !== undefined)).toMatchObject({
      code: 'CONFLICT',
      reason: 'LIMIT_REACHED',
    });
    // One that exists can still be moved.
    const [one] = await reminders(ben);
    await ben.do(SnoozeReminder, { id: one?.id ?? '', remindAt: at(700) });
    await setCount(1);
    for (const { id } of [message, other]) await ben.do(RemoveSavedMessage, { input: { messageId: id } });
  });
});

describe('when it is due', () => {
  test('the entry keeps everything else, and does it once', async () => {
    const { ben, message } = await room();
    const { id } = await save(ben, { messageId: message.id, remindAt: at(60), tags: ['a'], note: 'n' });
    await system.pass(59);
    expect(await reminders(ben)).toHaveLength(1);
    await system.pass(1);
    expect(await reminders(ben)).toEqual([]);
    expect((await ben.do(SavedNode, { id })).node).toMatchObject({
      remindAt: null,
      note: 'n',
      tags: ['a'],
      version: 2,
    });
    expect(await faultsOf(ben)).toEqual([]);
    const again = at(600);
    expect((await ben.do(SnoozeReminder, { id, remindAt: again })).snoozeReminder.savedMessage).toMatchObject(
      { remindAt: again, version: 3 },
    );
    await system.pass(600);
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('after an outage: overdue until then, and ended late', async () => {
    const { ben, message } = await room();
    const { id } = await save(ben, { messageId: message.id, remindAt: at(60) });
    system.clock.advance(3 * DAY * 1_000);
    expect(await reminders(ben)).toMatchObject([{ id }]);
    await system.pass(0);
    expect(await reminders(ben)).toEqual([]);
    expect(await timersOf(ben)).toEqual([]);
  });

  test('the database is down for a while: it is tried again', async () => {
    const { ben, message } = await room();
    const { id } = await save(ben, { messageId: message.id, remindAt: at(60) });
    system.clock.advance(60_000);
    const [timer] = await timersOf(ben);
    const down: Dynamo = { ...system.app.dynamo, tryTransact: () => Promise.reject(new OutageError()) };
    await expect(system.kindOn(down).handle(timer as never)).rejects.toThrow(OutageError);
    const broken: Dynamo = {
      ...system.app.dynamo,
      tryTransact: (writes, options) =>
        'entry' in writes
          ? Promise.reject(new Error('A bug'))
          : system.app.dynamo.tryTransact(writes, options),
    };
    await system.pass(0, broken);
    expect((await timersOf(ben))[0]?.failures).toMatchObject({ count: 1 });
    expect(await reminders(ben)).toMatchObject([{ id }]);
    await system.pass(60);
    expect(await reminders(ben)).toEqual([]);
    expect(await faultsOf(ben)).toEqual([]);
  });

  test.each(['left the room', 'deleted the message'])('it ends for a user who %s', async (what) => {
    const { aki, ben, roomId, message } = await room();
    const { id } = await save(ben, { messageId: message.id, remindAt: at(60), note: 'mine' });
    if (what === 'left the room') await ben.do(LeaveRoom, { roomId });
    else await aki.do(DeleteMessage, { messageId: message.id });
    await system.pass(60);
    const message_ = what === 'left the room' ? null : { id: message.id };
    expect((await ben.do(SavedNode, { id })).node).toMatchObject({
      note: 'mine',
      remindAt: null,
      message: message_,
    });
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('it is gone with the account', async () => {
    const { aki, ben, message } = await room();
    await save(ben, { messageId: message.id, remindAt: at(3_600) });
    await ben.do(DeleteAccount, { input: { confirm: ben.handle, eraseMessages: false } });
    expect(await timersOf(ben)).toEqual([]);
    expect(await storedOf(system.app.dynamo, ben.id)).toEqual({ entries: [], faults: [] });
    // One whose account is deleted, but was not reached yet.
    await save(aki, { messageId: message.id, remindAt: at(60) });
    const profile = keys.user(aki.id);
    await system.app.dynamo.update(profile, { update: 'SET deletedAt = :at', values: { ':at': '1' } });
    const [timer] = await timersOf(aki);
    await system.kindOn(system.app.dynamo).handle(timer as never);
    await system.app.dynamo.update(profile, { update: 'REMOVE deletedAt' });
    expect(await reminders(aki)).toHaveLength(1);
    await aki.do(RemoveSavedMessage, { input: { messageId: message.id } });
  });
});
