import { isUtf8 } from 'node:buffer';

const NEWLINE = 10;
/** A character has at most four bytes, so the last one of a chunk that is cut has at most three. */
const CUT_MAX = 3;
const isContinued = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
const UTF16 = Buffer.from([0xff, 0xfe]);

/**
 * The chunks of a file as they are, with calls for each line that is not UTF-8 (from 1), before its last chunk is
 * yielded. UTF-16 that begins with its mark is not checked.
 */
export async function* notUtf8In(
  chunks: AsyncIterable<Buffer>,
  onWrong: (line: number) => void,
): AsyncGenerator<Buffer, void> {
  let line = 1;
  let lastWrong = 0;
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;

  function check(bytes: Buffer): void {
    const isRight = isUtf8(bytes);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      if (!isRight) checkLine(bytes.subarray(from, at));
      from = at + 1;
      line++;
    }
    if (!isRight) checkLine(bytes.subarray(from));
  }

  function checkLine(bytes: Buffer): void {
    if (isUtf8(bytes) || lastWrong === line) return;
    lastWrong = line;
    onWrong(line);
  }

  for await (const chunk of chunks) {
    if (isFirst && chunk.subarray(0, UTF16.length).equals(UTF16)) {
      yield chunk;
      yield* chunks;
      return;
    }
    isFirst = false;
    const bytes = Buffer.concat([rest, chunk]);
    const end = wholeCharacters(bytes);
    check(bytes.subarray(0, end));
    rest = bytes.subarray(end);
    yield chunk;
  }
  check(rest);
}

/** The length without a last character that may be cut. */
function wholeCharacters(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < CUT_MAX && isContinued(bytes[end - 1])) end--;
  const first = bytes[end - 1] ?? 0;
  return first >= 0xc0 ? end - 1 : bytes.length;
}
