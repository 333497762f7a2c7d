/**
 * What people do, and what may be delivered to them. The oracle knows what each has chosen, and when. Two lists say
 * what is left to send: notifications, and the acts of `acts.ts`, which also say who and how many the words must name.
 */
import { expect } from 'vitest';
import { defined } from '../../../src/core/defined.ts';
import { OutageError } from '../../../src/core/errors.ts';
import type { Delivery } from '../../../src/delivery/delivery.ts';
import type { QuietHours } from '../../../src/delivery/settings/quietHours.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { SYSTEM_TIMERS } from '../../../src/jobs/job.ts';
import type { Message, MessageKey } from '../../../src/messages/message.ts';
import { type Action, ANYTHING, CROWD, REPLYING, ROOTS } from './actions.ts';
import { type Choices, createLog } from './actLog.ts';
import { type Act, createActs, type ToldKind } from './acts.ts';
import type { DeliverySystem, Person } from './deliverySystem.ts';
import { createStoredNotifications } from './storedNotifications.ts';
import { expectWindows } from './windows.ts';

/** Longer than all of them together, and the time over which summaries are spread. */
const REST_S = 1_200;
const PAUSE_MAX_MS = 86_400_000;

const at = <T>(all: readonly T[], i: number): T => all[i] as T;

