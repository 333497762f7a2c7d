import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { MessageKey } from '../../messages/message.ts';
import { NOT_DELETED } from '../../users/user.ts';
import type { Subject } from '../notification.ts';
import type { Activity } from './activity.ts';
import { followOf, followUpdate } from './following.ts';

/** A reply, as far as the followers of its thread are notified of it. */
export interface Reply extends MessageKey {
  readonly author: string;
  /** The users that it mentions. They are notified of the mention, and not of the reply. */
  readonly mentions: readonly string[];
  /** The reply that it answers, by its `ts`, whose author is notified even if they do not follow the thread. */
  readonly inReplyTo?: Timestamp;
  /** It is read after an edit, so `mentions` lacks users that it mentioned at first. */
  readonly edited?: boolean;
}

/** At most this many followers are notified of a reply at once. A job notifies the others. */
const AT_ONCE = 50;

export interface Recipients {
  readonly activities: readonly Activity[];
  /** Those of them who follow the thread, also the author of the reply and the users that it mentions. */
  readonly followers: readonly string[];
  /** The cursor of the next recipients; null if these were all. */
  readonly next: string | null;
}

/** Looks up the followers of a thread, and makes users who reply follow it. */
export function createFollowers({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * The first recipients of a reply: also the author of the reply that it answers. From this reply on, its author and
   * the users that it mentions follow the thread, unless they chose otherwise later. Two parallel reads, and a write
   * for each user who did not follow yet. A third read if the reply was edited.
   */
  async function followersOf(reply: Reply): Promise<Recipients> {
    const { room, threadTs, author, mentions, inReplyTo } = reply;
    const users = [...new Set([author, ...mentions])];
    const [[root, answered, ...items], page] = await Promise.all([
      dynamo.batchGet([
        keys.root(room, threadTs),
        // The root stands in for it if there is none: a key may be named twice, and is read once.
        keys.message(room, threadTs, inReplyTo ?? threadTs),
        ...users.map((user) => keys.follow(room, threadTs, user)),
      ]),
      readPage(reply, null),
    ]);
    const rootAuthor = root?.author as string | undefined;
    const known = new Map(users.map((user, i) => [user, items[i]]));
    const started = await Promise.all(
      users.map((user) => startFollowing(reply, user, known.get(user), user === rootAuthor)),
    );
    const more: string[] = [];
    if (rootAuthor !== undefined) {
      const hasRecord = page.next === null ? page.users.has(rootAuthor) : await hasFollow(reply, rootAuthor);
      if (!hasRecord) more.push(rootAuthor);
    }
    const followers = new Set([...users.filter((_, i) => started[i]), ...more, ...page.followers]);
    if (inReplyTo !== undefined && answered !== undefined) more.push(answered.author as string);
    const activities = await activitiesOf(reply, [...new Set([...more, ...page.notified])]);
    return { activities, followers: [...followers], next: page.next };
  }

  /** The next recipients of a reply. One read, and a second if it was edited. */
  async function nextFollowersOf(reply: Reply, cursor: string): Promise<Recipients> {
    const { notified, followers, next } = await readPage(reply, cursor);
    return { activities: await activitiesOf(reply, notified), followers, next };
  }

  /** For everyone but the author, and those who are notified of a mention in the reply. */
  async function activitiesOf(reply: Reply, notified: readonly string[]): Promise<Activity[]> {
    const { room, threadTs, ts, author, mentions } = reply;
    const others = notified.filter((user) => user !== author && !mentions.includes(user));
    const earlier = reply.edited === true ? await mentionedEarlier(reply, others) : new Set<string>();
    const users = others.filter((user) => !earlier.has(user));
    return users.map((user) => ({
      user,
      kind: 'REPLY',
      room,
      threadTs,
      ts: threadTs,
      actor: author,
      op: 'added',
      at: ts,
      sequence: ts,
    }));
  }

  /**
   * Those of the users who were notified of a mention in the reply. What is stored of it outlasts its removal by an
   * edit.
   */
  async function mentionedEarlier(
    { room, threadTs, ts, author }: Reply,
    users: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const mention: Subject = { kind: 'MENTION', room, threadTs, ts };
    const records = await dynamo.batchGet(users.map((user) => keys.notified(user, mention, author)));
    return new Set(users.filter((_, i) => records[i] !== undefined));
  }

  interface FollowsPage {
    /** The users who have a follow record, whether or not they follow. */
    readonly users: ReadonlySet<string>;
    /** Those who follow. */
    readonly followers: readonly string[];
    /** Those who followed when the reply was written and still do. */
    readonly notified: readonly string[];
    readonly next: string | null;
  }

  async function readPage({ room, threadTs, ts }: Reply, cursor: string | null): Promise<FollowsPage> {
    const after = cursor === null ? {} : { after: cursor };
    const { items, more } = await dynamo.query(ranges.follows(room, threadTs), { limit: AT_ONCE, ...after });
    const follows = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'follow' ? [{ user: key.user, ...followOf(item) }] : [];
    });
    return {
      users: new Set(follows.map(({ user }) => user)),
      followers: follows.filter(({ following }) => following).map(({ user }) => user),
      notified: follows.filter(({ since }) => since !== null && since < ts).map(({ user }) => user),
      next: more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null,
    };
  }

  /** Resolves to whether the user follows the thread. */
  async function startFollowing(
    { room, threadTs, ts }: Reply,
    user: string,
    item: Item | undefined,
    isRootAuthor: boolean,
  ): Promise<boolean> {
    const known = item === undefined ? null : followOf(item);
    if (known === null ? isRootAuthor : known.following) return true;
    if (known !== null && known.at >= ts) return false;
    const update = followUpdate({ room, threadTs, user, following: true, at: ts });
    const unlessChanged = 'attribute_not_exists(pk) OR (attribute_not_exists(since) AND #at < :at)';
    const failed = await dynamo.tryTransact({
      follow: { ...update, condition: unlessChanged },
      // A late reply must not leave anything in a room that was deleted.
      root: { check: keys.root(room, threadTs), condition: 'attribute_exists(pk)' },
      // Nor may it bring back what the job of a deleted account has removed.
      account: { check: keys.user(user), condition: NOT_DELETED },
    });
    return failed === undefined;
  }

  const hasFollow = async ({ room, threadTs }: Reply, user: string): Promise<boolean> =>
    (await dynamo.get(keys.follow(room, threadTs, user))) !== undefined;

  return { followersOf, nextFollowersOf };
}
