import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import type { Language } from './language.ts';

export type { Exchange, Language } from './language.ts';

/** The first one is the common language of people with different languages. */
export const languages: readonly Language[] = [en, ja, de, es, ko, ar];

/** The relative number of people of each language, in the same order. */
export const shares: readonly number[] = [10, 8, 3, 4, 3, 2];
