import { expect, test } from 'vitest';
import { ApiError } from '../../../web/src/api/errors.ts';
import { writeFile } from '../../../web/src/saved/file.ts';

const entry = (i: number, note: string | null) => ({
  id: `s${i}`,
  version: 1,
  visibility: 'PUBLIC',
  note,
  tags: [],
  remindAt: null,
  message: null,
  savedAt: new Date(i * 1_000).toISOString(),
});

/** A server with this many pages of two. */
function api(pages: number, { note = null as string | null, onRead = (_page: number) => {} } = {}) {
  let reads = 0;
  return {
    connection: { backoff: { wait: async () => {} } },
    async queryUncached() {
      const page = reads;
      onRead(page);
      reads++;
      const nodes = [entry(2 * page + 1, note), entry(2 * page + 2, note)];
      const pageInfo = { hasNextPage: page < pages - 1, endCursor: String(page) };
      return { viewer: { savedMessages: { edges: nodes.map((node) => ({ node })), pageInfo } } };
    },
  } as unknown as Parameters<typeof writeFile>[0];
}

const options = { origin: 'https://chat.example', withheld: 'Gone', onFailure: () => {} };

test('a file has every page, and says how far it is', async () => {
  const progress: number[] = [];
  const { signal } = new AbortController();
  const onProgress = (done: number) => void progress.push(done);
  const file = await writeFile(api(3), { ...options, format: 'html', signal, onProgress });
  expect(progress).toEqual([2, 4, 6]);
  expect(file?.type).toBe('text/html;charset=utf-8');
  const text = (await file?.text()) ?? '';
  expect(text.match(/<DT>/g)).toHaveLength(6);
  expect(text).toContain('<DT><A HREF="https://chat.example/saved" ADD_DATE="1" PRIVATE="0">Gone</A>\n');
});

test('a page that fails is read again, and each failure is said', async () => {
  const said: string[] = [];
  let failures = 0;
  const read = api(3, {
    onRead(page) {
      if (page === 1 && failures++ === 0) throw new ApiError('UNAVAILABLE');
    },
  });
  const { signal } = new AbortController();
  const file = await writeFile(read, {
    ...options,
    format: 'html',
    signal,
    onProgress: (done) => said.push(`${done}`),
    onFailure: ({ code }) => said.push(code),
  });
  expect(said).toEqual(['2', 'UNAVAILABLE', '4', '6']);
  expect((await file?.text())?.match(/<DT>/g)).toHaveLength(6);
});

test('no text of a user ends a line or a tag', async () => {
  const separators = '\n\r\u0085\u2028\u2029';
  const note = `a${separators}b<"&>`;
  const { signal } = new AbortController();
  const write = async (format: 'jsonl' | 'html') => {
    const file = await writeFile(api(1, { note }), { ...options, format, signal, onProgress: () => {} });
    return (await file?.text()) ?? '';
  };
  const lines = (await write('jsonl')).split(/[\n\r\u0085\u2028\u2029]/);
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ note });
  expect(await write('html')).toContain('\n<DD>a b&lt;&quot;&amp;&gt;\n');
});

test('an aborted one reads no further page', async () => {
  const controller = new AbortController();
  let reads = 0;
  const read = api(1_000, {
    onRead() {
      reads++;
      if (reads === 3) controller.abort();
    },
  });
  const { signal } = controller;
  const file = await writeFile(read, { ...options, format: 'jsonl', signal, onProgress: () => {} });
  expect(file).toBeUndefined();
  expect(reads).toBe(3);
});
