import type { CostFixture } from './costFixture.ts';

/** An access pattern of the table, by the name of its row in docs/data-model.md. */
export interface Pattern {
  readonly name: string;
  /** Prepares the fixture. It is not measured. */
  readonly before?: (fixture: CostFixture) => Promise<unknown>;
  readonly run: (fixture: CostFixture) => Promise<unknown>;
}

/** A row about the consumer: `before` changes something, and what is measured is how the consumer handles it. */
export const consumed = (name: string, before: (fixture: CostFixture) => Promise<unknown>): Pattern => ({
  name,
  async before(fixture) {
    await fixture.consume();
    await before(fixture);
  },
  run: (fixture) => fixture.consume(),
});

export const at = (list: readonly string[], i: number): string => {
  const id = list.at(i);
  if (id === undefined) throw new Error(`The list has no element ${i}.`);
  return id;
};

/** The text of a message that a pattern sends. */
export const body = 'y'.repeat(100);
