/** The names of tags: what they may contain, and when two are the same. */
import { hasVisibleCharacter, NOT_WELL_FORMED } from '../graphql/validation.ts';

/** The most code points of a folded name, and its most bytes in UTF-8. */
export const TAG_NAME_MAX = 40;
export const TAG_BYTES_MAX = 160;
/** No name that folds to TAG_NAME_MAX code points is longer (in UTF-16 code units), so nothing longer is folded. */
const RAW_MAX = 1_000;

export interface TagName {
  /** As the user wrote it, without white space around it and with single spaces in it. */
  readonly shown: string;
  /**
   * Two names are the same tag if this is the same. It is part of keys: it never contains `#` or a control character.
   */
  readonly folded: string;
}

/** Whether both name the same tag. */
export const isSame = (one: TagName, other: TagName): boolean => one.folded === other.folded;

/** Why a text cannot be a name: the rest of a sentence that begins with the field. */
export interface WrongTagName {
  readonly wrong: string;
  readonly max?: number;
}

/**
 * Control, format, private and unassigned characters. Unassigned ones may get an upper case in a later version of
 * Unicode: then a stored name would be folded differently.
 */
const REFUSED = /\p{C}/u;
const WHITE_SPACE = /\p{White_Space}+/gu;

/** One name from what a user wrote. */
export function tagName(text: string): TagName | WrongTagName {
  const tooLong = { wrong: `must have at most ${TAG_NAME_MAX} characters.`, max: TAG_NAME_MAX };
  if (text.length > RAW_MAX) return tooLong;
  if (!text.isWellFormed()) return { wrong: NOT_WELL_FORMED };
  if (REFUSED.test(text)) return { wrong: 'must not have control or format characters.' };
  const shown = text.replace(WHITE_SPACE, ' ').trim();
  const folded = foldedName(shown);
  // A character may become others when it is folded: a full-width number sign, for example.
  if (folded.includes('#')) return { wrong: 'must not have a number sign (#).' };
  if (REFUSED.test(folded)) return { wrong: 'must not have control or format characters.' };
  if (!hasVisibleCharacter(folded)) return { wrong: 'must have at least one visible character.' };
  if ([...folded].length > TAG_NAME_MAX) return tooLong;
  if (Buffer.byteLength(folded) > TAG_BYTES_MAX)
    return { wrong: `must have at most ${TAG_BYTES_MAX} bytes in UTF-8.` };
  return { shown, folded };
}

/** The names that these texts are, without those that cannot be one. */
export const validTagNames = (texts: readonly string[]): readonly TagName[] =>
  texts.map(tagName).filter((name) => 'folded' in name);

/** The form in which names are compared: NFKC, full case folding, NFKC, with single spaces. */
export function foldedName(text: string): string {
  const fold = (one: string) =>
    [...one.normalize('NFKC')].map(foldedCase).join('').normalize('NFKC').replace(WHITE_SPACE, ' ').trim();
  // A few characters need it twice, such as those with an iota subscript.
  const once = fold(text);
  const twice = fold(once);
  return twice === once ? once : fold(twice);
}

const BEGINS_WITH_SPACE = /^\p{White_Space}/u;
const ENDS_WITH_SPACE = /\p{White_Space}$/u;

/**
 * The form of a text with which folded names begin. A space at its end is kept, and one before it, with which no name
 * begins.
 */
export function foldedPrefix(text: string): string {
  const [first, last] = [BEGINS_WITH_SPACE, ENDS_WITH_SPACE].map((space) => (space.test(text) ? ' ' : ''));
  return `${first}${foldedName(text)}${last}`;
}

/**
 * The full case folding of one character. JavaScript has none: lower case of upper case is the same, except for the
 * dotless ı, which folds to itself, and for the direction in which Cherokee is folded, which makes no difference here.
 */
const foldedCase = (character: string): string =>
  character === 'ı'
    ? character
    : // By character, because the lower case of a sigma depends on its place in the word.
      [...character.toLowerCase().toUpperCase()].map((upper) => upper.toLowerCase()).join('');
