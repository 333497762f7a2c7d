/**
 * The formats of a file with what a user has saved. The web client makes the same files with a writer of its own
 * (`web/src/saved/file.ts`), because neither imports the other. `test/export/savedFormats.test.ts` compares their
 * bytes.
 */

/** A saved message as the API has it. */
export interface SavedRecord {
  readonly id: string;
  readonly savedAt: string;
  readonly visibility: string;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly remindAt: string | null;
  /** Null if the user may not see the message any more. `body`: null if it was deleted. */
  readonly message: {
    readonly id: string;
    readonly createdAt: string;
    readonly body: string | null;
    readonly author: { readonly id: string; readonly handle: string | null; readonly displayName: string };
    readonly room: { readonly id: string; readonly name: string };
  } | null;
}

interface Format {
  readonly begin: string;
  readonly end: string;
  /** `origin`: of the web client, for the links. */
  line(saved: SavedRecord, origin: string): string;
}

/** JSON lines, with everything; or bookmarks as browsers and services for links import them. */
export const SAVED_FORMATS = {
  jsonl: { begin: '', end: '', line: jsonLine },
  html: {
    begin: [
      '<!DOCTYPE NETSCAPE-Bookmark-file-1>',
      '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">',
      '<TITLE>Bookmarks</TITLE>',
      '<H1>Bookmarks</H1>',
      '<DL><p>\n',
    ].join('\n'),
    end: '</DL><p>\n',
    line: bookmark,
  },
} as const satisfies Record<string, Format>;

export type SavedFormat = keyof typeof SAVED_FORMATS;

const messageUrl = ({ room, id }: NonNullable<SavedRecord['message']>, origin: string): string =>
  `${origin}/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(id)}`;

function jsonLine({ message, ...saved }: SavedRecord, origin: string): string {
  const url = message === null ? null : messageUrl(message, origin);
  return `${JSON.stringify({ ...saved, url, message }).replaceAll(SEPARATORS, escapedUnit)}\n`;
}

/** JSON may hold these, but some readers of lines end a line at them. */
const SEPARATORS = /[\u0085\u2028\u2029]/g;

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The most characters of a title. */
const TITLE_MAX = 200;
/** The title of a message that the user may not see any more, or that was deleted. */
const WITHHELD = 'Message unavailable';

function bookmark({ savedAt, visibility, note, tags, message }: SavedRecord, origin: string): string {
  const title = [...oneLine(message?.body ?? WITHHELD)].slice(0, TITLE_MAX).join('');
  const attributes = [
    `HREF="${escaped(message === null ? `${origin}/saved` : messageUrl(message, origin))}"`,
    `ADD_DATE="${Math.floor(Date.parse(savedAt) / 1_000)}"`,
    `PRIVATE="${visibility === 'PRIVATE' ? 1 : 0}"`,
    // A comma separates tags. With a full-width comma, a name is still the same tag.
    ...(tags.length === 0
      ? []
      : [`TAGS="${escaped(tags.map((tag) => tag.replaceAll(',', '，')).join(','))}"`]),
  ];
  const described = note === null ? '' : `<DD>${escaped(oneLine(note))}\n`;
  return `<DT><A ${attributes.join(' ')}>${escaped(title)}</A>\n${described}`;
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
