import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { eachJson, NOT_UTF8 } from './input.ts';
import { LineProblem, type Problems } from './problems.ts';
import { notUtf8In } from './utf8.ts';

export interface RowsOptions {
  readonly path: string;
  /** For problems. */
  readonly name: string;
  readonly problems: Problems;
}

/** Bytes of a row of CSV. */
const ROW_MAX = 1 << 20;

const MARKED =
  'A value has a quotation mark in its middle: put the value in quotation marks, and write "" for each one in it.';
/** By the library's codes. Its own messages are for developers. */
const WRONG_ROWS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'The file ends inside of a value: a quotation mark opens it, and none closes it.',
  CSV_INVALID_CLOSING_QUOTE: MARKED,
  INVALID_OPENING_QUOTE: MARKED,
  CSV_RECORD_INCONSISTENT_COLUMNS: 'The row and the first line must have the same number of values.',
  CSV_MAX_RECORD_SIZE: `The row has more than ${ROW_MAX} bytes: perhaps a quotation mark that closes a value is missing.`,
};

/**
 * The rows of a file: objects of NDJSON, or of CSV (RFC 4180) by the names in its first line. In CSV all values are
 * text, and an empty one is absent.
 */
export function eachRow(
  options: RowsOptions,
  use: (row: unknown, place: string) => Promise<void>,
): Promise<void> {
  return extname(options.path).toLowerCase() === '.csv' ? eachCsv(options, use) : eachJson(options, use);
}

interface Parsed {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

async function eachCsv(
  { path, name, problems }: RowsOptions,
  use: (row: unknown, place: string) => Promise<void>,
): Promise<void> {
  let isReadable = true;
  const parser = parse({
    bom: true,
    columns(names: string[]) {
      const twice = namedTwice(names);
      isReadable = twice.length === 0;
      for (const one of twice) {
        problems.add(
          `${name}:${parser.info.lines}`,
          `The column ${JSON.stringify(one)} is there more than once.`,
        );
      }
      return names;
    },
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: ROW_MAX,
    on_skip(error) {
      if (error !== undefined && isReadable)
        problems.add(`${name}:${error.lines}`, WRONG_ROWS[error.code] ?? 'It is not a row of CSV.');
    },
  });
  // An error of the file becomes one of the parser, which the loop throws.
  const wrongLines: number[] = [];
  let nextWrong = 0;
  const checkedChunks = (chunks: AsyncIterable<Buffer>) =>
    notUtf8In(chunks, (line) => void wrongLines.push(line));
  pipeline(createReadStream(path), checkedChunks, parser, () => {});
  /** Notes the lines up to this one that are not UTF-8. All of them were checked before they were parsed. */
  function noteWrong(until: number): boolean {
    const before = nextWrong;
    for (
      let line = wrongLines[nextWrong];
      line !== undefined && line <= until;
      line = wrongLines[++nextWrong]
    )
      problems.add(`${name}:${line}`, NOT_UTF8);
    return nextWrong > before;
  }
  for await (const { record, info } of parser as AsyncIterable<Parsed>) {
    // Which of the values is meant is not known.
    if (!isReadable) break;
    if (noteWrong(info.lines)) continue;
    const place = `${name}:${info.lines}`;
    const row = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''));
    try {
      await use(row, place);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      problems.add(place, error.message);
    }
  }
  noteWrong(Number.POSITIVE_INFINITY);
}

/** The columns that are there more than once. Those without a name do not count: spreadsheets add them at the end. */
const namedTwice = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, i) => name !== '' && names.indexOf(name) !== i)),
];
