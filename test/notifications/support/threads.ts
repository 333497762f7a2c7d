import { createItemLoader } from '../../../src/dynamo/itemLoader.ts';
import { type Key, keyOf, parseKey } from '../../../src/dynamo/keys.ts';
import type { TestSystem, TestUser } from './testSystem.ts';

const PAGE = 2;

/** The roots of the threads in a user's list, by their `threadTs`. Reads all pages. */
export async function listed(
  { services, dynamo }: TestSystem,
  { id }: TestUser,
  { unreadOnly = false } = {},
): Promise<string[]> {
  const found: string[] = [];
  let from: string | undefined;
  for (;;) {
    const page = { limit: PAGE, from, unreadOnly };
    const { nodes, more, end } = await services.followedThreads.list(id, page, createItemLoader(dynamo));
    found.push(...nodes.map(({ root }) => root.threadTs));
    if (!more || end === undefined) return found;
    from = end;
  }
}

/** The entries of all users that the table has, as text, with the newest reply. */
export async function entriesOf({ dynamo }: TestSystem, room: string): Promise<string[]> {
  return (await entryKeysOf(dynamo, room)).map(({ user, threadTs, newestReply }) =>
    [user, threadTs, newestReply].join(' '),
  );
}

export async function entryKeysOf(dynamo: TestSystem['dynamo'], room: string) {
  const found: Array<{ key: Key; user: string; threadTs: string; newestReply: string }> = [];
  for await (const item of dynamo.scan({})) {
    const key = parseKey(keyOf(item));
    if (key.type !== 'followedThread' || key.room !== room) continue;
    const { user, threadTs } = key;
    found.push({ key: keyOf(item), user, threadTs, newestReply: String(item.newestReply) });
  }
  return found;
}
