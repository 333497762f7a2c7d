/**
 * What the viewer has saved, as a file. `npm run export` makes the same files with a writer of its own
 * (`src/export/savedFormats.ts`), because the client uses only the public API. `test/export/savedFormats.test.ts`
 * compares their bytes.
 */
import type { Api } from '../api/api.ts';
import type { ApiError } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { messagePath, SAVED_PATH } from '../shell/paths.ts';
import type { ListedRow } from './listed.ts';
import { wholeList } from './listed.ts';
import { type ListPage, readPage } from './listPages.ts';

type Saved = NonNullable<ListedRow['saved']>;

/** JSON lines, with everything; or bookmarks as browsers and services for links import them. */
export const FILE_FORMATS = ['jsonl', 'html'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface FileOptions {
  readonly format: FileFormat;
  /** The web client's origin, for links. */
  readonly origin: string;
  /** The title of a message that the viewer may not see any more, or that was deleted. */
  readonly withheld: string;
}

interface Format {
  readonly type: string;
  readonly begin: string;
  readonly end: string;
  line(saved: Saved, options: FileOptions): string;
}

const FORMATS: Readonly<Record<FileFormat, Format>> = {
  jsonl: { type: 'application/x-ndjson', begin: '', end: '', line: jsonLine },
  html: {
    type: 'text/html',
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
};

const urlOf = ({ message }: Saved, { origin }: FileOptions): string =>
  `${origin}${message === null ? SAVED_PATH : messagePath(message.room.id, message.id)}`;

function jsonLine(saved: Saved, options: FileOptions): string {
  const { id, savedAt, visibility, note, tags, remindAt, message } = saved;
  const said = message && {
    id: message.id,
    createdAt: message.createdAt,
    body: message.body,
    author: { id: message.author.id, handle: message.author.handle, displayName: message.author.displayName },
    room: { id: message.room.id, name: message.room.name },
  };
  const url = message === null ? null : urlOf(saved, options);
  const json = JSON.stringify({ id, savedAt, visibility, note, tags, remindAt, url, message: said });
  return `${json.replaceAll(SEPARATORS, escapedUnit)}\n`;
}

/** JSON may hold these, but some readers of lines end a line at them. */
const SEPARATORS = /[\u0085\u2028\u2029]/g;

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The most characters of a title. */
const TITLE_MAX = 200;

function bookmark(saved: Saved, options: FileOptions): string {
  const { savedAt, visibility, note, tags, message } = saved;
  const title = [...oneLine(message?.body ?? options.withheld)].slice(0, TITLE_MAX).join('');
  const attributes = [
    `HREF="${escaped(urlOf(saved, options))}"`,
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

export interface WritingOptions extends FileOptions {
  readonly signal: AbortSignal;
  /** Called after each page, with the number of messages so far. */
  readonly onProgress: (done: number) => void;
  /** Called when a page could not be read, before it is requested again. */
  readonly onFailure: (error: ApiError) => void;
}

/**
 * Reads all that the viewer has saved, the newest first and page by page, as the server allows. What is saved meanwhile
 * is not in the file. Each page becomes a part of the file at once, which the browser may keep on disk. Resolves to
 * undefined once the signal is aborted.
 */
export async function writeFile(
  api: Pick<Api, 'connection' | 'queryUncached'>,
  { signal, onProgress, onFailure, ...options }: WritingOptions,
): Promise<Blob | undefined> {
  const { type, begin, end, line } = FORMATS[options.format];
  const parts: Blob[] = [new Blob([begin])];
  let done = 0;
  for (let after: string | null = null; ; ) {
    const from: string | null = after;
    const page: ListPage | undefined = await withRetry(
      api.connection.backoff,
      () => readPage(api, wholeList('all'), from),
      { signal, onFailure },
    );
    if (page === undefined) return undefined;
    const saved = page.rows.flatMap((row) => row.saved ?? []);
    parts.push(new Blob([saved.map((one) => line(one, options)).join('')]));
    done += saved.length;
    onProgress(done);
    if (page.after === null) return new Blob([...parts, end], { type: `${type};charset=utf-8` });
    after = page.after;
  }
}
