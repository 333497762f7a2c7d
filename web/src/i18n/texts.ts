import { loadWithRetry } from '../ui/loadWithRetry.ts';
import type { Texts } from './en.ts';

export const languages = { en: 'English', ja: '日本語' } as const;
export type Language = keyof typeof languages;

const SCRIPTS: Readonly<Record<Language, () => Promise<{ readonly default: Texts }>>> = {
  en: () => import('./en.ts'),
  ja: () => import('./ja.ts'),
};

/** Loads the texts of one language: a visitor needs no other. Rejects if the server has another version of the page. */
export async function loadTexts(language: Language): Promise<Texts> {
  return (await loadWithRetry(SCRIPTS[language])).default;
}
