/**
 * What the bells say, compared with what users did. No user reads a notification, so each has everything since the
 * beginning.
 */
import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import { ranges } from '../../../../src/dynamo/keys.ts';
import { messageKey } from '../../../support/clients/people.ts';
import { itemsIn } from '../../../support/database/table.ts';
import { differs, listDiffers, type Message, type Room } from './differs.ts';
import type { Told } from './told.ts';

/** A notification, as it is stored. */
export interface Notified {
  readonly id: string;
  readonly kind: string;
  /** The timestamp of the message that it is about; of a thread, that of its root. */
  readonly ts: string;
  readonly count: number;
  /** The ids of the users that it names: all of them, because there are so few. */
  readonly actors: readonly string[];
  /** When it changed. */
  readonly at: string;
}

export const notificationsOf = async (dynamo: Dynamo, { id: user }: Told): Promise<Notified[]> =>
  (await itemsIn(dynamo, ranges.notifications(user))).map(({ sk, kind, c, count, actors, updatedAt }) => ({
    id: String(sk).split('#').at(-1) ?? '',
    kind: String(kind),
    ts: String(c),
    count: Number(count),
    at: String(updatedAt),
    actors: (actors as ReadonlyArray<{ readonly user: string }>).map((one) => one.user).sort(),
  }));

export interface WrongOptions {
  readonly room: Room;
  /** Those who do something. */
  readonly users: readonly Told[];
  readonly notified: readonly Notified[];
}

/** Whether messages that have mentioned, liked, stamped and replied are what a user was notified of, each once. */
export function wrongNotifications(user: Told, { room, users, notified }: WrongOptions): string[] {
  const messages = Object.values(room.messages);
  const own = messages.filter(({ author }) => author.handle === user.handle);
  const others = users.filter((one) => one !== user);
  const by = (of: (one: Told) => ReadonlySet<string>) =>
    own.map(({ id }) =>
      lineOf(
        id,
        others.flatMap((one) => (of(one).has(id) ? [one.id] : [])),
      ),
    );
  const expected = {
    LIKE: by(({ liked }) => liked),
    STAMP: by(({ stamped }) => stamped),
    MENTION: messages
      .filter(isMentioned(user))
      .map((one) => lineOf(one.id, [authorOf(one, users)?.id ?? ''])),
  };
  const counted = notified.filter(({ count, actors }) => count !== actors.length);
  return [
    ...counted.map((one) => `${user.handle} has a wrong number: ${JSON.stringify(one)}`),
    ...Object.entries(expected).flatMap(([kind, lines]) =>
      listDiffers(
        `${kind} notifications of ${user.handle}`,
        notified.flatMap((one) => (one.kind === kind ? [`${one.ts} ${one.actors.join()}`] : [])),
        lines.filter((line) => !line.endsWith(' ')),
      ),
    ),
    ...wrongReplies(user, { room, users, notified }),
  ];
}

const lineOf = (id: string, actors: readonly string[]): string =>
  `${messageKey(id).ts} ${[...actors].sort().join()}`;

const isMentioned =
  ({ handle }: Told) =>
  ({ mentions }: Message): boolean =>
    mentions.some((one) => one.handle === handle);

const authorOf = ({ author }: Message, users: readonly Told[]): Told | undefined =>
  users.find(({ handle }) => handle === author.handle);

/**
 * Replies notify the root's author, and those who have replied or were mentioned in a reply before. If two replies were
 * sent at the same time, either may have been first. A reply that mentions someone notifies them of the mention alone.
 */
function wrongReplies(user: Told, { room, users, notified }: WrongOptions): string[] {
  const replies = Object.values(room.messages).flatMap((message) => {
    const author = authorOf(message, users);
    const sent = author?.replied.get(message.id);
    return message.root === null || author === undefined || sent === undefined
      ? []
      : [{ message, root: message.root.id, author, sent }];
  });
  const roots = new Set(replies.map(({ root }) => root));
  const found = new Map(notified.flatMap((one) => (one.kind === 'REPLY' ? [[one.ts, one] as const] : [])));
  const times = notified.filter(({ kind }) => kind === 'REPLY').length;
  const wrong = [...roots].flatMap((root) => {
    const inThread = replies.filter((one) => one.root === root);
    const isRootAuthor = room.messages[root]?.author.handle === user.handle;
    const began = inThread.filter(({ author, message }) => author === user || isMentioned(user)(message));
    const news = inThread.filter(({ author, message }) => author !== user && !isMentioned(user)(message));
    const must = news.filter(({ sent }) => isRootAuthor || began.some((one) => one.sent.until < sent.from));
    const may = news.filter(({ sent }) => isRootAuthor || began.some((one) => one.sent.from < sent.until));
    const { actors = [] } = found.get(messageKey(root).ts) ?? {};
    return [
      ...must
        .filter(({ author }) => !actors.includes(author.id))
        .map(({ message }) => `not of ${message.id}`),
      ...actors
        .filter((id) => !may.some(({ author }) => author.id === id))
        .map((id) => `of ${id} in ${root}`),
    ];
  });
  return [
    ...wrong.map((what) => `${user.handle} is notified of replies: ${what}`),
    ...differs(`threads of which ${user.handle} is notified once`, times, found.size),
    ...[...found.keys()]
      .filter((ts) => ![...roots].some((root) => messageKey(root).ts === ts))
      .map((ts) => `${user.handle} is notified of replies to ${ts}, which has none`),
  ];
}
