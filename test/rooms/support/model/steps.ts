import fc from 'fast-check';
import { TsudoiError } from '../../../../src/core/errors.ts';
import type { Rooms } from '../../../../src/rooms/rooms.ts';
import type { Code, Oracle, Role } from './oracle.ts';
import * as oracle from './oracle.ts';

/** The real room. */
export interface Real {
  readonly rooms: Rooms;
  readonly room: string;
  /** User ids, by the person's number in the model. */
  readonly people: readonly string[];
  /** Codes of invites, by the invite's number in the model. */
  readonly codes: string[];
}

/** One operation, applied to the model and to the real room. */
export interface Step {
  readonly name: string;
  expected(model: Oracle): Code;
  run(real: Real): Promise<Code>;
}

export const PEOPLE = 6;

const at = <T>(list: readonly T[], i: number): T => {
  const found = list[i];
  if (found === undefined) throw new Error(`There is no ${i}.`);
  return found;
};

/** The error's code, `waits` for a person who was put on the waitlist, or `ok`. */
async function code(operation: Promise<unknown>): Promise<Code> {
  try {
    return (await operation) === null ? 'waits' : 'ok';
  } catch (error) {
    if (!(error instanceof TsudoiError)) throw error;
    return error.code as Code;
  }
}

const person = fc.nat({ max: PEOPLE - 1 });
/** Operations that take a role are mostly done by people who had one in the beginning. */
const moderator = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: person });
const capacity = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 8 });
const role = fc.constantFrom<Role>('OWNER', 'MODERATOR', 'MEMBER');

const targetOf = ({ room, people }: Real, by: number, to: number) => ({
  room,
  by: at(people, by),
  user: at(people, to),
});

const join = fc.tuple(person, fc.constantFrom(true, true, false)).map(
  ([who, wait]): Step => ({
    name: `${who} joins${wait ? ' or waits' : ''}`,
    expected: (model) => oracle.join(model, who, wait),
    run: ({ rooms, room, people }) =>
      code(wait ? rooms.joinOrWait(at(people, who), room) : rooms.join(at(people, who), room)),
  }),
);

const leave = person.map(
  (who): Step => ({
    name: `${who} leaves`,
    expected: (model) => oracle.leave(model, who),
    run: ({ rooms, room, people }) => code(rooms.leave(at(people, who), room)),
  }),
);

const { add, remove, ban, unban } = oracle;
const MODERATION = { add, remove, ban, unban };
type ModerationAction = keyof typeof MODERATION;

const moderate = (action: ModerationAction, by: number, to: number): Step => ({
  name: `${by} ${action}s ${to}`,
  expected: (model) => MODERATION[action](model, by, to),
  run: (real) => code(real.rooms[action](targetOf(real, by, to))),
});

const moderation = (action: ModerationAction) =>
  fc.tuple(moderator, person).map(([by, to]) => moderate(action, by, to));

const changeRole = (by: number, to: number, wanted: Role): Step => ({
  name: `${by} makes ${to} ${wanted}`,
  expected: (model) => oracle.setRole(model, by, to, wanted),
  run: (real) => code(real.rooms.setRole(targetOf(real, by, to), wanted)),
});

const setRole = fc.tuple(moderator, person, role).map(([by, to, wanted]) => changeRole(by, to, wanted));

const resize = fc.tuple(moderator, capacity).map(
  ([by, wanted]): Step => ({
    name: `${by} sets the capacity to ${wanted}`,
    expected: (model) => oracle.resize(model, by, wanted),
    run: ({ rooms, room, people }) => code(rooms.update(at(people, by), room, { capacity: wanted })),
  }),
);

const createInvite = (by: number, maxUses: number): Step => ({
  name: `${by} creates an invite for ${maxUses}`,
  expected: (model) => oracle.invite(model, by, maxUses),
  run: ({ rooms, room, people, codes }) =>
    code(
      rooms
        .createInvite({ by: at(people, by), room, seconds: 3_600, maxUses })
        .then((made) => codes.push(made.code)),
    ),
});

const invite = fc
  .tuple(moderator, fc.integer({ min: 1, max: 2 }))
  .map(([by, maxUses]) => createInvite(by, maxUses));

const useInvite = fc.tuple(person, fc.nat({ max: 2 }), fc.boolean()).map(
  ([who, number, wait]): Step => ({
    name: `${who} uses invite ${number}${wait ? ', or waits' : ''}`,
    expected: (model) => oracle.useInvite(model, who, number, wait),
    run({ rooms, room, people, codes }) {
      const enter = wait ? rooms.joinWithInviteOrWait : rooms.joinWithInvite;
      return code(enter(at(people, who), codes[number] ?? `${room}.${'0'.repeat(26)}`));
    },
  }),
);

/** Gives every room two moderators and an invite for one use, so that later steps have an effect. */
export const beginning: readonly Step[] = [
  ...[1, 2].flatMap((user) => [moderate('add', 0, user), changeRole(0, user, 'MODERATOR')]),
  createInvite(0, 1),
];

/** Operations that follow one another. Most of them are joins and leaves. */
export const steps = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: join },
    { weight: 2, arbitrary: leave },
    { weight: 2, arbitrary: moderation('add') },
    { weight: 1, arbitrary: moderation('remove') },
    { weight: 2, arbitrary: moderation('ban') },
    { weight: 2, arbitrary: moderation('unban') },
    { weight: 1, arbitrary: setRole },
    { weight: 2, arbitrary: resize },
    { weight: 1, arbitrary: invite },
    { weight: 4, arbitrary: useInvite },
  ),
  { minLength: 30, maxLength: 50, size: 'max' },
);
