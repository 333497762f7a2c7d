/** A file with what a user has saved: as the web client makes it, which a user can do themselves. */
import { type DocumentNode, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { exportSaved } from '../../src/export/saved.ts';
import { SAVED_FORMATS, type SavedFormat } from '../../src/export/savedFormats.ts';
import { writeFile } from '../../web/src/saved/file.ts';
import type { TypedDocumentString } from '../generated/graphql.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { OpenDirectRoom } from '../rooms/support/operations.ts';
import { goneEntries, writeSavedMessages } from '../saved/support/bulk.ts';
import { SaveMessage } from '../saved/support/operations.ts';
import { LeaveRoom } from '../support/clients/operations.ts';
import { globalId, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app?.stop());

const ORIGIN = 'https://chat.example';
const FORMATS = Object.keys(SAVED_FORMATS) as SavedFormat[];

interface Reading {
  readonly dynamo?: Dynamo;
  readonly onSaved?: (count: number) => void;
}

async function fileOf({ id }: Person, format: SavedFormat, reading: Reading = {}): Promise<string> {
  const found = await exportSaved(id, { dynamo: app.dynamo, format, origin: ORIGIN, ...reading });
  let text = '';
  for await (const piece of found?.text() ?? []) text += piece;
  return text;
}

const linesOf = async (person: Person) =>
  (await fileOf(person, 'jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The web client's file, from the API. */
async function webFileOf(person: Person, format: SavedFormat): Promise<string> {
  const api = {
    connection: { backoff: { wait: async () => {} } },
    queryUncached: (document: DocumentNode, variables: unknown) =>
      person.do(print(document) as unknown as TypedDocumentString<object, unknown>, variables),
  } as unknown as Parameters<typeof writeFile>[0];
  const options = { format, origin: ORIGIN, withheld: 'Message unavailable' };
  const { signal } = new AbortController();
  const file = await writeFile(api, { ...options, signal, onProgress: () => {}, onFailure: () => {} });
  return (await file?.text()) ?? '';
}

/** Saved messages of every kind, in more than two pages. */
async function reader() {
  const [aki, ben] = await people(app, 2);
  await writeSavedMessages(app.dynamo, goneEntries(ben.id, 240));
  const roomId = await roomOf(aki, [ben], { name: 'Café <b> & "co"' });
  const left = await roomOf(aki, [ben]);
  const { openDirectRoom } = await aki.do(OpenDirectRoom, { userIds: [globalId(ben)] });
  const save = (messageId: string, rest: object = {}) =>
    ben.do(SaveMessage, { input: { messageId, ...rest } });
  const direct = await say(aki, openDirectRoom.room.id, `@${ben.handle} see https://example.com/?a=1&b="2"`);
  const remindAt = new Date(Date.now() + 3_600_000);
  await save(direct.id, { remindAt, tags: ['Rice, beans', '<i>', 'ごはん'] });
  const long = await say(aki, roomId, `${'long\u2028'.repeat(300)}end`);
  await save(long.id, {
    visibility: 'PUBLIC',
    note: 'one\ntwo three\u2028four\u2029"five" <six> & seven',
  });
  const deleted = await say(aki, roomId, 'Deleted');
  await save(deleted.id);
  await aki.do(DeleteMessage, { messageId: deleted.id });
  const unseen = await say(aki, left, 'Not for those who left');
  await save(unseen.id, { note: 'Why I kept it' });
  await ben.do(LeaveRoom, { roomId: left });
  return { aki, ben, roomId, saved: { direct, long, deleted, unseen } };
}

describe('exportSaved', () => {
  test('has what the web client has in its file, in each format', async () => {
    const { ben } = await reader();
    for (const format of FORMATS) expect(await fileOf(ben, format)).toBe(await webFileOf(ben, format));
  });

  test('has every saved message with what its user knows of it, newest first', async () => {
    const { ben, saved } = await reader();
    const lines = await linesOf(ben);
    expect(lines).toHaveLength(244);
    const [unseen, deleted, long, direct, gone] = lines;
    expect(unseen).toMatchObject({ note: 'Why I kept it', url: null, message: null });
    expect(deleted.message).toMatchObject({ id: saved.deleted.id, body: null });
    expect(long).toMatchObject({ visibility: 'PUBLIC', remindAt: null, tags: [] });
    expect(long.note).toBe('one\ntwo three\u2028four\u2029"five" <six> & seven');
    expect(long.message).toMatchObject({ body: `${'long\u2028'.repeat(300)}end` });
    expect(direct).toMatchObject({ visibility: 'PRIVATE', tags: ['Rice, beans', '<i>', 'ごはん'] });
    expect(direct.message.body).toContain(`@${ben.handle} see`);
    expect(gone).toMatchObject({ message: null, tags: expect.arrayContaining(['common']) });
    const times = lines.map(({ savedAt }) => Date.parse(savedAt));
    expect(times).toEqual(times.toSorted((one, two) => two - one));
  });

  test('no text of a user ends a line, a tag or an attribute', async () => {
    const { ben } = await reader();
    expect((await fileOf(ben, 'jsonl')).split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(244 + 1);
    const html = await fileOf(ben, 'html');
    const BOOKMARK = /^<DT><A HREF="[^"<>]+" ADD_DATE="\d+" PRIVATE="[01]"(?: TAGS="[^"<>]+")?>[^<>]*<\/A>$/;
    const lines = html.split(/[\n\r\u0085\u2028\u2029]/).slice(5, -2);
    const [bookmarks, notes] = [
      lines.filter((line) => line.startsWith('<DT>')),
      lines.filter((line) => !line.startsWith('<DT>')),
    ];
    expect(bookmarks).toHaveLength(244);
    for (const line of bookmarks) expect(line).toMatch(BOOKMARK);
    expect(notes).toEqual([
      '<DD>Why I kept it',
      '<DD>one two three four &quot;five&quot; &lt;six&gt; &amp; seven',
    ]);
    expect(html).toContain('TAGS="Rice， beans,&lt;i&gt;,ごはん"');
    expect(html.endsWith('</DL><p>\n')).toBe(true);
  });

  test('has nothing of anyone else, also of the same message', async () => {
    const { aki, ben, saved } = await reader();
    const input = { messageId: saved.long.id, note: 'Of the author', tags: ['mine'] };
    await aki.do(SaveMessage, { input });
    expect(await linesOf(aki)).toEqual([
      expect.objectContaining({ note: 'Of the author', tags: ['mine'], visibility: 'PRIVATE' }),
    ]);
    expect(await fileOf(ben, 'jsonl')).not.toContain('Of the author');
  });

  test('reads a page when it is asked for, and says how far it is', async () => {
    const { ben } = await reader();
    let queries = 0;
    const dynamo: Dynamo = {
      ...app.dynamo,
      query: (...args) => {
        queries++;
        return app.dynamo.query(...args);
      },
    };
    const counts: number[] = [];
    const found = await exportSaved(ben.id, {
      dynamo,
      format: 'jsonl',
      origin: ORIGIN,
      onSaved: (count) => void counts.push(count),
    });
    expect(found?.total).toBe(244);
    const text = found?.text();
    // What begins the file, and a page: those that others see, and those that they do not.
    for (const [asked, wanted] of [0, 2, 4, 6].entries()) {
      await text?.next();
      expect([asked, queries]).toEqual([asked, wanted]);
    }
    for await (const _ of text ?? []);
    expect([queries, counts]).toEqual([6, [100, 100, 44]]);
  });

  test('is null for a user who does not exist, and empty for one who has saved nothing', async () => {
    const [aki] = await people(app, 1);
    expect(await fileOf(aki, 'jsonl')).toBe('');
    const options = { dynamo: app.dynamo, format: 'html', origin: ORIGIN } as const;
    expect(await exportSaved('unknown', options)).toBeNull();
  });
});
