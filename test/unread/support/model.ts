/**
 * The badge's rules as a plain model, and the commands that do the same to the model and to the product.
 * A room is a number of roots, in the order in which they were stored, and a member has read up to one of them.
 * Everything else follows from that, also if the timestamps have another order, because servers' clocks differ.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { keys } from '../../../src/dynamo/keys.ts';
import { messageKeyOf } from '../../../src/messages/types.ts';
import { listNotifications } from '../../notifications/support/list.ts';
import { MarkNotificationsRead } from '../../notifications/support/operations.ts';
import { type BadgeState, type LiveBadge, queryBadge, watchBadge } from '../../support/clients/badges.ts';
import { JoinRoom, LeaveRoom, MarkRoomRead } from '../../support/clients/operations.ts';
import { type Person, rawId, say } from '../../support/clients/people.ts';
import { positioned } from '../../support/database/table.ts';
import type { TestApp } from '../../support/servers/app.ts';
import { createCommand } from '../../support/servers/command.ts';
import type { StreamGate } from '../../support/stream/streamGate.ts';
import { eventually } from '../../support/time/eventually.ts';
import { MarkAllRoomsRead, MarkRoomUnread, MuteRoom } from './operations.ts';

interface ModelRoom {
  roots: number;
  /** How many of them had a position when the stream was last held back. */
  positioned: number;
  /** The members, and up to which root (counted from 1) they have read. */
  readonly read: Map<number, number>;
  readonly owners: Set<number>;
  readonly muted: Set<number>;
  readonly mentions: ModelMention[];
}

/** A root that mentions a user, who was in the room when it was sent. */
export interface ModelMention {
  readonly person: number;
  readonly author: number;
  readonly root: number;
  /**
   * The MENTION notification. `pending`: it is not derived while the stream is held back. `either`: the root was read
   * and then marked as unread, maybe before the notification was derived.
   */
  state: 'pending' | 'unread' | 'read' | 'either' | 'none';
  wasRead: boolean;
}

export interface Model {
  readonly rooms: readonly ModelRoom[];
  paused: boolean;
}

interface RealRoom {
  readonly id: string;
  /** Roots and replies, as they were sent; `root` counts from 1. */
  readonly messages: Array<{ readonly id: string; readonly root: number; readonly isReply?: true }>;
}

export interface Real {
  readonly app: TestApp;
  readonly gate: StreamGate;
  readonly people: readonly Person[];
  /** The same users, connected to a server whose clock differs. */
  readonly elsewhere: readonly Person[];
  readonly rooms: readonly RealRoom[];
  readonly badges: Array<{ readonly person: number; readonly badge: LiveBadge }>;
}

/** The first user created all rooms and is alone in the last one. In the others all users are members. */
export const newModel = (rooms: number, people: number): Model => ({
  rooms: Array.from({ length: rooms }, (_, room) => ({
    roots: 0,
    positioned: 0,
    read: new Map(Array.from({ length: room === rooms - 1 ? 1 : people }, (_, person) => [person, 0])),
    owners: new Set([0]),
    muted: new Set(),
    mentions: [],
  })),
  paused: false,
});

export const at = <T>(list: readonly T[], i: number): T => {
  const item = list[i];
  if (item === undefined) throw new Error(`There is no ${i}.`);
  return item;
};

/** Replies notify as well, which this model does not know. */
async function badgeOfMentions(person: Person): Promise<BadgeState> {
  const [{ total, notifications, rooms }, unread] = [
    await queryBadge(person),
    await listNotifications(person, true),
  ];
  const others = unread.reduce((sum, { kind, actorCount }) => sum + (kind === 'MENTION' ? 0 : actorCount), 0);
  return { total: total - others, notifications: notifications - others, rooms };
}

/**
 * Compares what a user's badge shows with the model, once everything was derived. A root counts once, whether its
 * mention is unread or not.
 */
export async function expectBadge({ rooms }: Model, real: Real, person: number): Promise<void> {
  const badge = await badgeOfMentions(at(real.people, person));
  const counts: Record<string, number> = {};
  let counted = 0;
  /** Unread notifications whose roots do not count: least and most. */
  const apart = { least: 0, most: 0 };
  const mentioned = { least: 0, most: 0 };
  for (const [i, { roots, read, muted, mentions }] of rooms.entries()) {
    const upTo = read.get(person) ?? roots;
    if (roots > upTo) counts[at(real.rooms, i).id] = roots - upTo;
    if (!muted.has(person)) counted += roots - upTo;
    for (const { person: whom, root, state } of mentions) {
      if (whom !== person || (state !== 'unread' && state !== 'either')) continue;
      const where = muted.has(person) || root <= upTo ? apart : mentioned;
      where.most++;
      if (state === 'unread') where.least++;
    }
  }
  expect(badge.rooms).toEqual(counts);
  const besides = badge.total - counted;
  const about = JSON.stringify({ badge, counted, apart, mentioned });
  expect(besides, about).toBeGreaterThanOrEqual(apart.least);
  expect(besides, about).toBeLessThanOrEqual(apart.most);
  expect(badge.notifications - besides, about).toBeGreaterThanOrEqual(mentioned.least);
  expect(badge.notifications - besides, about).toBeLessThanOrEqual(mentioned.most);
}

