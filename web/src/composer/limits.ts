const MOST_CHARACTERS = 4_000;

/** By how many characters (code points) a text exceeds the limit of 4,000. 0 if it does not. */
export const bodyProblem = (text: string): number => Math.max(0, [...text].length - MOST_CHARACTERS);
