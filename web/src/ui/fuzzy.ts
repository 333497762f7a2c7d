import { folded } from './folded.ts';

/** How well a text matches. Lower is better; undefined: not at all. */
export type Rank = number | undefined;

const WHOLE = 0;
const BEGINNING = 1;
const WORD = 2;
const PART = 3;
/** The characters in this order, with others between them. */
const SCATTERED = 4;

/**
 * Compares what a user types with a name, in any case and kana. Each word of it must be found: at the beginning, at the
 * beginning of a word, inside, or as characters with others between them ("hrb" finds "Harbour").
 */
export function rankOf(name: string, wanted: string): Rank {
  const text = folded(name);
  const words = folded(wanted)
    .split(/\s+/)
    .filter((word) => word !== '');
  const ranks = words.map((word) => rankOfWord(text, word));
  return ranks.includes(undefined) ? undefined : Math.max(WHOLE, ...ranks.map((rank) => rank ?? WHOLE));
}

function rankOfWord(text: string, word: string): Rank {
  if (text === word) return WHOLE;
  if (text.startsWith(word)) return BEGINNING;
  const at = text.indexOf(word);
  if (at >= 0) return text.split(/[\s\-_・、,./#@]+/).some((one) => one.startsWith(word)) ? WORD : PART;
  return isScattered(text, word) ? SCATTERED : undefined;
}

/** One character finds too much, and so does one that is far away. */
function isScattered(text: string, word: string): boolean {
  if ([...word].length < 2) return false;
  let from = 0;
  for (const character of word) {
    const at = text.indexOf(character, from);
    if (at < 0) return false;
    from = at + character.length;
  }
  return text.startsWith([...word][0] ?? '') || /\s/.test(text);
}

export interface Ranked<T> {
  readonly names: readonly string[];
  readonly value: T;
}

/** Those of which a name matches, the best ones first. Equal ones stay in their order. */
export const matching = <T>(all: readonly Ranked<T>[], wanted: string): readonly T[] =>
  inOrder(all, (name) => rankOf(name, wanted));

/** Texts in kana and kanji, which have no spaces between words. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]+$/u;

/**
 * As `matching`, for a text that is completed: a name, or a word of it, begins with it. Kana and kanji may also be
 * inside of a name: a given name follows the family name without a space.
 */
export function beginning<T>(all: readonly Ranked<T>[], typed: string): readonly T[] {
  const most = UNSPACED.test(folded(typed)) ? PART : WORD;
  return inOrder(all, (name) => {
    const rank = rankOf(name, typed);
    return rank === undefined || rank > most ? undefined : rank;
  });
}

const inOrder = <T>(all: readonly Ranked<T>[], rankOfName: (name: string) => Rank): readonly T[] =>
  all
    .flatMap(({ names, value }) => {
      const ranks = names.flatMap((name) => rankOfName(name) ?? []);
      return ranks.length === 0 ? [] : [{ value, rank: Math.min(...ranks) }];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ value }) => value);
