/** Commands about messages and stamps. Each checks that the product returns what the model expects. */
import { expect } from 'vitest';
import { DeleteMessage, EditMessage } from '../../../messages/support/operations.ts';
import { AddStamp, RemoveStamp } from '../../../reactions/stamps/support/operations.ts';
import { SendMessage } from '../../../support/clients/operations.ts';
import { rawId } from '../../../support/clients/people.ts';
import { positioned } from '../../../support/database/table.ts';
import { command, hasMessages, isMember, picked, roomAt, type Target } from './command.ts';
import { addMessage, type Model, rootOf } from './model.ts';
import type { Real } from './real.ts';

const STAMPS = ['heart', 'tea', 'clap'] as const;

let sent = 0;
const text = (handle: string | undefined) => `message ${++sent}${handle === undefined ? '' : ` @${handle}`}`;

/** Sends a root or a reply. Resolves to the message to add to the model, or undefined if it was refused. */
async function sendMessage(model: Model, real: Real, { person, room, pick }: Target, reply: boolean) {
  const modelRoom = roomAt(model, { room });
  const to = reply ? picked(modelRoom, pick) : undefined;
  const root = to === undefined ? null : rootOf(to);
  const mentioned = pick % 3 === 0 ? pick % real.handles.length : undefined;
  const body = text(mentioned === undefined ? undefined : real.handles[mentioned]);
  const input = { roomId: real.rooms[room] ?? '', body, ...(to === undefined ? {} : { replyTo: to.id }) };
  const { data, errors } = await real.person(person).send(SendMessage, { input });
  const refused = root?.deleted === true ? 'CONFLICT' : undefined;
  expect(errors?.[0]?.extensions?.code).toBe(refused);
  if (data?.sendMessage == null) return undefined;
  const mentions = mentioned !== undefined && modelRoom.members.has(mentioned) ? [mentioned] : [];
  return { id: data.sendMessage.message.id, root, author: person, body, mentions };
}

export const send = (target: Target, reply: boolean) =>
  command({
    name: reply
      ? `reply(${target.person} in ${target.room} to ${target.pick})`
      : `send(${target.person} in ${target.room})`,
    possible: (model) => isMember(model, target) && (!reply || hasMessages(model, target)),
    async run(model, real) {
      const message = await sendMessage(model, real, target, reply);
      if (message !== undefined) addMessage(roomAt(model, target), message);
    },
  });

/** Several users send at once. The order of their roots is read from the table. */
export const burst = (room: number, targets: readonly Target[]) =>
  command({
    name: `burst(${targets.map(({ person }) => person).join(' ')} in ${room})`,
    possible: (model) => !model.paused && targets.some((target) => isMember(model, target)),
    async run(model, real) {
      const modelRoom = roomAt(model, { room });
      const allowed = targets.filter((target) => isMember(model, target));
      const messages = await Promise.all(
        allowed.map((target) =>
          sendMessage(model, real, target, target.pick % 2 === 0 && modelRoom.messages.length > 0),
        ),
      );
      const inOrder = await positioned(real.dynamo, rawId(real.rooms[room] ?? ''));
      const indexes = new Map(inOrder.map(({ sk }, i) => [String(sk).split('#')[1], i]));
      const order = (id: string) => indexes.get(rawId(id).split(':')[1]) ?? 0;
      const accepted = messages.flatMap((message) => message ?? []);
      for (const message of accepted.sort((a, b) => order(a.id) - order(b.id)))
        addMessage(modelRoom, message);
    },
  });

export const edit = (target: Target) =>
  command({
    name: `edit(${target.person} in ${target.room}: ${target.pick})`,
    possible: (model) => hasMessages(model, target),
    async run(model, real) {
      const message = picked(roomAt(model, target), target.pick);
      const body = text(undefined);
      const refused = await real.person(target.person).refused(EditMessage, { messageId: message.id, body });
      const allowed = isMember(model, target) && message.author === target.person;
      expect(refused).toBe(!allowed ? 'FORBIDDEN' : message.deleted ? 'CONFLICT' : undefined);
      if (refused === undefined) Object.assign(message, { body, mentions: [], edited: true });
    },
  });

export const remove = (target: Target) =>
  command({
    name: `delete(${target.person} in ${target.room}: ${target.pick})`,
    possible: (model) => hasMessages(model, target),
    async run(model, real) {
      const message = picked(roomAt(model, target), target.pick);
      const refused = await real.person(target.person).refused(DeleteMessage, { messageId: message.id });
      const member = roomAt(model, target).members.get(target.person);
      const allowed = member !== undefined && (member.role !== 'MEMBER' || message.author === target.person);
      expect(refused).toBe(allowed ? undefined : 'FORBIDDEN');
      if (!allowed) return;
      message.likes.clear();
      Object.assign(message, { deleted: true, edited: false, stamps: [] });
    },
  });

export const stamp = (target: Target) =>
  command({
    name: `stamp(${target.person} in ${target.room}: ${target.pick})`,
    possible: (model) => isMember(model, target) && hasMessages(model, target),
    async run(model, real) {
      const message = picked(roomAt(model, target), target.pick);
      const { person } = target;
      const key = STAMPS[target.pick % STAMPS.length] ?? 'heart';
      const { data, errors } = await real
        .person(person)
        .send(AddStamp, { messageId: message.id, stamp: key });
      const twice = message.stamps.some((one) => one.person === person && one.key === key);
      expect(errors?.[0]?.extensions?.code).toBe(twice || message.deleted ? 'CONFLICT' : undefined);
      if (data?.addStamp != null) message.stamps.push({ id: data.addStamp.messageStamp.id, person, key });
    },
  });

export const unstamp = (target: Target) => {
  const ownStamps = (model: Model) =>
    roomAt(model, target).messages.flatMap((message) =>
      message.stamps.filter(({ person }) => person === target.person).map((one) => ({ message, one })),
    );
  return command({
    name: `unstamp(${target.person} in ${target.room}: ${target.pick})`,
    possible: (model) => isMember(model, target) && ownStamps(model).length > 0,
    async run(model, real) {
      const own = ownStamps(model);
      const found = own[target.pick % own.length];
      if (found === undefined) return;
      await real.person(target.person).do(RemoveStamp, { messageStampId: found.one.id });
      found.message.stamps.splice(found.message.stamps.indexOf(found.one), 1);
    },
  });
};
