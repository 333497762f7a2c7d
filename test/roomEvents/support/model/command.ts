import { createCommand } from '../../../support/servers/command.ts';
import type { Model, ModelMessage, ModelRoom, Place } from './model.ts';
import type { Real } from './real.ts';

export const command = createCommand<Model, Real>;

/** A user, a room, and the choice of one of its messages. */
export interface Target extends Place {
  readonly pick: number;
}

export const nameOf = ({ person, room }: Place): string => `${person} ${room}`;

export function roomAt({ rooms }: Model, { room }: Pick<Place, 'room'>): ModelRoom {
  const found = rooms[room];
  if (found === undefined) throw new Error(`There is no room ${room}.`);
  return found;
}

export const isMember = (model: Model, place: Place): boolean =>
  roomAt(model, place).members.has(place.person);

/** Counted from the newest, so that new ones are chosen often. */
export function picked({ messages }: ModelRoom, pick: number): ModelMessage {
  const found = messages.at(-1 - (pick % Math.max(1, messages.length)));
  if (found === undefined) throw new Error('There is no message.');
  return found;
}

export const hasMessages = (model: Model, place: Place): boolean => roomAt(model, place).messages.length > 0;
