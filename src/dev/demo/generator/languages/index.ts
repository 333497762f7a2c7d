import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import type { Language } from './language.ts';

export type { Exchange, Language } from './language.ts';

/** The first is what people of different languages speak with each other. */
export const languages: readonly Language[] = [en, ja, de, es, ko, ar];

/** How many people of each there are, in the same order. */
export const shares: readonly number[] = [10, 8, 3, 4, 3, 2];
