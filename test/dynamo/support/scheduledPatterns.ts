/** The access patterns of scheduled messages, by the names of the rows in docs/data-model.md. */
import { expect } from 'vitest';
import { createDerivations } from '../../../src/app/features.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { createPublisher } from '../../../src/bus/publisher.ts';
import { newId } from '../../../src/core/ids.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { keys, scheduledList } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../src/dynamo/shapes.ts';
import { SCHEDULED_TIMER } from '../../../src/scheduled/scheduledMessage.ts';
import type { Timer } from '../../../src/timers/timer.ts';
import {
  CancelScheduled,
  CostSchedule,
  CostScheduled,
  UpdateScheduled,
} from '../../scheduled/support/operations.ts';
import { silent } from '../../stream/support/stream.ts';
import { JoinRoom, LeaveRoom } from '../../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import { openTimers } from '../../timers/support/timers.ts';
import type { CostFixture } from './costFixture.ts';
import type { Pattern } from './pattern.ts';

let author: Person;
let roomId = '';
let rootId = '';
let id = '';
let due: Timer;

const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** A user who has scheduled `size` messages, or almost the most that is allowed. */
async function writeScheduled({ app, aki, size }: CostFixture): Promise<void> {
  [author] = await people(app, 1);
  roomId = await roomOf(aki, [author]);
  rootId = (await say(aki, roomId, 'A root')).id;
  const [user, count, at] = [author.id, Math.min(size, 900), Date.now() + 10 ** 10];
  const items = Array.from({ length: count }, (_, i) => {
    const one = `x${newId()}`;
    return {
      ...keys.scheduledMessage(user, one),
      v: FIRST_SHAPE,
      rev: 1,
      room: rawId(roomId),
      body: 'z'.repeat(100),
      sendAt: at + i,
      gsi1pk: scheduledList.pk(user),
      gsi1sk: scheduledList.sk(at + i, one),
    };
  });
  const counted = { ...keys.scheduledCount(user), v: FIRST_SHAPE, scheduled: count, rev: 1 };
  await bulkWrite({
    dynamo: app.dynamo,
    items: [...items, counted],
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
}

async function schedule(body = 'Later'): Promise<void> {
  const { scheduleMessage } = await author.do(CostSchedule, {
    input: { roomId, body, sendAt: ahead(5) },
  });
  ({ id } = scheduleMessage.scheduledMessage);
}

async function scheduleDue({ app }: CostFixture, body?: string): Promise<void> {
  await schedule(body);
  const [, own] = rawId(id).split(':');
  const timers = (await openTimers(app.dynamo)).filter(({ about }) => about.id === own);
  const [timer] = timers;
  if (timer === undefined) throw new Error('There is no timer.');
  due = timer;
}

/** It mentions someone, and the limit of its author's mentions is used up. */
async function scheduleWaiting(fixture: CostFixture): Promise<void> {
  await scheduleDue(fixture, 'Hello @abc');
  await fixture.app.dynamo.update(keys.scheduledCount(author.id), {
    update: 'SET mentionsUntil = :until',
    values: { ':until': Date.now() + 3_600_000 },
  });
}

/** Beyond what every timer costs. */
async function send({ app }: CostFixture): Promise<void> {
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const { timerKinds } = createDerivations({
    dynamo: app.dynamo,
    publisher,
    retention: 3_600,
    now: Date.now,
  });
  await timerKinds.find(({ name }) => name === SCHEDULED_TIMER)?.handle(due);
  await publisher.stop();
  await bus.close();
}

export const scheduledPatterns: readonly Pattern[] = [
  {
    name: '`Viewer.scheduledMessages`, a page of 10',
    before: writeScheduled,
    async run() {
      expect((await author.do(CostScheduled)).viewer.scheduledMessages.edges).toHaveLength(10);
    },
  },
  { name: '`scheduleMessage`, a root', run: () => schedule() },
  {
    name: '`updateScheduledMessage`, a text',
    run: () => author.do(UpdateScheduled, { input: { scheduledMessageId: id, body: 'Sooner' } }),
  },
  {
    name: '`updateScheduledMessage`, a time',
    run: () => author.do(UpdateScheduled, { input: { scheduledMessageId: id, sendAt: ahead(9) } }),
  },
  { name: '`cancelScheduledMessage`', run: () => author.do(CancelScheduled, { id }) },
  {
    name: '`scheduleMessage`, a reply with an idempotency key',
    run: () =>
      author.do(CostSchedule, {
        input: { roomId, body: 'Later', replyTo: rootId, sendAt: ahead(5), idempotencyKey: newId() },
      }),
  },
  { name: 'a scheduled message is due, a root', before: (fixture) => scheduleDue(fixture), run: send },
  {
    name: 'a scheduled message is due that has to wait for its mentions',
    before: scheduleWaiting,
    run: send,
  },
  {
    name: 'a scheduled message is due, in a room that its author has left',
    async before(fixture) {
      await scheduleDue(fixture);
      await author.do(LeaveRoom, { roomId });
    },
    run: send,
  },
  {
    name: 'a scheduled message is due that would have to wait for its mentions, in a room that its author has left',
    async before(fixture) {
      await author.do(JoinRoom, { roomId });
      await scheduleWaiting(fixture);
      await author.do(LeaveRoom, { roomId });
    },
    run: send,
  },
];
