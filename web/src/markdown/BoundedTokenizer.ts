import { Tokenizer } from 'marked';

/** Nesting levels. Deeper markup stays text: each level can double the time, and uses stack. */
const DEEPEST = 6;
/** How many characters may be searched in vain for a closing mark. After that, all marks stay text. */
const IN_VAIN = 100_000;

const MARK = /^[*_~]/;

/** Characters of a Japanese host. In other scripts, letters look like those of another host. */
const KANA_OR_KANJI = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー';
const JAPANESE = new RegExp(`[${KANA_OR_KANJI}]`, 'gu');
/** Ends an address. */
const PUNCTUATION = '、。，．！？「」『』（）【】〈〉《》〔〕［］｛｝｡｢｣､';
/**
 * An address in a text without spaces, as Japanese is: `https://example.comを見て` and `（http://日本語.jp）`. Kana and kanji
 * after its host are a part of its path only if that has begun. Only the first part of a host mixes them with letters
 * (`https://jr東日本.jp`): `https://example.comとexample.jp` are two, and `https://example.comノa.jp` looks like a path.
 */
const ADDRESS = new RegExp(
  [
    '^(?:https?://(?:www\\.)?|www\\.)',
    `(?:[a-z0-9${KANA_OR_KANJI}-]+\\.)?`,
    `(?:(?:[a-z0-9-]+|[${KANA_OR_KANJI}]+)\\.)*`,
    `(?:[a-z0-9-]+|[${KANA_OR_KANJI}]+(?![${KANA_OR_KANJI}]))`,
    '(?::\\d+)?',
    `(?:[/?#][^\\s<${PUNCTUATION}]*)?`,
    `(?=$|[\\s<)"${PUNCTUATION}${KANA_OR_KANJI}])`,
  ].join(''),
  'iu',
);

/**
 * `marked`'s tokenizer with bounds, for one text. The text is untrusted: 4,000 characters may take at most a few
 * hundredths of a second, and must not overflow the stack.
 */
export class BoundedTokenizer extends Tokenizer {
  #depth = 0;
  #inVain = 0;

  override blockquote(src: string) {
    return this.#within(() => super.blockquote(src));
  }

  override list(src: string) {
    return this.#within(() => super.list(src));
  }

  override emStrong(src: string, maskedSrc: string, prevChar?: string) {
    return this.#marked(src, () => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string) {
    return this.#marked(src, () => super.del(src, maskedSrc, prevChar));
  }

  /** An address that is written without brackets. */
  override url(src: string) {
    const written = ADDRESS.exec(src)?.[0];
    if (written === undefined) return super.url(src);
    // `marked` knows only hosts in ASCII, and finds the punctuation at the end.
    const found = super.url(written.replace(JAPANESE, ({ length }) => 'a'.repeat(length)));
    if (found === undefined) return undefined;
    const raw = written.slice(0, found.raw.length);
    const href = `${found.href.slice(0, -raw.length)}${raw}`;
    return { ...found, raw, text: raw, href, tokens: [{ type: 'text' as const, raw, text: raw }] };
  }

  /** Runs `find` if the text begins with a mark, and counts the characters if there was no closing mark. */
  #marked<T>(src: string, find: () => T | undefined): T | undefined {
    if (!MARK.test(src) || this.#inVain > IN_VAIN) return undefined;
    const found = this.#within(find);
    if (found === undefined) this.#inVain += src.length;
    return found;
  }

  #within<T>(read: () => T | undefined): T | undefined {
    if (this.#depth === DEEPEST) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
