import type fc from 'fast-check';

/** One step of a model-based test: it does the same to the model and to the product, and compares the results. */
export interface CommandDefinition<Model extends object, Real> {
  /** Shown in a counterexample. */
  readonly name: string;
  readonly possible: (model: Model) => boolean;
  readonly run: (model: Model, real: Real) => Promise<void>;
}

export const createCommand = <Model extends object, Real>({
  name,
  possible,
  run,
}: CommandDefinition<Model, Real>): fc.AsyncCommand<Model, Real> => ({
  check: possible,
  run,
  toString: () => name,
});
