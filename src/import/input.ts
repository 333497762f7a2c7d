import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { LineProblem, type Problems } from './problems.ts';

/** Bytes of one line: a thread with some hundred thousand replies. */
const LINE_MAX = 256 * 1024 * 1024;
const NEWLINE = 10;

export interface InputLine {
  /** Undefined: it is not UTF-8. */
  readonly text: string | undefined;
  /** From 1. */
  readonly number: number;
}

/**
 * The lines of a file, without empty ones. By hand, because readline also ends a line at U+2028, which JSON may
 * contain.
 */
export async function* linesIn(path: string): AsyncGenerator<InputLine, void> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;

  function* line(end: Buffer): Generator<InputLine> {
    number++;
    const bytes = Buffer.concat([...parts, end]);
    const text = isUtf8(bytes)
      ? bytes
          .toString()
          .replace(/^\uFEFF/, '')
          .trim()
      : undefined;
    parts = [];
    length = 0;
    if (text !== '') yield { text, number };
  }

  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      yield* line(chunk.subarray(from, at));
      from = at + 1;
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LINE_MAX)
      throw new LineProblem(`${basename(path)}:${number + 1}: It has more than ${LINE_MAX} bytes.`);
  }
  yield* line(Buffer.alloc(0));
}

/** Decoded loosely, what is broken would become U+FFFD without a word. */
export const NOT_UTF8 = 'It is not UTF-8.';

/** Reads each line as JSON. What `use` throws as a `LineProblem` is noted with the line, and reading goes on. */
export async function eachJson(
  { path, name, problems }: { readonly path: string; readonly name: string; readonly problems: Problems },
  use: (value: unknown, place: string) => Promise<void> | void,
): Promise<void> {
  for await (const { text, number } of linesIn(path)) {
    const place = `${name}:${number}`;
    try {
      if (text === undefined) throw new LineProblem(NOT_UTF8);
      await use(parsed(text), place);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      problems.add(place, error.message);
    }
  }
}

/** A whole file of JSON. */
export function parsedFile(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new LineProblem(NOT_UTF8);
  return parsed(bytes.toString());
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LineProblem('It is not JSON.');
  }
}
