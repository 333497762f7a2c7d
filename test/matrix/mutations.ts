/** Mutations as documents, and the sentence for a cell in which one comes to something else than it should. */
import type { Act } from './acts.ts';
import type { Cell, Position } from './oracle.ts';
import { type Asked, askedOf, documentOf, isCode, nested } from './questions.ts';
import { shapeOf } from './schema.ts';
import type { Answer, Transport } from './transports.ts';
import { secretsFrom, type World } from './world.ts';

/** The fields of what an act answers with, and what is asked of the things in them. */
export const payloadOf = (act: Act, cell: Cell, as: Position | null): Asked[] =>
  askedOf(shapeOf('Mutation', act.field).type, cell, as);

export function documentFor(
  { field, input }: Act,
  payload: readonly Asked[],
  within: (asked: Asked) => Asked[],
): string {
  const selection = payload.map((one) => nested(one, within(one))).join(' ');
  return documentOf('mutation', `did: ${field}(input: { ${input} }) { ${selection} }`);
}

export const given = (all: readonly Asked[]): Asked[] => all.filter(({ verdict }) => !isCode(verdict));

export interface Asking {
  readonly act: Act;
  readonly cell: Cell;
  readonly transport: Transport;
}

export const sentence = ({ act, cell, transport }: Asking, wrong: string): string =>
  `${cell.who} × ${act.name} × ${cell.state} × ${transport}: ${wrong}`;

/** What an answer tells that it must not tell to who is in this position. */
export const leaksIn = (world: World, position: Position, { text }: Answer): string[] =>
  secretsFrom(world, position).filter((secret) => text.includes(secret));