/** Three people in two rooms, and others who join them for bursts. */
export async function openModel(system: DeliverySystem, crowd: readonly Person[]) {
  const { services, settings, reading, now, dynamo } = system;
  const people = [await system.create('Aki'), await system.create('Ben'), await system.create('Chi')];
  const [aki, ben] = people as [Person, Person, Person];
  const all = people as [Person];
  const rooms = [await system.room('Lunch', ...all), await system.room('Tea', ...all)];
  const roots: Message[][] = [];
  for (const room of rooms) {
    const own: Message[] = [];
    for (const { id: author } of [...people, aki]) {
      own.push(await services.messages.send({ author, room, body: 'Hello.' }));
    }
    roots.push(own);
  }
  const written: Message[] = [];
  const deleted = new Set<string>();
  const choices = people.map(
    (): Choices => ({
      muted: new Set(),
      left: new Set(),
      wasOut: new Set(),
      listens: new Set(),
      off: new Set(),
      blocked: new Set(),
      wasBlocked: new Set(),
      pausedUntil: 0,
      quiet: { from: 0, until: 0 },
      excused: new Map(),
    }),
  );
  const indexOf = (user: string): number => people.findIndex(({ id }) => id === user);
  const choicesOf = (user: string): Choices => at(choices, indexOf(user));
  const stored = createStoredNotifications({ dynamo, deleted, blockedBy: (user) => choicesOf(user).blocked });
  const names = new Map([
    ...people.map(({ id }, i): [string, string] => [id, at(['Aki', 'Ben', 'Chi'], i)]),
    ...crowd.map(({ id }, i): [string, string] => [id, `P${i}`]),
  ]);
  const acts = createActs({
    nameOf: (user) => names.get(user) ?? '',
    roomName: (room) => (room === rooms[0] ? 'Lunch' : 'Tea'),
    countsNamed: (user) => choicesOf(user).off.has('MENTION'),
    isBlocked: ({ to, by }) => choicesOf(to).blocked.has(by),
  });
  const log = createLog({ acts, people, roots: roots.flat(), choicesOf });
  /** How many of the crowd are in a room. */
  const joined = new Map<string, number>();
  // What was written before is not sent to them. The others choose so later.
  await system.consume();
  for (const [i, room] of [
    [0, 1],
    [2, 0],
  ].map(([i = 0, room = 0]) => [i, at(rooms, room)] as const)) {
    await settings.setRoom(at(people, i).id, room, 'ALL');
    at(choices, i).listens.add(room);
  }
  const checked = new Set<string>();
  /** When each notification was last sent. */
  const last = new Map<string, number>();

  async function perform(action: Action): Promise<void> {
    if (action.type === 'pass') return pass(action.seconds);
    if (action.type === 'consume') return consume();
    if (action.type === 'leave') return leave(at(rooms, action.room));
    const by = at(people, action.by);
    const own = at(choices, action.by);
    const room = at(rooms, action.room);
    const root = at(at(roots, action.room), action.root);
    if (action.type === 'burst') return burst(action);
    if (action.type === 'block') return block(by, action);
    if (action.type === 'unblock') return unblock(by);
    if (own.left.has(room)) return;
    switch (action.type) {
      case 'mention':
        return say([by], room, { mentioned: at(people, action.of) });
      case 'post':
        return say([by], room, {});
      case 'reply':
        return say([by], room, { replyTo: root });
      case 'like':
        return like([by], root);
      case 'unlike':
        await services.likes.remove(by.id, root);
        log.unliked(by.id, root);
        return;
      case 'delete':
        return remove(action.on ? by : undefined);
      case 'readAll':
        await reading.markAllRead(by.id);
        for (const act of acts.find(
          ({ to, kind, derived }) => to === by.id && kind !== 'MESSAGE' && derived,
        )) {
          act.read = true;
        }
        return;
      case 'readRoom': {
        await services.readPositions.markRead(by.id, room);
        own.excused.set(`MENTION ${room}`, now());
        for (const act of acts.find((one) => one.to === by.id && one.room === room && log.isRoot(one))) {
          // What has no position yet is possibly not covered.
          if (act.derived) act.read = true;
          else Object.assign(act, { certain: false, owed: false });
        }
        return;
      }
      case 'readThread':
        return readThread(by, root);
      case 'mute':
        await services.readPositions.mute(by.id, room, action.on);
        note(by, room, own.muted, action.on);
        return;
      case 'listen':
        return listen(by, room, action.on);
      case 'choose':
        await settings.change(by.id, { kinds: new Map([[action.kind, { mode: action.on ? null : 'OFF' }]]) });
        note(by, action.kind, own.off, !action.on);
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

  /** At once, by everyone in it. */
  async function say(
    authors: readonly Person[],
    room: string,
    { mentioned, replyTo }: { readonly mentioned?: Person; readonly replyTo?: MessageKey },
  ): Promise<void> {
    const body = mentioned === undefined ? 'Well.' : `@${mentioned.handle} Look!`;
    const sent = await Promise.all(
      authors.map(({ id: author }) =>
        services.messages.send({ author, room, body, ...defined({ replyTo }) }),
      ),
    );
    written.push(...sent);
    log.wrote(sent, mentioned?.id);
  }

  async function like(likers: readonly Person[], root: Message): Promise<void> {
    for (const { id } of likers) {
      await services.likes.add(id, root);
      log.liked(id, root);
    }
  }

  /** Many people do the same, some of them twice. */
  async function burst({ told, many, of, room: i, root: j, on }: Action): Promise<void> {
    const room = at(rooms, i);
    const own = at(roots, i);
    const replies = told === 'REPLY';
    const others = crowd.slice(0, Math.min(many, replies ? REPLYING : CROWD));
    for (let k = joined.get(room) ?? 0; k < others.length; k++) {
      await services.rooms.join(at(others, k).id, room);
      joined.set(room, k + 1);
    }
    const twice = (all: readonly Person[]) => (on ? [...all, ...all.slice(0, 3)] : all);
    // A user who writes a root has read the others, but not which of those that are written at the same time.
    if (told === 'MESSAGE') return say(twice(others), room, {});
    if (told === 'MENTION') return say(twice(others), room, { mentioned: at(people, of) });
    const inside = people.filter((_, k) => !at(choices, k).left.has(room));
    const all = [...inside, ...others].slice(-many);
    if (replies) return say(twice(all), room, { replyTo: at(own, j) });
    await like(all, at(own, j));
    if (on) await like(all.slice(0, 3), at(own, (j + 3) % ROOTS));
  }

  /** The last message of this person, or of the crowd. */
  async function remove(by: Person | undefined): Promise<void> {
    const isTheirs = ({ author }: Message) =>
      by === undefined ? crowd.some(({ id }) => id === author) : author === by.id;
    const index = written.findLastIndex(isTheirs);
    const message = written[index];
    if (message === undefined || (by !== undefined && choicesOf(by.id).left.has(message.room))) return;
    written.splice(index, 1);
    await services.messages.remove(message.author, message);
    deleted.add(message.ts);
    for (const act of acts.find((one) => one.message === message.ts)) act.undone = true;
  }

  /** A job reads it. */
  async function readThread(by: Person, root: Message): Promise<void> {
    await consume();
    await reading.markThreadRead(by.id, root);
    for (const timer of await system.openTimers()) {
      if (timer.kind !== SYSTEM_TIMERS) continue;
      await system.handle(timer);
      await dynamo.remove(keys.timer(timer.due, timer.id));
    }
    for (const act of acts.find(
      ({ to, kind, about }) => to === by.id && kind === 'REPLY' && about === root.ts,
    )) {
      act.read = true;
    }
  }

  /** Of what was written before, they get nothing. */
  async function listen(by: Person, room: string, on: boolean): Promise<void> {
    const { listens } = choicesOf(by.id);
    if (listens.has(room) === on) return;
    await settings.setRoom(by.id, room, on ? 'ALL' : null);
    note(by, room, listens, on);
    for (const act of acts.find(
      ({ to, kind, room: of }) => to === by.id && kind === 'MESSAGE' && of === room,
    )) {
      if (act.derived) act.told = true;
      else act.certain = false;
    }
  }

  /** One of the others, or someone of the crowd. */
  async function block(by: Person, { of, many }: Action): Promise<void> {
    const named = at(people, of);
    const other = named === by ? at(crowd, many % CROWD) : named;
    await services.blocks.block(by.id, other.id);
    log.blocked(by.id, other.id, true);
  }

  /** The one that they blocked first. */
  async function unblock(by: Person): Promise<void> {
    const own = choicesOf(by.id);
    const [other] = own.blocked;
    if (other === undefined) return;
    await services.blocks.unblock(by.id, other);
    log.blocked(by.id, other, false);
    own.excused.set('unblock', now());
  }

  /** Ben leaves, and the next time he comes back. Only what happens while he is inside matters to him. */
  async function leave(room: string): Promise<void> {
    const own = at(choices, 1);
    const leaves = !own.left.has(room);
    // A former member's membership and what they chose for it are gone.
    if (leaves) {
      await services.rooms.leave(ben.id, room);
      own.muted.delete(room);
      own.listens.delete(room);
      own.wasOut.add(room);
    } else await services.rooms.join(ben.id, room);
    for (const act of acts.find(({ to, room: of }) => to === ben.id && of === room)) act.certain = false;
    note(ben, room, own.left, leaves);
  }

  function note<T extends string>({ id }: Person, name: T, names: Set<T>, on: boolean): void {
    if (on) names.add(name);
    else names.delete(name);
    choicesOf(id).excused.set(name, now());
    const isAbout = ({ to, kind, room }: Act) => to === id && (kind === name || room === name);
    for (const act of acts.find(isAbout)) act.owed = false;
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

  async function consume(): Promise<void> {
    await system.consume();
    log.derived();
  }

  /** Two hosts handle each timer at the same time, at its time. One of them deletes it if it has succeeded. */
  async function pass(seconds: number): Promise<void> {
    const until = now() + seconds * 1_000;
    for (let rounds = 0; ; rounds++) {
      expect(rounds).toBeLessThan(1_000);
      await consume();
      const [next] = (await system.openTimers()).filter(({ due }) => due <= until);
      if (next === undefined) break;
      if (next.due > now()) system.stall((next.due - now()) / 1_000);
      const hosts = await Promise.allSettled([system.handle(next), system.handle(next)]);
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

  /** What was sent since the last check was wanted then: nothing has changed but what a fault lets someone do. */
  async function check(): Promise<void> {
    for (const [i, one] of people.entries()) {
      const own = at(choices, i);
      for (const delivery of await system.deliveriesOf(one)) {
        if (checked.has(`${one.id} ${delivery.id}`)) continue;
        checked.add(`${one.id} ${delivery.id}`);
        const { decidedAt, rooms: inRooms, kinds } = delivery;
        if (delivery.outcome !== 'PENDING') {
          const [[kind, ...kindsToo], [room, ...roomsToo]] = [kinds as readonly ToldKind[], inRooms];
          const isOne = kindsToo.length + roomsToo.length === 0;
          if (isOne && kind !== undefined && room !== undefined) acts.checkNotSent(one.id, kind, room);
          continue;
        }
        const subjects = await stored.subjectsOf(one, delivery);
        const unwanted = subjects.filter((subject) => !log.isWanted({ ...subject, to: one.id }));
        expect(unwanted).toEqual([]);
        expect(decidedAt).toBeGreaterThanOrEqual(own.pausedUntil);
        expect(own.quiet.from <= decidedAt && decidedAt < own.quiet.until).toBe(false);
        for (const about of await stored.notificationsOf(one, delivery.notifications)) {
          expect(about.readAt).toBeNull();
          expect(about.actors.map(({ user }) => user)).not.toContain(one.id);
          // There is something new in it, and it was not taken back.
          const before = last.get(`${one.id} ${about.id}`) ?? 0;
          expect(await stored.newestLeft(about)).toBeGreaterThanOrEqual(before);
          last.set(`${one.id} ${about.id}`, decidedAt);
        }
        const language = at(['en', 'ja'] as const, checked.size % 2);
        const { words } = await system.describe(delivery, { language });
        const { title = '', text = '' } = words ?? {};
        acts.checkSent({ to: one.id, language, subjects, title, text });
      }
    }
    acts.endMeanwhile();
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
    acts.checkNothingOwed();
    for (const [i, one] of people.entries()) {
      const sent = (await system.deliveriesOf(one)).filter(({ outcome }) => outcome === 'PENDING');
      expectWindows(sent, rooms);
      await expectNothingUntold(one, at(choices, i), sent);
    }
  }

  async function expectNothingUntold(one: Person, own: Choices, sent: readonly Delivery[]): Promise<void> {
    for (const about of await stored.unreadOf(one)) {
      const { id, kind, room } = about;
      // The bell gets nothing more of a muted room but mentions, even if the person wants all of its messages.
      if (kind !== 'MENTION' && own.muted.has(room)) continue;
      const happened = await stored.newestLeft(about);
      if (happened === undefined) continue;
      const excused = [room, kind, `${kind} ${room}`, 'unblock'].some(
        (name) => (own.excused.get(name) ?? 0) >= happened,
      );
      const isWanted = log.isWanted({ to: one.id, kind: kind as ToldKind, room });
      if (!isWanted || excused) continue;
      const last = sent.filter(({ notifications }) => notifications.includes(id)).at(-1);
      expect({ kind, told: last !== undefined && last.decidedAt >= happened }).toEqual({ kind, told: true });
    }
  }

  /** For faults: a moment later someone does something. */
  async function actMeanwhile(): Promise<void> {
    system.stall(0.001);
    log.meanwhile(true);
    await perform({ ...ANYTHING, type: 'reply', by: 2, room: 0 });
    // The notification, and what gathers it.
    await consume();
    log.meanwhile(false);
  }

  return { perform, finish, actMeanwhile };
}
