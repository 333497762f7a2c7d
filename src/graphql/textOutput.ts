import { Later } from '../core/later.ts';

/** The JSON of a value; a promise if something has to be waited for. */
export type Text = string | Promise<string>;

export interface Run {
  readonly context: unknown;
  /** The variables of the operation, if it is not compiled for their values. */
  readonly variables: Record<string, unknown>;
  /** Whether the text is made to be kept: see `keepingWriter`. */
  readonly isRecording?: boolean;
}

/** Adds the JSON of a value. Throws, or adds a promise that rejects, if only execution can give the result. */
export type Write = (value: unknown, output: TextOutput) => void;

/** A piece of an object's text: what is always the same, and then the value of a field, if there is one. */
export interface Part {
  readonly text: string;
  readonly write?: Write;
  /** Whether the value depends on the variables of the operation, or is not known before it is written. */
  readonly varies?: boolean;
}

/** Adds the parts of an object one after another. All of them begin before one is waited for. */
export function writeParts(parts: readonly Part[], source: unknown, output: TextOutput): void {
  for (const { text, write } of parts) {
    output.add(text);
    write?.(source, output);
  }
}

export function writeList(items: readonly unknown[], write: Write, output: TextOutput): void {
  output.add('[');
  for (let i = 0; i < items.length; i++) {
    if (i > 0) output.add(',');
    write(items[i], output);
  }
  output.add(']');
}

/** The whole text of a value. Throws or rejects as `write` does. */
export function textOf(write: Write, value: unknown, run: Run): Text {
  const output = new TextOutput(run);
  try {
    write(value, output);
  } catch (error) {
    output.abandon();
    throw error;
  }
  return output.end();
}

/** A value that is not known yet. */
interface Gap {
  /** What precedes it. */
  readonly text: string;
  readonly value: Later<unknown> | Promise<string>;
  /** Writes the value of a `Later`. */
  readonly write: Write;
}

/**
 * What has been written of a value, in one list for all objects in it. Each request that waits for the database keeps
 * it in memory: with a list for each object, the garbage collector often took a third of a page's CPU.
 */
export class TextOutput {
  readonly run: Run;
  readonly #gaps: Gap[] = [];
  /** What follows the last gap. */
  #text = '';

  constructor(run: Run) {
    this.run = run;
  }

  add(text: string): void {
    this.#text += text;
  }

  /**
   * Adds a value that is not known yet. If all of them are `Later`s with the same `after`, they are written together.
   */
  addLater(value: Promise<unknown>, write: Write): void {
    // What follows from any other promise begins as soon as that one is fulfilled.
    const known = value instanceof Later ? value : value.then((settled) => textOf(write, settled, this.run));
    this.#gaps.push({ text: this.#text, value: known, write });
    this.#text = '';
  }

  /** Handles the rejections of values that are no longer needed: an unhandled one would end the process. */
  abandon(): void {
    for (const { value } of this.#gaps) value.catch(() => {});
  }

  end(): Text {
    return this.#gaps.length === 0 ? this.#text : this.#whenKnown();
  }

  async #whenKnown(): Promise<string> {
    const [first] = this.#gaps;
    const after = first?.value instanceof Later ? first.value.after : undefined;
    if (
      after !== undefined &&
      this.#gaps.every(({ value }) => value instanceof Later && value.after === after)
    ) {
      await after;
      return textOf((_gaps, output) => this.#writeKnown(output), undefined, this.run);
    }
    const texts = await Promise.all(
      this.#gaps.map(({ value, write }) =>
        value instanceof Later ? value.after.then(() => textOf(write, value.value(), this.run)) : value,
      ),
    );
    return texts.reduce((all, text, i) => all + (this.#gaps[i]?.text ?? '') + text, '') + this.#text;
  }

  #writeKnown(output: TextOutput): void {
    for (const { text, value, write } of this.#gaps) {
      output.add(text);
      write(value instanceof Later ? value.value() : value, output);
    }
    output.add(this.#text);
  }
}
