/** The table of kinds in docs/delivery.md, and each of its rows as something that happens. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  DELIVERY_KINDS,
  DELIVERY_WINDOWS,
  type DeliveryKind,
  OFF_BY_DEFAULT,
} from '../../src/core/deliveryKinds.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createReminding } from '../../src/saved/reminders/reminding.ts';
import { openTimers } from '../timers/support/timers.ts';
import { openDeliverySystem, type Person } from './support/deliverySystem.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 };

const secondsOf = (text: string): number => {
  const [number = '', unit = ''] = text.split(' ');
  return Number(number) * (SECONDS[unit] ?? Number.NaN);
};

/** The wait and the window of each kind, in seconds, and whether it is on by default. */
async function documented(): Promise<Map<string, readonly [delay: number, window: number, on: string]>> {
  const page = await readFile(new URL('../../docs/delivery.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  return new Map(
    rows.map(([, kind = '', delay = '', window = '', on = '']) => [
      kind,
      [secondsOf(delay), secondsOf(window), on],
    ]),
  );
}

test('docs/delivery.md has the wait, the window and the default of every kind', async () => {
  const expected = DELIVERY_KINDS.map((kind) => {
    const { delaySeconds, windowSeconds } = DELIVERY_WINDOWS[kind];
    const on = OFF_BY_DEFAULT.includes(kind) ? 'off' : kind === 'MESSAGE' ? 'for chosen rooms' : 'on';
    return [kind, [delaySeconds, windowSeconds, on]] as const;
  });
  expect(Object.fromEntries(await documented())).toEqual(Object.fromEntries(expected));
});

async function openScenario() {
  const system = await openDeliverySystem();
  const { services, settings, dynamo } = system;
  const [aki, ben] = (await Promise.all(['Aki', 'Ben'].map((name) => system.create(name)))) as [
    Person,
    Person,
  ];
  const room = await system.room('Lunch', aki, ben);
  const say = (author: Person, body: string, other: object = {}, where = room) =>
    services.messages.send({ author: author.id, room: where, body, ...other });
  const message = await say(aki, 'Hello.');
  await services.readPositions.markRead(aki.id, room);
  await system.pass(0);
  return { ...system, aki, ben, room, say, message, settings, dynamo };
}

type Scenario = Awaited<ReturnType<typeof openScenario>>;

/** Something of the kind happens to Aki, as its row says. */
const HAPPENS: Readonly<Record<DeliveryKind, (scenario: Scenario) => Promise<unknown>>> = {
  MENTION: ({ aki, ben, say }) => say(ben, `@${aki.handle} Look!`),
  REPLY: ({ ben, say, message }) => say(ben, 'Yes.', { replyTo: message }),
  LIKE: ({ ben, services, message }) => services.likes.add(ben.id, message),
  STAMP: ({ ben, services, message }) => services.stamps.add(ben.id, message, 'heart'),
  async DIRECT_MESSAGE({ aki, ben, services, say, pass, reading }) {
    const { id } = await services.rooms.openDirect(ben.id, [aki.id]);
    await pass(0);
    await services.readPositions.markRead(aki.id, id);
    await reading.markAllRead(aki.id);
    await say(ben, 'Hi', {}, id);
  },
  async MESSAGE({ aki, ben, room, settings, say }) {
    await settings.setRoom(aki.id, room, 'ALL');
    await say(ben, 'Hi');
  },
  async JOIN({ aki, create, settings, services, room, pass }) {
    await settings.change(aki.id, { kinds: new Map([['JOIN', { mode: 'ON' }]]) });
    await pass(0);
    await services.rooms.join((await create('Chi')).id, room);
  },
  async SEAT({ aki, ben, services, pass }) {
    const { id } = await services.rooms.create(ben.id, {
      name: 'Narrow',
      topic: null,
      visibility: 'PUBLIC',
      capacity: 1,
    });
    await services.rooms.joinOrWait(aki.id, id);
    await pass(0);
    await services.rooms.update(ben.id, id, { capacity: 2 });
  },
  async INVITED({ aki, ben, services }) {
    const { id } = await services.rooms.create(ben.id, {
      name: 'Surprise',
      topic: null,
      visibility: 'PRIVATE',
      capacity: null,
    });
    await services.rooms.add({ by: ben.id, room: id, user: aki.id });
  },
  async REMINDER({ aki, dynamo, message: { room, threadTs, ts }, now, pass, services }) {
    const key = { user: aki.id, room, threadTs, ts };
    await services.saved.save(key, { remindAt: now() + 60_000 }, { known: false });
    await pass(60);
    const timers = (await openTimers(dynamo)).filter(({ kind }) => kind === 'reminder');
    expect(timers).toHaveLength(1);
    for (const timer of timers) {
      await createReminding({ dynamo }).handle(timer as never);
      await dynamo.remove(keys.timer(timer.due, timer.id));
    }
  },
};

describe('each kind is delivered after its wait, and not before', () => {
  test.each(DELIVERY_KINDS)('%s', async (kind) => {
    const scenario = await openScenario();
    const { aki, deliveriesOf, pass } = scenario;
    const { delaySeconds } = DELIVERY_WINDOWS[kind];
    await HAPPENS[kind](scenario);
    const told = async () => (await deliveriesOf(aki)).filter(({ kinds }) => kinds.includes(kind));
    if (delaySeconds > 0) {
      await pass(delaySeconds - 2);
      expect(await told()).toEqual([]);
    }
    await pass(3);
    expect(await told()).toMatchObject([{ kinds: [kind], outcome: 'PENDING' }]);
  });
});