/** The ids of the roots that a user has not read, in the order in which they were sent; by room. */
export const expectedUnread = ({ rooms }: Model, real: Real, person: number): Map<string, string[]> =>
  new Map(
    rooms.flatMap(({ read }, i) => {
      const upTo = read.get(person);
      if (upTo === undefined) return [];
      const { id, messages } = at(real.rooms, i);
      return [[id, messages.filter((one) => !one.isReply && one.root > upTo).map((one) => one.id)]];
    }),
  );

export const settled = (real: Real): Promise<unknown> =>
  Promise.all(real.rooms.map(({ id }) => positioned(real.app.dynamo, rawId(id))));

/** Resolves when all mentions were derived, and the model knows. */
export async function derived(model: Model, real: Real): Promise<void> {
  for (const [i, room] of model.rooms.entries()) {
    const { id, messages } = at(real.rooms, i);
    for (const mention of room.mentions) {
      const message = messages.find(({ root, isReply }) => root === mention.root && isReply !== true);
      const { threadTs, ts } = messageKeyOf(message?.id ?? '');
      const subject = { kind: 'MENTION', room: rawId(id), threadTs, ts };
      const [user, actor] = [at(real.people, mention.person).id, at(real.people, mention.author).id];
      await eventually(async () =>
        expect(await real.app.dynamo.get(keys.notified(user, subject, actor))).toBeDefined(),
      );
      if (mention.state !== 'pending') continue;
      const upTo = room.read.get(mention.person);
      if (upTo === undefined) mention.state = 'none';
      else if (upTo >= mention.root) mention.state = 'read';
      else mention.state = mention.wasRead ? 'either' : 'unread';
    }
  }
}

/** The user's read position is this root now. */
function readTo(room: ModelRoom, person: number, root: number): void {
  room.read.set(person, root);
  for (const mention of room.mentions) {
    if (mention.person !== person) continue;
    if (mention.root <= root) {
      mention.wasRead = true;
      if (mention.state === 'unread' || mention.state === 'either') mention.state = 'read';
    } else if (mention.state === 'read' && mention.wasRead) mention.state = 'either';
  }
}

const command = createCommand<Model, Real>;

interface Place {
  readonly person: number;
  readonly room: number;
}

const isMember = ({ rooms }: Model, { person, room }: Place) => at(rooms, room).read.has(person);

const send = ({ person, room }: Place, isElsewhere: boolean, whom: number | undefined) =>
  command({
    name: `send(${person} in ${room}${isElsewhere ? ', elsewhere' : ''}${whom === undefined ? '' : `, to ${whom}`})`,
    possible: (model) => isMember(model, { person, room }),
    async run({ rooms, paused }, real) {
      const { id, messages } = at(real.rooms, room);
      const modelRoom = at(rooms, room);
      const sender = at(isElsewhere ? real.elsewhere : real.people, person);
      const body = whom === undefined ? 'root' : `root for @${at(real.people, whom).handle}`;
      const message = await say(sender, id, body);
      modelRoom.roots++;
      readTo(modelRoom, person, modelRoom.roots);
      if (whom !== undefined && whom !== person && modelRoom.read.has(whom)) {
        const state = paused ? 'pending' : 'unread';
        modelRoom.mentions.push({
          person: whom,
          author: person,
          root: modelRoom.roots,
          state,
          wasRead: false,
        });
      }
      messages.push({ id: message.id, root: modelRoom.roots });
    },
  });

const reply = ({ person, room }: Place, pick: number) =>
  command({
    name: `reply(${person} in ${room} to ${pick})`,
    possible: (model) => isMember(model, { person, room }) && at(model.rooms, room).roots > 0,
    async run(_, real) {
      const { id, messages } = at(real.rooms, room);
      const to = at(messages, pick % messages.length);
      const message = await say(at(real.people, person), id, 'reply', to.id);
      messages.push({ id: message.id, root: to.root, isReply: true });
    },
  });

const markRead = ({ person, room }: Place, pick: number | undefined) =>
  command({
    name: `markRead(${person} in ${room} up to ${pick ?? 'the end'})`,
    possible: (model) =>
      isMember(model, { person, room }) && (pick === undefined || at(model.rooms, room).roots > 0),
    async run({ rooms }, real) {
      const { id: roomId, messages } = at(real.rooms, room);
      const modelRoom = at(rooms, room);
      const to = pick === undefined ? undefined : at(messages, pick % messages.length);
      const input = to === undefined ? { roomId } : { roomId, upTo: to.id };
      await at(real.people, person).do(MarkRoomRead, { input });
      readTo(modelRoom, person, Math.max(modelRoom.read.get(person) ?? 0, to?.root ?? modelRoom.roots));
    },
  });

const markAllRead = (person: number) =>
  command({
    name: `markAllRead(${person})`,
    possible: () => true,
    async run({ rooms }, real) {
      await at(real.people, person).do(MarkAllRoomsRead, {});
      for (const room of rooms) if (room.read.has(person)) readTo(room, person, room.roots);
    },
  });

