import { builder } from './builder.ts';

/** The arguments of a list that is read from its beginning. */
export const forwardArgs = builder.args((t) => ({
  first: t.int({ description: 'How many: 1 to 100; 50 when none is given.' }),
  after: t.string({ description: 'The cursor to go on behind.' }),
}));

/** The arguments of a chronological list, read from either end. */
export const bothWaysArgs = builder.args((t) => ({
  first: t.int({ description: 'The oldest, or those behind `after`: 1 to 100.' }),
  after: t.string({ description: 'Go on behind this cursor.' }),
  last: t.int({ description: 'The newest, or those before `before`: 1 to 100; 50 when nothing is given.' }),
  before: t.string({ description: 'Go back from this cursor.' }),
}));
