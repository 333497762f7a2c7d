/** A name as it is shown, and in letters that a handle may have. */
export type Name = readonly [shown: string, letters: string];

/**
 * The first message of a conversation, and possible replies. `{thing}`, `{place}`, `{day}`, `{time}` and `{n}` are
 * filled in; `{who}` becomes a mention.
 */
export type Exchange = readonly [opener: string, ...answers: string[]];

/** The names and texts of one language. */
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
  /** Replies that fit any message. */
  readonly remarks: readonly string[];
}
