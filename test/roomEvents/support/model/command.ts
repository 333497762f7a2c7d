import type fc from 'fast-check';
import type { Model, ModelMessage, ModelRoom, Place } from './model.ts';
import type { Real } from './real.ts';

/** Something that is done both to the model and to the product. */
export interface Step {
  readonly name: string;
  readonly possible: (model: Model) => boolean;
  readonly run: (model: Model, real: Real) => Promise<void>;
}

export const command = ({ name, possible, run }: Step): fc.AsyncCommand<Model, Real> => ({
  check: possible,
  run,
  toString: () => name,
});

/** And which message: any of the room's. */
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
