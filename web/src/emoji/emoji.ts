import type { Language } from '../i18n/texts.ts';
import { folded } from '../ui/folded.ts';

/** As `web/build/emojiData.ts` writes it. The words, and the short codes, are separated by spaces. */
export type EmojiRow = readonly [
  character: string,
  group: number,
  english: string,
  japanese: string,
  words: string,
  codes: string,
  hasTones: 0 | 1,
];

export interface Emoji {
  /** Fully qualified, without a skin tone. */
  readonly character: string;
  /** Emojibase's number. */
  readonly group: number;
  readonly names: Readonly<Record<Language, string>>;
  /** Without colons, the usual one first. */
  readonly codes: readonly string[];
  readonly hasTones: boolean;
  /** Everything that finds it, folded: codes, names and synonyms in both languages. */
  readonly words: readonly string[];
}

export const emojiOf = ([character, group, en, ja, words, codes, hasTones]: EmojiRow): Emoji => ({
  character,
  group,
  names: { en, ja },
  hasTones: hasTones === 1,
  codes: codes.split(' '),
  words: folded(`${codes} ${en} ${ja} ${words}`).split(/[\s:、・]+/),
});

/** 0: as the emoji is; 1 to 5: from light to dark. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5;
export const TONES: readonly Tone[] = [0, 1, 2, 3, 4, 5];
const LIGHTEST = 0x1f3fb;

/** The character with a skin tone, if the emoji has them. */
export function withTone({ character, hasTones }: Pick<Emoji, 'character' | 'hasTones'>, tone: Tone): string {
  if (tone === 0 || !hasTones) return character;
  const [first = '', ...rest] = character;
  return `${first}${String.fromCodePoint(LIGHTEST + tone - 1)}${rest.join('').replace(/^\uFE0F/, '')}`;
}

/** Those that all words of the text find: first by a whole code or word, then by its beginning, then by a part. */
export function searchEmoji(all: readonly Emoji[], text: string, most: number): readonly Emoji[] {
  const wanted = folded(text)
    .split(/[\s:]+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return [];
  return all
    .map((emoji, place) => ({ emoji, place, rank: rankOf(emoji, wanted) }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((one, other) => one.rank - other.rank || one.place - other.place)
    .slice(0, most)
    .map(({ emoji }) => emoji);
}

const NOT_FOUND = 100;

function rankOf({ codes, words }: Emoji, wanted: readonly string[]): number {
  const ranks = wanted.map((word) => {
    if (codes.includes(word)) return 0;
    if (words.includes(word)) return 1;
    if (codes.some((code) => code.startsWith(word))) return 2;
    if (words.some((one) => one.startsWith(word))) return 3;
    return words.some((one) => one.includes(word)) ? 4 : NOT_FOUND;
  });
  return Math.max(...ranks);
}
