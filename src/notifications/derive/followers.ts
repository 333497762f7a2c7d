import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionFailed } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { Activity } from './act.ts';
import { followOf, followUpdate } from './follow.ts';

/** A reply as those who follow its thread are told of it. */
export interface Reply {
  readonly room: string;
  readonly t: Timestamp;
  readonly c: Timestamp;
  readonly author: string;
  /** They are told of the mention instead. */
  readonly mentions: readonly string[];
}

/** So many followers are told of a reply at once; the rest by a job. */
const AT_ONCE = 50;

export interface Audience {
  readonly acts: readonly Activity[];
  /** Where the next of them begin; null: these were all. */
  readonly next: string | null;
}

/** Who hears of a thread's replies, and begins to by replying. */
export function createFollowers({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * Has those follow who reply or are mentioned, from there on, unless they have said otherwise since; resolves
   * to the first ones to tell. Two reads side by side, and a write for each who did not follow yet.
   */
  async function hear(reply: Reply): Promise<Audience> {
    const { room, t, author, mentions } = reply;
    const people = [...new Set([author, ...mentions])];
    const [[root, ...items], page] = await Promise.all([
      dynamo.batchGet([keys.root(room, t), ...people.map((user) => keys.follow(room, t, user))]),
      readPage(reply, null),
    ]);
    const rootAuthor = root?.author as string | undefined;
    const known = new Map(people.map((user, i) => [user, items[i]]));
    await Promise.all(people.map((user) => begin(reply, user, known.get(user), user === rootAuthor)));
    if (rootAuthor === undefined) return audience(reply, page);
    const mine = page.next === null ? page.asked.has(rootAuthor) : await hasSaid(reply, rootAuthor);
    return audience(reply, mine ? page : { ...page, told: [rootAuthor, ...page.told] });
  }

  /** The next ones to tell of a reply. One read. */
  async function more(reply: Reply, from: string): Promise<Audience> {
    return audience(reply, await readPage(reply, from));
  }

  interface FollowsPage {
    /** Those who say anything of following. */
    readonly asked: ReadonlySet<string>;
    /** Of these who followed when the reply was written, and do so still. */
    readonly told: readonly string[];
    readonly next: string | null;
  }

  async function readPage({ room, t, c }: Reply, from: string | null): Promise<FollowsPage> {
    const after = from === null ? {} : { after: from };
    const { items, more: isMore } = await dynamo.query(ranges.follows(room, t), { limit: AT_ONCE, ...after });
    const follows = items.flatMap((item) => {
      const key = parseKey(item as Item & Key);
      return key.type === 'follow' ? [{ user: key.user, ...followOf(item) }] : [];
    });
    return {
      asked: new Set(follows.map(({ user }) => user)),
      told: follows.filter(({ since }) => since !== null && since < c).map(({ user }) => user),
      next: isMore ? ((items.at(-1)?.sk as string | undefined) ?? null) : null,
    };
  }

  async function begin({ room, t, c }: Reply, user: string, item: Item | undefined, isRoots: boolean) {
    const known = item === undefined ? null : followOf(item);
    if (known === null ? isRoots : known.following || known.at >= c) return;
    const { key, ...update } = followUpdate({ room, t, user, following: true, at: c });
    const unlessSince = 'attribute_not_exists(pk) OR (attribute_not_exists(since) AND #at < :at)';
    try {
      await dynamo.update(key, { ...update, condition: unlessSince });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  const hasSaid = async ({ room, t }: Reply, user: string): Promise<boolean> =>
    (await dynamo.get(keys.follow(room, t, user))) !== undefined;

  return { hear, more };
}

function audience(
  { room, t, c, author, mentions }: Reply,
  page: { told: readonly string[]; next: string | null },
) {
  const others = page.told.filter((user) => user !== author && !mentions.includes(user));
  const acts = others.map(
    (user): Activity => ({
      user,
      kind: 'REPLY',
      room,
      t,
      c: t,
      actor: author,
      deed: 'given',
      at: c,
      number: c,
    }),
  );
  return { acts, next: page.next };
}
