/**
 * What people do, and what may be delivered to them. The oracle knows what each of them has chosen, and when; what is unread
 * is what their notifications say.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DeliveryKind } from '../../../src/core/deliveryKinds.ts';
import { OutageError } from '../../../src/core/errors.ts';
import { microsOf } from '../../../src/core/timestamps.ts';
import type { Delivery } from '../../../src/delivery/delivery.ts';
import type { QuietHours } from '../../../src/delivery/settings/quietHours.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import type { Message, MessageKey } from '../../../src/messages/message.ts';
import { applyReadAll, type Notification, notificationOf } from '../../../src/notifications/notification.ts';
import { badgeOf } from '../../../src/unread/badge/badge.ts';
import { itemsIn } from '../../support/database/table.ts';
import type { openDeliverySystem, Person } from './deliverySystem.ts';

export const KINDS = ['MENTION', 'REPLY', 'LIKE'] as const;
export const WINDOWS = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  REPLY: { delaySeconds: 30, windowSeconds: 200 },
  LIKE: { delaySeconds: 60, windowSeconds: 300 },
  // Adding people is not a subject of this test.
  INVITED: { delaySeconds: 0, windowSeconds: 0 },
};
/** Longer than all of them together, and the time over which summaries are spread. */
const REST_S = 1_000;
const PAUSE_MAX_MS = 86_400_000;

const person = fc.nat({ max: 2 });
const place = fc.nat({ max: 1 });
/** How often each is done. */
const OFTEN = {
  ...{ mention: 4, reply: 4, like: 4, unlike: 1, delete: 2, pass: 8, consume: 1 },
  ...{ readAll: 1, readRoom: 1, readThread: 1, mute: 1, leave: 1, choose: 1, pause: 1, quiet: 1 },
} as const;
type Name = keyof typeof OFTEN;
const names = Object.entries(OFTEN).map(([name, weight]) => ({
  weight,
  arbitrary: fc.constant(name as Name),
}));

export interface Action {
  readonly type: Name;
  readonly by: number;
  readonly of: number;
  readonly room: number;
  readonly on: boolean;
  readonly kind: (typeof KINDS)[number];
  readonly seconds: number;
}

export const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.record({
    type: fc.oneof(...names),
    ...{ by: person, of: person, room: place, on: fc.boolean() },
    kind: fc.constantFrom(...KINDS),
    seconds: fc.integer({ min: 1, max: 400 }),
  }),
  { minLength: 5, maxLength: 30, size: 'max' },
);

/** What happens to a transaction that gathers or decides. `act`: someone replies, and it is derived before it. */
export const faults = fc.infiniteStream(
  fc.constantFrom('none', 'none', 'none', 'outage before', 'outage after', 'act'),
);
export type Fault = typeof faults extends fc.Arbitrary<Iterator<infer T>> ? T : never;

/** Breaks transactions of deliveries. Nothing else. */
export function createFaults() {
  let next: () => Fault = () => 'none';
  let meanwhile: (() => Promise<void>) | undefined;
  const isOwn = (writes: object) => ['gathering', 'gatherings', 'move'].some((name) => name in writes);
  const through = (dynamo: Dynamo): Dynamo => ({
    ...dynamo,
    async tryTransact(writes, options) {
      const fault = isOwn(writes) ? next() : 'none';
      if (fault === 'outage before') throw new OutageError();
      // A handler of the stream would wait for itself.
      if (fault === 'act' && 'gatherings' in writes) await meanwhile?.();
      const failed = await dynamo.tryTransact(writes, options);
      if (fault === 'outage after') throw new OutageError();
      return failed;
    },
  });
  return {
    through,
    begin(stream: Iterator<Fault>, doAct: () => Promise<void>) {
      next = () => stream.next().value as Fault;
      meanwhile = doAct;
    },
    end() {
      next = () => 'none';
      meanwhile = undefined;
    },
  };
}

const ANYTHING = { ...{ by: 0, of: 0, room: 0, on: true, seconds: 1 }, kind: 'LIKE' } as const;

type System = Awaited<ReturnType<typeof openDeliverySystem>>;

interface Choices {
  readonly muted: Set<string>;
  readonly left: Set<string>;
  readonly off: Set<DeliveryKind>;
  pausedUntil: number;
  quiet: { readonly from: number; readonly until: number };
  /** The last time at which one of the above held for a room or a kind. */
  readonly excused: Map<string, number>;
}