const markUnread = ({ person, room }: Place, pick: number) =>
  command({
    name: `markUnread(${person} in ${room} from ${pick})`,
    possible: (model) => isMember(model, { person, room }) && at(model.rooms, room).roots > 0,
    async run({ rooms }, real) {
      const { messages } = at(real.rooms, room);
      const modelRoom = at(rooms, room);
      const { id: messageId, root } = at(messages, pick % messages.length);
      await at(real.people, person).do(MarkRoomUnread, { messageId });
      readTo(modelRoom, person, Math.min(modelRoom.read.get(person) ?? 0, root - 1));
    },
  });

const toggleMute = ({ person, room }: Place) =>
  command({
    name: `toggleMute(${person} in ${room})`,
    possible: (model) => isMember(model, { person, room }),
    async run({ rooms }, real) {
      const { muted } = at(rooms, room);
      const isMuted = !muted.delete(person);
      if (isMuted) muted.add(person);
      await at(real.people, person).do(MuteRoom, { roomId: at(real.rooms, room).id, muted: isMuted });
    },
  });

const join = ({ person, room }: Place) =>
  command({
    name: `join(${person} to ${room})`,
    possible: (model) => !isMember(model, { person, room }),
    async run(model, real) {
      const { rooms, paused } = model;
      const { id: roomId } = at(real.rooms, room);
      const modelRoom = at(rooms, room);
      // Roots that have a position when the user joins count as read.
      if (!paused) {
        await positioned(real.app.dynamo, rawId(roomId));
        await derived(model, real);
      }
      await at(real.people, person).do(JoinRoom, { roomId });
      if (modelRoom.read.size === 0) modelRoom.owners.add(person);
      readTo(modelRoom, person, paused ? modelRoom.positioned : modelRoom.roots);
    },
  });

const leave = ({ person, room }: Place) =>
  command({
    name: `leave(${person} from ${room})`,
    possible: (model) => isMember(model, { person, room }),
    async run(model, real) {
      const modelRoom = at(model.rooms, room);
      // Former members are not notified.
      if (!model.paused) await derived(model, real);
      const lastOwner =
        modelRoom.owners.has(person) && modelRoom.owners.size === 1 && modelRoom.read.size > 1;
      const refused = await at(real.people, person).refused(LeaveRoom, { roomId: at(real.rooms, room).id });
      expect(refused).toBe(lastOwner ? 'CONFLICT' : undefined);
      if (lastOwner) return;
      modelRoom.read.delete(person);
      modelRoom.owners.delete(person);
      modelRoom.muted.delete(person);
    },
  });

/** Notifications that were not derived yet stay unread. */
const readNotifications = (person: number) =>
  command({
    name: `readNotifications(${person})`,
    possible: () => true,
    async run(model, real) {
      if (!model.paused) await derived(model, real);
      await at(real.people, person).do(MarkNotificationsRead, {});
      for (const mention of model.rooms.flatMap(({ mentions }) => mentions)) {
        const isUnread = mention.state === 'unread' || mention.state === 'either';
        // It stays read if its root becomes unread.
        if (mention.person === person && isUnread) Object.assign(mention, { state: 'read', wasRead: false });
      }
    },
  });

const openBadge = (person: number) =>
  command({
    name: `openBadge(${person})`,
    possible: () => true,
    async run(_, real) {
      const badge = watchBadge(at(real.people, person));
      real.badges.push({ person, badge });
      await badge.next();
    },
  });

const pause = command({
  name: 'pause',
  possible: ({ paused }) => !paused,
  async run(model, real) {
    await settled(real);
    await derived(model, real);
    real.gate.close();
    model.paused = true;
    for (const room of model.rooms) room.positioned = room.roots;
  },
});

const resume = command({
  name: 'resume',
  possible: ({ paused }) => paused,
  async run(model, real) {
    real.gate.open();
    await derived(model, real);
    model.paused = false;
  },
});

/** Random sequences of commands. Most of them send or read. */
export function commands(people: number, rooms: number) {
  const person = fc.nat({ max: people - 1 });
  const place = fc.record({ person, room: fc.nat({ max: rooms - 1 }) });
  const pick = fc.nat({ max: 99 });
  const sent = fc
    .tuple(place, fc.boolean(), fc.option(person, { nil: undefined }))
    .map(([one, isElsewhere, whom]) => send(one, isElsewhere, whom));
  const some = [
    sent,
    sent,
    sent,
    fc.tuple(place, pick).map(([one, to]) => reply(one, to)),
    fc.tuple(place, pick).map(([one, to]) => markRead(one, to)),
    place.map((one) => markRead(one, undefined)),
    place.map((one) => markRead(one, undefined)),
    person.map(markAllRead),
    fc.tuple(place, pick).map(([one, from]) => markUnread(one, from)),
    fc.tuple(place, pick).map(([one, from]) => markUnread(one, from)),
    place.map(toggleMute),
    place.map(join),
    place.map(leave),
    person.map(openBadge),
    person.map(readNotifications),
    fc.constant(pause),
    fc.constant(resume),
  ];
  return fc.commands(some, { maxCommands: 60, size: 'max' });
}
