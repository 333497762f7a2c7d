import type { StampPartsFragment } from '../generated/graphql.ts';
import { type I18n, inEveryLanguage, isTextKey, type TextKey } from '../i18n/i18n.ts';

type Labelled = Pick<StampPartsFragment, 'key' | 'label'>;

/** A stamp's label in the viewer's language if it is a built-in stamp, otherwise the server's label. */
export function stampLabel({ key, label }: Labelled, t: I18n['t']): string {
  const text = textOf(key);
  return text === undefined ? label : t(text);
}

/** Whether a search text matches the stamp's key or its label in any language. */
export function isCalled({ key, label }: Labelled, wanted: string): boolean {
  const text = textOf(key);
  const names = [key, label, ...(text === undefined ? [] : inEveryLanguage(text))];
  return folded(names.join(' ')).includes(folded(wanted.trim()));
}

function textOf(key: string): TextKey | undefined {
  const text = `stampLabel.${key}`;
  return isTextKey(text) ? text : undefined;
}

/** Katakana becomes hiragana, because a field contains hiragana until the input method converts it. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_ABOVE));

const KATAKANA_ABOVE = 0x60;
