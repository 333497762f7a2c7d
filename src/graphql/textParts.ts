import { Later } from '../core/later.ts';

/** A part of a result in JSON; a promise if something has to be waited for. */
export type Text = string | Promise<string>;

export interface Run {
  readonly context: unknown;
  /** The variables of the operation, if it is not compiled for their values. */
  readonly variables: Record<string, unknown>;
  /** Whether the text is made to be kept: see `keepingWriter`. */
  readonly isRecording?: boolean;
}

/** Writes the JSON of a value. Throws or rejects if only execution can give the result. */
export type Write = (value: unknown, run: Run) => Text;

const NO_RUN: Run = { context: undefined, variables: {} };

/** A piece of an object's text: what is always the same, and then the value of a field, if there is one. */
export interface Part {
  readonly text: string;
  readonly write?: Write;
  /** Whether the value depends on the variables of the operation, or is not known before it is written. */
  readonly varies?: boolean;
}

/** Writes the parts of an object one after another. All of them begin before one is waited for. */
export function writeParts(parts: readonly Part[], source: unknown, run: Run): Text {
  let text = '';
  let pieces: Pieces | undefined;
  try {
    for (const { text: before, write } of parts) {
      text += before;
      if (write === undefined) continue;
      const value = write(source, run);
      if (typeof value === 'string') text += value;
      else {
        pieces = (pieces ?? new Pieces()).add(text, value);
        text = '';
      }
    }
  } catch (error) {
    pieces?.abandon();
    throw error;
  }
  return pieces === undefined ? text : pieces.join(text);
}

export function writeList(items: readonly unknown[], write: Write, run: Run): Text {
  let text = '[';
  let pieces: Pieces | undefined;
  try {
    for (let i = 0; i < items.length; i++) {
      const value = write(items[i], run);
      if (i > 0) text += ',';
      if (typeof value === 'string') text += value;
      else {
        pieces = (pieces ?? new Pieces()).add(text, value);
        text = '';
      }
    }
  } catch (error) {
    pieces?.abandon();
    throw error;
  }
  return pieces === undefined ? `${text}]` : pieces.join(`${text}]`);
}

/** Texts, each with a promise of the one that follows it. */
class Pieces {
  readonly #texts: string[] = [];
  readonly #promises: Array<Promise<string>> = [];
  /** Those of the promises that have the same `after` as the first one. */
  readonly #together: Array<Later<Text>> = [];

  add(text: string, next: Promise<string>): this {
    this.#texts.push(text);
    this.#promises.push(next);
    if (next instanceof Later && next.after === (this.#together[0] ?? next).after) this.#together.push(next);
    return this;
  }

  /** Nothing waits for the promises any more. */
  abandon(): void {
    for (const promise of this.#promises) promise.catch(() => {});
  }

  /** If all wait for the same, so does the whole text: then what it is a part of may wait once for many such texts. */
  join(last: string): Promise<string> {
    const [first] = this.#together;
    if (first === undefined || this.#together.length < this.#promises.length) return this.#settled(last);
    const parts = this.#together.map(({ value }, i): Part => ({ text: this.#texts[i] ?? '', write: value }));
    parts.push({ text: last });
    return new Later(first.after, () => writeParts(parts, undefined, NO_RUN));
  }

  async #settled(last: string): Promise<string> {
    const values = await Promise.all(this.#promises);
    let all = '';
    for (const [i, value] of values.entries()) all += this.#texts[i] + value;
    return all + last;
  }
}
