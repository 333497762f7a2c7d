import en from '../i18n/en.ts';
import ja from '../i18n/ja.ts';
import type { LabelledStamp } from './labels.ts';

const LANGUAGES: readonly Readonly<Record<string, string>>[] = [en, ja];

/** Whether a search text matches the stamp's key or its label in any language. Loaded with the picker. */
export function isCalled({ key, label }: LabelledStamp, wanted: string): boolean {
  const text = `stampLabel.${key}`;
  const names = LANGUAGES.flatMap((texts) => (Object.hasOwn(texts, text) ? [texts[text]] : []));
  return folded([key, label, ...names].join(' ')).includes(folded(wanted.trim()));
}

/** Katakana becomes hiragana, because a field contains hiragana until the input method converts it. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_ABOVE));

const KATAKANA_ABOVE = 0x60;
