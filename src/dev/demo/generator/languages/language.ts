/** A name as it is shown, and in the letters that a handle may have. */
export type Name = readonly [shown: string, letters: string];

/**
 * How something begins, and what one may answer to it. `{thing}`, `{place}`, `{day}`, `{time}` and `{n}` are
 * filled in; `{who}` becomes a mention.
 */
export type Exchange = readonly [opener: string, ...answers: string[]];

/** What the people of one language are called and what they say. */
export interface Language {
  /** BCP 47. */
  readonly locale: string;
  readonly given: readonly Name[];
  readonly family: readonly Name[];
  readonly fullName: (given: string, family: string) => string;
  readonly things: readonly string[];
  readonly places: readonly string[];
  readonly days: readonly string[];
  readonly work: readonly Exchange[];
  readonly life: readonly Exchange[];
  /** Answers that go with anything. */
  readonly remarks: readonly string[];
}
