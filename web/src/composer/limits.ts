const MOST_CHARACTERS = 4_000;

/** By how many characters a message is too long; 0 where it is not. Code points count. */
export const bodyProblem = (text: string): number => Math.max(0, [...text].length - MOST_CHARACTERS);
