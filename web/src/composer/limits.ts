const MOST_CHARACTERS = 4_000;

/** By how many characters (code points) a text exceeds the limit of 4,000. 0 if it does not. */
export const bodyProblem = (text: string): number => Math.max(0, [...text].length - MOST_CHARACTERS);

/**
 * Characters that are invisible, as the server defines them: spaces, zero-width characters that come with pasted text,
 * direction marks, the empty Braille pattern …
 */
const INVISIBLE =
  /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\u2800\u{1d159}]/gu;

/** Whether the text has nothing that a reader sees. The server refuses such a message. */
export const isBlank = (text: string): boolean => text.replace(INVISIBLE, '') === '';
