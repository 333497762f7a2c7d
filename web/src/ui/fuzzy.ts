import { folded } from './folded.ts';

/** How well a text matches. Lower is better; undefined: not at all. */
export type Rank = number | undefined;

const WHOLE = 0;
const BEGINNING = 1;
const WORD = 2;
const PART = 3;
/** The characters in this order, with others between them. */
const SCATTERED = 4;

/** Is between the words of a name. What is searched may contain it, too: "on-c" finds "Ops on-call". */
const BETWEEN_WORDS = /[\s\-_・、,./#@]/;

/**
 * Compares what a user types with a name, in any case and kana. Each word of it must be found: at the beginning, at the
 * beginning of a word, inside, or as characters with others between them ("hrb" finds "Harbour").
 */
export const rankOf = (name: string, wanted: string): Rank => rankOfWords(name, wordsOf(wanted));

const wordsOf = (wanted: string): readonly string[] =>
  folded(wanted)
    .split(/\s+/)
    .filter((word) => word !== '');

function rankOfWords(name: string, words: readonly string[]): Rank {
  const text = folded(name);
  const ranks = words.map((word) => rankOfWord(text, word));
  return ranks.includes(undefined) ? undefined : Math.max(WHOLE, ...ranks.map((rank) => rank ?? WHOLE));
}

function rankOfWord(text: string, word: string): Rank {
  if (text === word) return WHOLE;
  let at = text.indexOf(word);
  if (at < 0) return isScattered(text, word) ? SCATTERED : undefined;
  if (at === 0) return BEGINNING;
  for (; at > 0; at = text.indexOf(word, at + 1)) if (BETWEEN_WORDS.test(text.charAt(at - 1))) return WORD;
  return PART;
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
export function matching<T>(all: readonly Ranked<T>[], wanted: string): readonly T[] {
  const words = wordsOf(wanted);
  return inOrder(all, (name) => rankOfWords(name, words));
}

/** Texts in kana and kanji, which have no spaces between words. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]+$/u;

/**
 * As `matching`, for a text that is completed: a name, or a word of it, begins with it. Kana and kanji may also be
 * inside of a name: a given name follows the family name without a space.
 */
export function beginning<T>(all: readonly Ranked<T>[], typed: string): readonly T[] {
  const words = wordsOf(typed);
  const most = words.every((word) => UNSPACED.test(word)) ? PART : WORD;
  return inOrder(all, (name) => {
    const rank = rankOfWords(name, words);
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
