/** Messages and stamps, and that the product answers what the model says. */
import { expect } from 'vitest';
import { DeleteMessage, EditMessage } from '../../../messages/support/operations.ts';
import { AddStamp, RemoveStamp } from '../../../reactions/stamps/support/operations.ts';
import { SendMessage } from '../../../support/operations.ts';
import { rawId } from '../../../support/people.ts';
import { positioned } from '../../../support/table.ts';
import { command, hasMessages, isMember, picked, roomAt, type Target } from './command.ts';
import { added, type Model, rootOf } from './model.ts';
import type { Real } from './real.ts';

const STAMPS = ['heart', 'tea', 'clap'] as const;

let sent = 0;
const text = (handle: string | undefined) => `message ${++sent}${handle === undefined ? '' : ` @${handle}`}`;

/** One message, root or reply. Resolves to what the model must apply once it was accepted. */
async function saying(model: Model, real: Real, { person, room, pick }: Target, reply: boolean) {
  const mine = roomAt(model, { room });
  const to = reply ? picked(mine, pick) : undefined;
  const root = to === undefined ? null : rootOf(to);
  const mentioned = pick % 3 === 0 ? pick % real.handles.length : undefined;
  const body = text(mentioned === undefined ? undefined : real.handles[mentioned]);
  const input = { roomId: real.rooms[room] ?? '', body, ...(to === undefined ? {} : { replyTo: to.id }) };
  const { data, errors } = await real.person(person).send(SendMessage, { input });
  const refused = root?.deleted === true ? 'CONFLICT' : undefined;
  expect(errors?.[0]?.extensions?.code).toBe(refused);
  if (data == null) return undefined;
  const mentions = mentioned !== undefined && mine.members.has(mentioned) ? [mentioned] : [];
  return { id: data.sendMessage.message.id, root, author: person, body, mentions };
}

export const say = (act: Target, reply: boolean) =>
  command({
    name: reply ? `reply(${act.person} in ${act.room} to ${act.pick})` : `send(${act.person} in ${act.room})`,
    possible: (model) => isMember(model, act) && (!reply || hasMessages(model, act)),
    async run(model, real) {
      const message = await saying(model, real, act, reply);
      if (message !== undefined) added(roomAt(model, act), message);
    },
  });

/** Several users at once. Only the table knows the order of their roots. */
export const burst = (room: number, acts: readonly Target[]) =>
  command({
    name: `burst(${acts.map(({ person }) => person).join(' ')} in ${room})`,
    possible: (model) => !model.paused && acts.some((act) => isMember(model, act)),
    async run(model, real) {
      const mine = roomAt(model, { room });
      const talking = acts.filter((act) => isMember(model, act));
      const messages = await Promise.all(
        talking.map((act) => saying(model, real, act, act.pick % 2 === 0 && mine.messages.length > 0)),
      );
      const inOrder = await positioned(real.dynamo, rawId(real.rooms[room] ?? ''));
      const place = new Map(inOrder.map(({ sk }, i) => [String(sk).split('#')[1], i]));
      const order = (id: string) => place.get(rawId(id).split(':')[1]) ?? 0;
      const known = messages.flatMap((message) => message ?? []);
      for (const message of known.sort((a, b) => order(a.id) - order(b.id))) added(mine, message);
    },
  });

export const edit = (act: Target) =>
  command({
    name: `edit(${act.person} in ${act.room}: ${act.pick})`,
    possible: (model) => hasMessages(model, act),
    async run(model, real) {
      const message = picked(roomAt(model, act), act.pick);
      const body = text(undefined);
      const refused = await real.person(act.person).refused(EditMessage, { messageId: message.id, body });
      const allowed = isMember(model, act) && message.author === act.person;
      expect(refused).toBe(!allowed ? 'FORBIDDEN' : message.deleted ? 'CONFLICT' : undefined);
      if (refused === undefined) Object.assign(message, { body, mentions: [], edited: true });
    },
  });

export const remove = (act: Target) =>
  command({
    name: `delete(${act.person} in ${act.room}: ${act.pick})`,
    possible: (model) => hasMessages(model, act),
    async run(model, real) {
      const message = picked(roomAt(model, act), act.pick);
      const refused = await real.person(act.person).refused(DeleteMessage, { messageId: message.id });
      const member = roomAt(model, act).members.get(act.person);
      const allowed = member !== undefined && (member.role !== 'MEMBER' || message.author === act.person);
      expect(refused).toBe(allowed ? undefined : 'FORBIDDEN');
      if (!allowed) return;
      message.likes.clear();
      Object.assign(message, { deleted: true, edited: false, stamps: [] });
    },
  });

export const stamp = (act: Target) =>
  command({
    name: `stamp(${act.person} in ${act.room}: ${act.pick})`,
    possible: (model) => isMember(model, act) && hasMessages(model, act),
    async run(model, real) {
      const message = picked(roomAt(model, act), act.pick);
      const { person } = act;
      const key = STAMPS[act.pick % STAMPS.length] ?? 'heart';
      const { data, errors } = await real
        .person(person)
        .send(AddStamp, { messageId: message.id, stamp: key });
      const twice = message.stamps.some((one) => one.person === person && one.key === key);
      expect(errors?.[0]?.extensions?.code).toBe(twice || message.deleted ? 'CONFLICT' : undefined);
      if (data != null) message.stamps.push({ id: data.addStamp.messageStamp.id, person, key });
    },
  });

export const unstamp = (act: Target) => {
  const mine = (model: Model) =>
    roomAt(model, act).messages.flatMap((message) =>
      message.stamps.filter(({ person }) => person === act.person).map((one) => ({ message, one })),
    );
  return command({
    name: `unstamp(${act.person} in ${act.room}: ${act.pick})`,
    possible: (model) => isMember(model, act) && mine(model).length > 0,
    async run(model, real) {
      const found = mine(model)[act.pick % mine(model).length];
      if (found === undefined) return;
      await real.person(act.person).do(RemoveStamp, { messageStampId: found.one.id });
      found.message.stamps.splice(found.message.stamps.indexOf(found.one), 1);
    },
  });
};
