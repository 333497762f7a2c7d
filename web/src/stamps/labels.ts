import type { StampPartsFragment } from '../generated/graphql.ts';
import { type I18n, inEveryLanguage, isTextKey, type TextKey } from '../i18n/i18n.ts';

type Labelled = Pick<StampPartsFragment, 'key' | 'label'>;

/** What a stamp shows: in the viewer's language where the product comes with it, else as the server calls it. */
export function stampLabel({ key, label }: Labelled, t: I18n['t']): string {
  const text = textOf(key);
  return text === undefined ? label : t(text);
}

/** Whether somebody who types this means the stamp, in whichever language they call it. */
export function isCalled({ key, label }: Labelled, wanted: string): boolean {
  const text = textOf(key);
  const names = [key, label, ...(text === undefined ? [] : inEveryLanguage(text))];
  return folded(names.join(' ')).includes(folded(wanted.trim()));
}

function textOf(key: string): TextKey | undefined {
  const text = `stampLabel.${key}`;
  return isTextKey(text) ? text : undefined;
}

/** Katakana as hiragana, which is what stands in the field until an input method has made a word of it. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_ABOVE));

const KATAKANA_ABOVE = 0x60;
