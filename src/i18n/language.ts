import Negotiator from 'negotiator';

/** The languages of the product's texts. The first one is the fallback. */
export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Picks the language of a text from preferences, the strongest first. Each is a language tag (`ja-JP`) or a list
 * in the form of `Accept-Language`. Never throws: a malformed preference is ignored.
 */
export function bestLanguage(...preferences: ReadonlyArray<string | null | undefined>): Language {
  for (const preference of preferences) {
    if (preference === null || preference === undefined) continue;
    const [best] = new Negotiator({ headers: { 'accept-language': preference } }).languages([...LANGUAGES]);
    const language = LANGUAGES.find((one) => one === best);
    if (language !== undefined) return language;
  }
  return LANGUAGES[0];
}
