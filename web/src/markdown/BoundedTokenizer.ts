import { Tokenizer } from 'marked';

/** Levels. What is nested deeper stays text: each level may double the time, and takes its part of the stack. */
const DEEPEST = 6;
/** Characters that may be looked through in vain for the end of an emphasis; after that each mark of one is text. */
const IN_VAIN = 100_000;

const MARK = /^[*_~]/;

/**
 * `marked`'s tokenizer, for one text. It is bounded, for others write the text: none of 4,000 characters may take
 * longer than some hundredths of a second, or more of the stack than there is.
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

  /** What begins with a mark, if there is another one where it ends. */
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