/** Three people in two rooms. */
export async function openModel(system: System) {
  const { services, settings, reading, now, dynamo, deciding } = system;
  const people = [await system.create('Aki'), await system.create('Ben'), await system.create('Chi')];
  const [aki, ben] = people as [Person, Person, Person];
  const rooms = [
    await system.room('Lunch', ...(people as [Person])),
    await system.room('Tea', ...(people as [Person])),
  ];
  const roots: Message[] = [];
  for (const room of rooms)
    roots.push(await services.messages.send({ author: aki.id, room, body: 'Hello.' }));
  const written = people.map(() => [] as MessageKey[]);
  const deleted = new Set<string>();
  const choices = people.map(
    (): Choices => ({
      ...{ muted: new Set(), left: new Set(), off: new Set(), pausedUntil: 0 },
      ...{ quiet: { from: 0, until: 0 }, excused: new Map() },
    }),
  );
  const checked = new Set<string>();
  /** When each notification was last sent. */
  const last = new Map<string, number>();
  const at = <T>(all: readonly T[], i: number): T => all[i] as T;

  async function perform(action: Action): Promise<void> {
    if (action.type === 'pass') return pass(action.seconds);
    if (action.type === 'consume') return system.consume();
    if (action.type === 'leave') return leave(at(rooms, action.room));
    const by = at(people, action.by);
    const own = at(choices, action.by);
    const room = at(rooms, action.room);
    const root = at(roots, action.room);
    if (own.left.has(room)) return;
    switch (action.type) {
      case 'mention': {
        const body = `@${at(people, action.of).handle} Look!`;
        written[action.by]?.push(await services.messages.send({ author: by.id, room, body }));
        return;
      }
      case 'reply':
        written[action.by]?.push(
          await services.messages.send({ author: by.id, room, body: 'Well.', replyTo: root }),
        );
        return;
      case 'like':
        await services.likes.add(by.id, root);
        return;
      case 'unlike':
        await services.likes.remove(by.id, root);
        return;
      case 'delete': {
        const last = written[action.by]?.pop();
        if (last === undefined || own.left.has(last.room)) return;
        await services.messages.remove(by.id, last);
        deleted.add(last.ts);
        return;
      }
      case 'readAll':
        await reading.markAllRead(by.id);
        return;
      case 'readRoom':
        await services.readPositions.markRead(by.id, room);
        own.excused.set(`MENTION ${room}`, now());
        return;
      case 'readThread':
        await reading.markThreadRead(by.id, root);
        return;
      case 'mute':
        await services.readPositions.mute(by.id, room, action.on);
        note(own, room, own.muted, action.on);
        return;
      case 'choose':
        await settings.change(by.id, { kinds: new Map([[action.kind, { mode: action.on ? null : 'OFF' }]]) });
        note(own, action.kind, own.off, !action.on);
        return;
      case 'pause': {
        const until = action.on ? now() + action.seconds * 1_000 : null;
        await settings.pause(by.id, until, PAUSE_MAX_MS);
        own.pausedUntil = until ?? 0;
        return;
      }
      case 'quiet':
        own.quiet = await quietFor(by, action.on ? action.seconds % 9 : 0);
    }
  }

  /** Ben leaves, and the next time he comes back. Only what happens while he is inside matters to him. */
  async function leave(room: string): Promise<void> {
    const own = at(choices, 1);
    const leaves = !own.left.has(room);
    // A former member's membership and what they chose for it are gone.
    if (leaves) {
      await services.rooms.leave(ben.id, room);
      own.muted.delete(room);
    } else await services.rooms.join(ben.id, room);
    note(own, room, own.left, leaves);
  }

  function note<T extends string>(own: Choices, name: T, names: Set<T>, on: boolean): void {
    if (on) names.add(name);
    else names.delete(name);
    own.excused.set(name, now());
  }

  async function quietFor(by: Person, minutes: number): Promise<Choices['quiet']> {
    const minute = Math.floor((now() % 86_400_000) / 60_000);
    const [from, to] = [minute, (minute + minutes) % 1_440];
    const days = [0, 1, 2, 3, 4, 5, 6];
    const quietHours: QuietHours | null = minutes === 0 ? null : { from, to, timeZone: 'UTC', days };
    await settings.change(by.id, { quietHours });
    const start = Math.floor(now() / 60_000) * 60_000;
    return minutes === 0 ? { from: 0, until: 0 } : { from: start, until: start + minutes * 60_000 };
  }

  /** Two hosts handle each timer at the same time, at its time. One of them deletes it if it has succeeded. */
  async function pass(seconds: number): Promise<void> {
    const until = now() + seconds * 1_000;
    for (let rounds = 0; ; rounds++) {
      expect(rounds).toBeLessThan(1_000);
      await system.consume();
      const [next] = (await system.openTimers()).filter(({ due }) => due <= until);
      if (next === undefined) break;
      if (next.due > now()) system.stall((next.due - now()) / 1_000);
      const hosts = await Promise.allSettled([
        deciding.handle(next as never),
        deciding.handle(next as never),
      ]);
      for (const host of hosts) {
        if (host.status === 'rejected' && !(host.reason instanceof OutageError)) throw host.reason;
      }
      if (hosts.some(({ status }) => status === 'fulfilled')) {
        await dynamo.remove(keys.timer(next.due, next.id));
      }
      await check();
    }
    system.stall((until - now()) / 1_000);
  }

  /** What was sent since the last check was wanted at that moment: nothing has changed but what a fault lets someone do. */
  async function check(): Promise<void> {
    for (const [i, one] of people.entries()) {
      const own = at(choices, i);
      for (const delivery of await system.deliveriesOf(one)) {
        if (checked.has(`${one.id} ${delivery.id}`)) continue;
        checked.add(`${one.id} ${delivery.id}`);
        if (delivery.outcome !== 'PENDING') continue;
        const { decidedAt, rooms: inRooms, kinds } = delivery;
        expect(
          inRooms.filter((room) => own.left.has(room) || (own.muted.has(room) && !kinds.includes('MENTION'))),
        ).toEqual([]);
        expect(kinds.filter((kind) => own.off.has(kind))).toEqual([]);
        expect(decidedAt).toBeGreaterThanOrEqual(own.pausedUntil);
        expect(own.quiet.from <= decidedAt && decidedAt < own.quiet.until).toBe(false);
        for (const about of await notificationsOf(one, delivery.notifications)) {
          expect(about.readAt).toBeNull();
          expect(about.actors.map(({ user }) => user)).not.toContain(one.id);
          // There is something new in it, and it was not taken back.
          const before = last.get(`${one.id} ${about.id}`) ?? 0;
          expect(await newestLeft(about)).toBeGreaterThanOrEqual(before);
          last.set(`${one.id} ${about.id}`, decidedAt);
        }
      }
    }
  }

  async function unreadOf({ id: user }: Person): Promise<Notification[]> {
    const badge = badgeOf(await dynamo.get(keys.badge(user)));
    const items = await itemsIn(dynamo, ranges.notifications(user));
    return items
      .map((item) => applyReadAll(notificationOf(user, String(item.sk).slice(5), item), badge, 0))
      .filter(({ readAt, kind }) => readAt === null && KINDS.some((known) => known === kind));
  }

  /** When something last happened that was not taken back, in milliseconds since 1970. */
  async function newestLeft({ user, kind, room, threadTs, ts, actors, first }: Notification) {
    if (kind === 'MENTION' && deleted.has(ts)) return undefined;
    const replies = kind === 'REPLY' ? await itemsIn(dynamo, ranges.replies(room, threadTs)) : [];
    const times =
      kind === 'REPLY'
        ? replies
            .filter((item) => item.author !== user && item.deletedAt === undefined)
            .map((item) => String(item.sk).slice(-16))
            .filter((time) => time >= (first ?? ''))
        : actors.map((actor) => actor.at);
    const newest = times.sort().at(-1);
    return newest === undefined ? undefined : Math.floor(microsOf(newest) / 1_000);
  }

  async function notificationsOf({ id: user }: Person, ids: readonly string[]): Promise<Notification[]> {
    const items = await dynamo.batchGet(ids.map((id) => keys.notification(user, id)));
    return ids.flatMap((id, i) => {
      const item = items[i];
      return item === undefined ? [] : [notificationOf(user, id, item)];
    });
  }

  /** Everyone wants everything again, and time passes without faults. Then nothing is left. */
  async function finish(): Promise<void> {
    for (const [i, one] of people.entries()) {
      await settings.pause(one.id, null, PAUSE_MAX_MS);
      at(choices, i).pausedUntil = 0;
      at(choices, i).quiet = await quietFor(one, 0);
    }
    await pass(REST_S);
    expect(await system.openTimers()).toEqual([]);
    for (const [i, one] of people.entries()) {
      const sent = (await system.deliveriesOf(one)).filter(({ outcome }) => outcome === 'PENDING');
      expectWindows(sent);
      await expectNothingUntold(one, at(choices, i), sent);
    }
  }

  function expectWindows(sent: readonly Delivery[]): void {
    for (const kind of KINDS) {
      for (const room of rooms) {
        const times = sent
          .filter((one) => one.kinds.includes(kind) && one.kinds.length === 1 && one.rooms.includes(room))
          .map(({ decidedAt }) => decidedAt);
        for (const [i, time] of times.slice(1).entries()) {
          expect(time - (times[i] ?? 0)).toBeGreaterThanOrEqual(WINDOWS[kind].windowSeconds * 1_000);
        }
      }
    }
  }

  async function expectNothingUntold(one: Person, own: Choices, sent: readonly Delivery[]): Promise<void> {
    for (const about of await unreadOf(one)) {
      const { id, kind, room } = about;
      const happened = await newestLeft(about);
      if (happened === undefined) continue;
      const excused = [room, kind, `${kind} ${room}`].some(
        (name) => (own.excused.get(name) ?? 0) >= happened,
      );
      if (own.left.has(room) || own.muted.has(room) || own.off.has(kind as DeliveryKind) || excused) continue;
      const last = sent.filter(({ notifications }) => notifications.includes(id)).at(-1);
      expect({ kind, told: last !== undefined && last.decidedAt >= happened }).toEqual({ kind, told: true });
    }
  }

  /** For faults: a moment later someone does something. */
  async function actMeanwhile(): Promise<void> {
    system.stall(0.001);
    await perform({ ...ANYTHING, type: 'reply', by: 2, room: 0 });
    // The notification, and what gathers it.
    await system.consume();
  }

  return { perform, finish, actMeanwhile };
}
