import Negotiator from 'negotiator';

/** The languages that the product has texts in; the first one is for everybody else. */
export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The language to word a text in, by what is wished for, the strongest wish first: each a language tag
 * (`ja-JP`), or a list as `Accept-Language` has it. Never throws: what cannot be read is no wish.
 */
export function bestLanguage(...wishes: ReadonlyArray<string | null | undefined>): Language {
  for (const wish of wishes) {
    if (wish === null || wish === undefined) continue;
    const [best] = new Negotiator({ headers: { 'accept-language': wish } }).languages([...LANGUAGES]);
    const language = LANGUAGES.find((one) => one === best);
    if (language !== undefined) return language;
  }
  return LANGUAGES[0];
}
