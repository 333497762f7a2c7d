/** Lines that are not UTF-8 are found wherever the file is cut into chunks. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProblems } from '../../src/import/problems.ts';
import { eachRow } from '../../src/import/rows.ts';
import { notUtf8In } from '../../src/import/utf8.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';

async function wrongLinesOf(bytes: Buffer, size: number): Promise<{ lines: number[]; same: boolean }> {
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  }
  const lines: number[] = [];
  const out: Buffer[] = [];
  for await (const chunk of notUtf8In(chunks(), (line) => lines.push(line))) out.push(chunk);
  return { lines, same: Buffer.concat(out).equals(bytes) };
}

const isStrict = (bytes: Buffer): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

test('notUtf8In: the same lines as decoded one by one', async () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', 'a', 'é', 'あ', '🎉', '\r\n').map((text) => Buffer.from(text)),
    fc
      .constantFrom([0xe9], [0xe3, 0x81], [0x80], [0xf0, 0x9f, 0x8e], [0xc0, 0x80], [0xed, 0xa0, 0x80])
      .map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      async (pieces, size) => {
        const bytes = Buffer.concat(pieces);
        const expected = bytes
          .toString('latin1')
          .split('\n')
          .flatMap((line, i) => (isStrict(Buffer.from(line, 'latin1')) ? [] : [i + 1]));
        expect(await wrongLinesOf(bytes, size)).toEqual({ lines: expected, same: true });
      },
    ),
  );
});

test('eachRow: CSV in UTF-16 with its mark, and in UTF-8 with and without', async () => {
  const text = 'id,displayName\nu1,Renée\nu2,"集い 🎉"\n';
  for (const bytes of [
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text),
  ]) {
    const path = join(await temporaryDirectory(), 'people.csv');
    await writeFile(path, bytes);
    const problems = createProblems();
    const rows: unknown[] = [];
    await eachRow({ path, name: 'people.csv', problems }, async (row) => void rows.push(row));
    problems.throwIfAny();
    expect(rows).toEqual([
      { id: 'u1', displayName: 'Renée' },
      { id: 'u2', displayName: '集い 🎉' },
    ]);
  }
});
