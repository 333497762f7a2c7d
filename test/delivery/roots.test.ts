/** How many roots of a room are read to find those that are sent. */
import { expect, test } from 'vitest';
import { type Root, readRoots } from '../../src/delivery/rooms/roomNews.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { onDynamoDbLocal, openTestDynamo } from '../support/database/dynamo.ts';

type Looked = Record<'after' | 'read' | 'to' | 'people', number>;

/** A room whose roots these people wrote, in this order. */
async function openRoom(authors: readonly string[]) {
  const { dynamo, stop } = await openTestDynamo({ file: true });
  const items = authors.map((author, i) => {
    const ts = String(1_700_000_000_000_000 + i);
    const root = newMessage({ room: 'r', threadTs: ts, ts, author, body: 'Hello.', mentions: [] } as never);
    return { ...messageItem(root), position: i + 1 };
  });
  await bulkWrite({ dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
  let queries = 0;
  const counted: Pick<typeof dynamo, 'query'> = {
    query(...args) {
      queries++;
      return dynamo.query(...args);
    },
  };
  const last = authors.length;
  return {
    stop,
    /** The authors of what was found, whether there may be more, and how many queries it took. */
    async find(
      which: (root: Root) => boolean,
      { after = 0, read = 0, to = last, people = 50 }: Partial<Looked> = {},
    ) {
      queries = 0;
      const range = { room: 'r', after, to, lastPosition: last };
      const found = await readRoots(counted, range, { read, people, which: (some) => some.filter(which) });
      const authors = new Set(found.roots.map(({ author }) => author));
      return { people: [...authors], isMore: found.isMore, queries };
    },
  };
}

const many = (count: number, author: string) => Array.from({ length: count }, () => author);

test('readRoots: fifty are one query, and behind many others up to a thousand are read', async () => {
  const { find, stop } = await openRoom(['ben', ...many(500, 'chi'), 'aki', ...many(549, 'chi')]);
  const isNotChi = ({ author }: Root) => author !== 'chi';
  try {
    const all = { isMore: false };
    const cut = { isMore: true };
    expect(await find(() => true, { after: 1_001 })).toEqual({ ...all, people: ['chi'], queries: 1 });
    expect(await find(isNotChi, { after: 1_001 })).toEqual({ ...all, people: [], queries: 1 });
    // Not Ben: his is further back.
    expect(await find(isNotChi)).toEqual({ ...cut, people: ['aki'], queries: 20 });
    expect(await find(isNotChi, { after: 100 })).toEqual({ ...all, people: ['aki'], queries: 19 });
    expect(await find(() => true, { people: 2 })).toEqual({ ...cut, people: ['chi', 'aki'], queries: 11 });
    expect(await find(() => true, { people: 1, after: 1_001 })).toEqual({
      ...all,
      people: ['chi'],
      queries: 1,
    });
    // What was read does not matter once something is found.
    expect(await find(() => true, { read: 900 })).toEqual({ ...all, people: ['chi'], queries: 3 });
    expect(await find(isNotChi, { read: 900 })).toEqual({ ...all, people: ['aki'], queries: 11 });
    // A delivery that was decided before more than two hundred others are written is not found any more.
    expect(await find(() => true, { to: 850, people: 1 })).toEqual({ ...cut, people: ['chi'], queries: 4 });
    expect(await find(() => true, { to: 800 })).toEqual({ ...cut, people: [], queries: 4 });
  } finally {
    await stop();
  }
});
