/**
 * The server and the web client each have a writer of the file with what a user has saved, because neither imports the
 * other (`.dependency-cruiser.cjs`). `saved.test.ts` compares what they write of one list in the table, and this file
 * what they write of any values.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SAVED_FORMATS, type SavedFormat, type SavedRecord } from '../../src/export/savedFormats.ts';
import type { ListedSavedFragment } from '../../web/src/generated/graphql.ts';
import { FILE_FORMATS, writeFile } from '../../web/src/saved/file.ts';

const ORIGIN = 'https://chat.example';
const FORMATS = Object.keys(SAVED_FORMATS) as SavedFormat[];

/** What ends a line, an attribute or a tag somewhere, half a surrogate pair, and spaces of all kinds. */
const SPECIAL = [
  ...['\n', '\r', '\t', '\v', '\0', '\x7f', '\u0085', '\u2028', '\u2029', ' ', '\u00a0', '\u3000', '\ufeff'],
  ...['\ud83d', '\ude00', '😀', ',', '，', '&', '<', '>', '"', "'", '\\', '&amp;'],
];
const unit = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SPECIAL) },
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = fc.string({ unit });
/** About as long as the longest title. */
const long = fc
  .tuple(fc.constantFrom('a', '<', '😀', '\ud83d'), fc.integer({ min: 197, max: 202 }), text)
  .map(([one, count, end]) => one.repeat(count) + end);
/** An address can hold no half of a surrogate pair. */
const id = fc.string({ unit: 'binary' });
const time = fc
  .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const message = fc.record({
  id,
  createdAt: time,
  body: fc.option(fc.oneof(text, long)),
  author: fc.record({ id, handle: fc.option(text), displayName: text }),
  room: fc.record({ id, name: text }),
});
/** The names are in the order in which `exportSaved` has them, which is the order in the file. */
const saved: fc.Arbitrary<SavedRecord & Pick<ListedSavedFragment, 'visibility'>> = fc.record({
  id,
  savedAt: time,
  visibility: fc.constantFrom('PUBLIC', 'PRIVATE'),
  note: fc.option(text),
  tags: fc.array(text),
  remindAt: fc.option(time),
  message: fc.option(message),
});
type Saved = typeof saved extends fc.Arbitrary<infer T> ? T : never;

/** As the web client reads it: in another order, and with what is not in the file. */
const listed = ({ id, savedAt, visibility, note, tags, remindAt, message }: Saved): ListedSavedFragment => ({
  id,
  remindAt,
  version: 7,
  visibility,
  note,
  tags: [...tags],
  savedAt,
  message: message && {
    id: message.id,
    body: message.body,
    createdAt: message.createdAt,
    author: { ...message.author, avatarUrl: null, isFormer: false },
    room: { ...message.room, people: null },
  },
});

type Pages = readonly (readonly Saved[])[];

/** The command writes each page by itself, so half a surrogate pair is never completed by the next page. */
function fileOf(pages: Pages, format: SavedFormat): Buffer {
  const { begin, end, line } = SAVED_FORMATS[format];
  const pieces = [begin, ...pages.map((page) => page.map((one) => line(one, ORIGIN)).join('')), end];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

async function webFileOf(pages: Pages, format: SavedFormat): Promise<Buffer> {
  const rest = pages.map((page) => page.map((one) => ({ node: listed(one) })));
  const api = {
    connection: { backoff: { wait: async () => {} } },
    async queryUncached() {
      const edges = rest.shift() ?? [];
      const pageInfo = { hasNextPage: rest.length > 0, endCursor: String(rest.length) };
      return { viewer: { savedMessages: { edges, pageInfo } } };
    },
  } as unknown as Parameters<typeof writeFile>[0];
  const options = { format, origin: ORIGIN, withheld: 'Message unavailable' };
  const { signal } = new AbortController();
  const file = await writeFile(api, { ...options, signal, onProgress: () => {}, onFailure: () => {} });
  return Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer());
}

test('savedFormats: the web client has the same formats', () => {
  expect(FILE_FORMATS).toEqual(FORMATS);
});

test.each(FORMATS)(
  'savedFormats: the web client writes the same bytes of any saved messages as %s',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(saved, { maxLength: 3 }), { maxLength: 3 }), async (pages) => {
        const [web, command] = [await webFileOf(pages, format), fileOf(pages, format)];
        // First as texts, because their difference is readable.
        expect(web.toString()).toBe(command.toString());
        expect(web.equals(command)).toBe(true);
      }),
    );
  },
);
