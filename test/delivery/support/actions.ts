/** The random actions of the people in the model: how often each is done, by which person, and where. */
import fc from 'fast-check';
import { TOLD_KINDS, type ToldKind } from './acts.ts';

export const KINDS = ['MENTION', 'REPLY', 'LIKE'] as const;

/** With Aki, Ben and Chi, thirty people. */
export const CROWD = 27;
/** Of the crowd, at most this many reply: a notification names eight people, and knows their replies. */
export const REPLYING = 5;
/** In each room, by Aki, Ben, Chi and Aki. */
export const ROOTS = 4;

const person = fc.nat({ max: 2 });
const place = fc.nat({ max: 1 });
/** How often each is done. */
const OFTEN = {
  mention: 4,
  reply: 4,
  like: 4,
  post: 2,
  unlike: 1,
  delete: 2,
  pass: 8,
  consume: 1,
  burst: 3,
  readAll: 1,
  readRoom: 1,
  readThread: 1,
  mute: 1,
  listen: 2,
  leave: 1,
  choose: 1,
  pause: 1,
  quiet: 1,
  block: 2,
  unblock: 1,
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
  readonly root: number;
  readonly on: boolean;
  readonly kind: (typeof KINDS)[number];
  readonly seconds: number;
  /** What a burst is of, and of how many people. */
  readonly told: ToldKind;
  readonly many: number;
}

export const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.record({
    type: fc.oneof(...names),
    by: person,
    of: person,
    room: place,
    root: fc.nat({ max: ROOTS - 1 }),
    on: fc.boolean(),
    kind: fc.constantFrom(...KINDS),
    told: fc.constantFrom(...TOLD_KINDS),
    seconds: fc.integer({ min: 1, max: 400 }),
    many: fc.integer({ min: 2, max: CROWD + 3 }),
  }),
  { minLength: 5, maxLength: 30, size: 'max' },
);

/** The other parts of an action, for one that names the parts that matter. */
export const ANYTHING = {
  by: 0,
  of: 0,
  room: 0,
  root: 0,
  on: true,
  seconds: 1,
  many: 2,
  ...({ kind: 'LIKE', told: 'LIKE' } as const),
};
