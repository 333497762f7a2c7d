import fc from 'fast-check';
import { TsudoiError } from '../../../src/core/errors.ts';
import type { Rooms } from '../../../src/rooms/rooms.ts';
import type { Code, Oracle, Role } from './oracle.ts';
import * as oracle from './oracle.ts';

/** The product's side of the room. */
export interface Real {
  readonly rooms: Rooms;
  readonly room: string;
  /** Ids of people, by their number in the model. */
  readonly people: readonly string[];
  /** Codes of invites, by theirs. */
  readonly codes: string[];
}

/** One act, done to both. */
export interface Step {
  readonly name: string;
  expected(model: Oracle): Code;
  done(real: Real): Promise<Code>;
}

export const PEOPLE = 6;

const at = <T>(list: readonly T[], i: number): T => {
  const found = list[i];
  if (found === undefined) throw new Error(`There is no ${i}.`);
  return found;
};

/** The code that was answered with: `ok`, unless it is something else or was refused. */
async function code(doing: Promise<unknown>): Promise<Code> {
  try {
    return (await doing) === null ? 'waits' : 'ok';
  } catch (error) {
    if (!(error instanceof TsudoiError)) throw error;
    return error.code as Code;
  }
}

const person = fc.nat({ max: PEOPLE - 1 });
/** Most of what takes a role is done by those who had one in the beginning. */
const keeper = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: person });
const capacity = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 8 });
const role = fc.constantFrom<Role>('OWNER', 'MODERATOR', 'MEMBER');

const about = ({ room, people }: Real, by: number, to: number) => ({
  room,
  by: at(people, by),
  user: at(people, to),
});

const join = fc.tuple(person, fc.constantFrom(true, true, false)).map(
  ([who, wait]): Step => ({
    name: `${who} joins${wait ? ' or waits' : ''}`,
    expected: (model) => oracle.join(model, who, wait),
    done: ({ rooms, room, people }) =>
      code(wait ? rooms.joinOrWait(at(people, who), room) : rooms.join(at(people, who), room)),
  }),
);

const leave = person.map(
  (who): Step => ({
    name: `${who} leaves`,
    expected: (model) => oracle.leave(model, who),
    done: ({ rooms, room, people }) => code(rooms.leave(at(people, who), room)),
  }),
);

const { add, remove, ban, unban } = oracle;
const TO_ANOTHER = { add, remove, ban, unban };
type ToAnother = keyof typeof TO_ANOTHER;

const doing = (what: ToAnother, by: number, to: number): Step => ({
  name: `${by} ${what}s ${to}`,
  expected: (model) => TO_ANOTHER[what](model, by, to),
  done: (real) => code(real.rooms[what](about(real, by, to))),
});

const toAnother = (what: ToAnother) => fc.tuple(keeper, person).map(([by, to]) => doing(what, by, to));

const makes = (by: number, to: number, wanted: Role): Step => ({
  name: `${by} makes ${to} ${wanted}`,
  expected: (model) => oracle.setRole(model, by, to, wanted),
  done: (real) => code(real.rooms.setRole(about(real, by, to), wanted)),
});

const setRole = fc.tuple(keeper, person, role).map(([by, to, wanted]) => makes(by, to, wanted));

const resize = fc.tuple(keeper, capacity).map(
  ([by, wanted]): Step => ({
    name: `${by} sets the capacity to ${wanted}`,
    expected: (model) => oracle.resize(model, by, wanted),
    done: ({ rooms, room, people }) => code(rooms.update(at(people, by), room, { capacity: wanted })),
  }),
);

const invites = (by: number, maxUses: number): Step => ({
  name: `${by} invites ${maxUses}`,
  expected: (model) => oracle.invite(model, by, maxUses),
  done: ({ rooms, room, people, codes }) =>
    code(
      rooms
        .createInvite({ by: at(people, by), room, seconds: 3_600, maxUses })
        .then((made) => codes.push(made.code)),
    ),
});

const invite = fc.tuple(keeper, fc.integer({ min: 1, max: 2 })).map(([by, maxUses]) => invites(by, maxUses));

const come = fc.tuple(person, fc.nat({ max: 2 })).map(
  ([who, number]): Step => ({
    name: `${who} comes by invite ${number}`,
    expected: (model) => oracle.come(model, who, number),
    done: ({ rooms, people, codes }) => code(rooms.joinWithInvite(at(people, who), codes[number] ?? 'none')),
  }),
);

/** A room in which there is something to do: two moderators besides the owner, and an invite for one. */
export const beginning: readonly Step[] = [
  ...[1, 2].flatMap((moderator) => [doing('add', 0, moderator), makes(0, moderator, 'MODERATOR')]),
  invites(0, 1),
];

/** What people do after it, one after the other; coming and going most of all. */
export const steps = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: join },
    { weight: 2, arbitrary: leave },
    { weight: 2, arbitrary: toAnother('add') },
    { weight: 1, arbitrary: toAnother('remove') },
    { weight: 2, arbitrary: toAnother('ban') },
    { weight: 2, arbitrary: toAnother('unban') },
    { weight: 1, arbitrary: setRole },
    { weight: 2, arbitrary: resize },
    { weight: 1, arbitrary: invite },
    { weight: 2, arbitrary: come },
  ),
  { minLength: 30, maxLength: 50, size: 'max' },
);
