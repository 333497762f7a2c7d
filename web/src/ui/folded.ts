/**
 * A text as searches compare it. Katakana becomes hiragana, because a field contains hiragana until the input method
 * converts it.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_ABOVE));

const KATAKANA_ABOVE = 0x60;
