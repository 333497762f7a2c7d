import { Tokenizer } from 'marked';

/** Nesting levels. Deeper markup stays text: each level can double the time, and uses stack. */
const DEEPEST = 6;
/** How many characters may be searched in vain for a closing mark. After that, all marks stay text. */
const IN_VAIN = 100_000;

const MARK = /^[*_~]/;

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
