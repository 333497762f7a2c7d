/**
 * What is before the colon of an emoji's code. A time and an address contain colons, too. A code after a backslash
 * stays as it is.
 */
const BEFORE = String.raw`(^|[^\p{L}\p{N}:/\\]|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])`;

/** A text that ends with the start of an emoji's code, name or synonym: the second group. */
export const BEGUN_EMOJI = new RegExp(String.raw`${BEFORE}:([\p{L}\p{N}_+-]{2,30})$`, 'u');

/** Codes that follow each other, if they are codes: the second group. */
export const CODES = new RegExp(String.raw`${BEFORE}((?::[a-z\d_+-]{2,30}:)+)`, 'giu');

export const mayHaveCodes = (text: string): boolean => text.search(CODES) !== -1;
