import en from '../i18n/en.ts';
import ja from '../i18n/ja.ts';
import { folded } from '../ui/folded.ts';
import type { LabelledStamp } from './labels.ts';

const LANGUAGES: readonly Readonly<Record<string, string>>[] = [en, ja];

/** Whether a search text matches the stamp's key or its label in any language. Loaded with the picker. */
export function isCalled({ key, label }: LabelledStamp, wanted: string): boolean {
  const text = `stampLabel.${key}`;
  const names = LANGUAGES.flatMap((texts) => (Object.hasOwn(texts, text) ? [texts[text]] : []));
  return folded([key, label, ...names].join(' ')).includes(folded(wanted.trim()));
}
