import type { Api } from '../../../web/src/api/api.ts';
import { ApiError } from '../../../web/src/api/errors.ts';
import {
  FirstUnreadDocument,
  MessagesAgainDocument,
  OpenRoomDocument,
  OpenThreadDocument,
  RoomPageDocument,
} from '../../../web/src/generated/graphql.ts';
import type { Cause, Message, SharedMessage } from '../../../web/src/timeline/message.ts';
import type { RoomStoreOptions } from '../../../web/src/timeline/roomStore.ts';

type ServerEvent =
  | { readonly __typename: 'MessageAdded'; readonly message: SharedMessage }
  | { readonly __typename: 'MessageChanged'; readonly message: SharedMessage; readonly cause: Cause | null };

const shared = ({ viewerHasLiked: _, ...message }: Message): SharedMessage => message;

type Subscription = Parameters<Api['connection']['subscribe']>[0];
type Page = Partial<Record<'first' | 'last', number> & Record<'after' | 'before' | 'around', string>>;

/** The author of all messages except the viewer's. */
const ben = { __typename: 'User', id: 'ben', handle: 'ben', displayName: 'Ben' } as const;

const causeOf = (kind: Cause['kind'], id: string): Cause => ({ kind, actor: { id }, stamp: null });

interface ServerLike {
  readonly by: 'aki' | 'ben';
  /** The event has no cause. */
  readonly isCombined: boolean;
}

/** After more missed events than this, a subscription receives `ResyncRequired`. */
const REPLAYED = 40;

/**
 * A room of the public API, in memory. The test delivers its answers: each is read when it is requested, and arrives
 * any time later, as on a slow network.
 */
export function createServer(messages: number) {
  const roots: Message[] = [];
  const replies: Message[] = [];
  const events: ServerEvent[] = [];
  const answers: { readonly deliver: () => void; readonly fail: () => void }[] = [];
  let subscriber: { readonly to: Subscription; sent: number; readonly missed: number } | undefined;
  let count = 0;

  const listOf = (id: string) => (id.startsWith('reply') ? replies : roots);
  const add = (list: Message[], at: number, minutesAgo = 0) => {
    const isRoot = list === roots;
    const id = `${isRoot ? 'root' : 'reply'} ${++count}`;
    const root = isRoot ? null : { __typename: 'Message' as const, id: thread() };
    const createdAt = new Date(Date.UTC(2026, 0, 1) + at * 60_000 - minutesAgo * 60_000)
      .toISOString()
      .replace('Z', `${String(count % 1000).padStart(3, '0')}Z`);
    const message = {
      __typename: 'Message',
      id,
      root,
      createdAt,
      version: 1,
      position: null,
      body: id,
      author: ben,
      likeCount: 0,
      viewerHasLiked: false,
      stampCounts: [],
    } as unknown as Message;
    let index = list.length;
    while (index > 0 && (list[index - 1]?.createdAt ?? '') > createdAt) index--;
    list.splice(index, 0, message);
    return message;
  };
  const thread = () => 'root 1';
  for (let at = 0; at < messages; at++) add(roots, at);
  for (let at = 0; at < messages; at++) add(replies, at);

  function pageOf(list: readonly Message[], { first = 50, last, after, before, around }: Page) {
    const indexOf = (id: string) => list.findIndex((message) => message.id === id);
    let [from, to] = [Math.max(0, list.length - (last ?? 50)), list.length];
    if (after !== undefined) [from, to] = [indexOf(after) + 1, indexOf(after) + 1 + first];
    if (before !== undefined) [from, to] = [Math.max(0, indexOf(before) - (last ?? 50)), indexOf(before)];
    if (around !== undefined) {
      if (indexOf(around) === -1) throw new ApiError('BAD_USER_INPUT');
      from = Math.max(0, Math.min(indexOf(around) - 25, list.length - first));
      to = from + first;
    }
    const nodes = list.slice(from, to);
    return {
      edges: nodes.map((node) => ({ cursor: node.id, node })),
      pageInfo: { hasPreviousPage: from > 0, hasNextPage: to < list.length },
    };
  }

  function answerTo(
    document: unknown,
    variables: Page & { readonly id?: string; readonly ids?: readonly string[] },
  ) {
    switch (document) {
      case OpenRoomDocument:
        return {
          room: {
            eventsCursor: String(events.length),
            explainUnread: [],
            messages: pageOf(roots, variables),
            newest: pageOf(roots, { last: 10 }),
          },
        };
      case FirstUnreadDocument:
        return { room: { explainUnread: roots.slice(-1) } };
      case RoomPageDocument:
        return { room: { messages: pageOf(roots, variables) } };
      case OpenThreadDocument:
        return {
          node: { ...roots.find(({ id }) => id === variables.id), replies: pageOf(replies, variables) },
        };
      case MessagesAgainDocument:
        return { nodes: variables.ids?.map((id) => listOf(id).find((message) => message.id === id)) };
      default:
        throw new Error('Unexpected document.');
    }
  }

  function send(event: object, cursor: number): void {
    subscriber?.to.next({ roomEvents: { ...event, cursor: String(cursor) } } as never);
  }

  interface ServerChange {
    readonly fields?: Partial<Message>;
    readonly cause: Cause | null;
  }

  function changed(list: Message[], at: number, { fields = {}, cause }: ServerChange): Message {
    const before = list[at];
    if (before === undefined) throw new ApiError('NOT_FOUND');
    const message = { ...before, ...fields, version: before.version + 1 };
    list[at] = message;
    events.push({ __typename: 'MessageChanged', message: shared(message), cause });
    return message;
  }

  /** Begins the subscription at the client's cursor. */
  function connect(to: Subscription): void {
    to.onOpening?.();
    const { after } = to.variables() as { readonly after?: string };
    subscriber = { to, sent: Number(after ?? events.length), missed: events.length };
    if (events.length - subscriber.sent > REPLAYED) {
      subscriber.sent = events.length;
      send({ __typename: 'ResyncRequired' }, events.length);
    }
    sync();
  }

  /** Sends `Synced` once all missed events were sent. */
  function sync(): void {
    if (subscriber !== undefined && subscriber.sent === subscriber.missed) {
      send({ __typename: 'Synced' }, subscriber.sent);
    }
  }

  let client: Subscription | undefined;
  /** Reads now, and delivers later. */
  const later = <T>(read: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      let deliver: () => void;
      try {
        const answer = structuredClone(read());
        deliver = () => resolve(answer);
      } catch (error) {
        deliver = () => reject(error);
      }
      answers.push({ deliver, fail: () => reject(new ApiError('OFFLINE')) });
    });
  const api = {
    queryUncached: (document: unknown, variables: Page) => later(() => answerTo(document, variables)),
    connection: {
      backoff: { wait: () => Promise.resolve() },
      subscribe(to: Subscription) {
        client = to;
        connect(to);
        return () => {
          subscriber = undefined;
        };
      },
    },
  } as unknown as RoomStoreOptions['api'];

  return {
    api,
    roots: roots as readonly Message[],
    replies: replies as readonly Message[],
    thread: thread(),
    /** Adds messages, with an earlier time if they are from a server whose clock is slow. */
    add(where: 'roots' | 'replies', howMany: number, minutesBehind = 0) {
      for (let added = 0; added < howMany; added++) {
        const list = where === 'roots' ? roots : replies;
        events.push({ __typename: 'MessageAdded', message: shared(add(list, count, minutesBehind)) });
      }
    },
    change(where: 'roots' | 'replies', index: number) {
      const list = where === 'roots' ? roots : replies;
      changed(list, index % list.length, { cause: causeOf('EDITED', 'ben') });
    },
    /** A user likes a message, or takes the like back: the viewer on another device, or others. */
    like(where: 'roots' | 'replies', index: number, { by, isCombined }: ServerLike) {
      const list = where === 'roots' ? roots : replies;
      const at = index % list.length;
      const { likeCount = 0, viewerHasLiked = false } = list[at] ?? {};
      const isOn = by === 'aki' ? !viewerHasLiked : likeCount === (viewerHasLiked ? 1 : 0);
      const fields = {
        likeCount: likeCount + (isOn ? 1 : -1),
        ...(by === 'aki' ? { viewerHasLiked: isOn } : {}),
      };
      changed(list, at, { fields, cause: isCombined ? null : causeOf(isOn ? 'LIKED' : 'UNLIKED', by) });
    },
    /** The viewer changes a message. It is stored at once, and the answer is delivered later. */
    changeAs(id: string): Promise<Message> {
      const list = listOf(id);
      return later(() =>
        changed(
          list,
          list.findIndex((message) => message.id === id),
          { cause: causeOf('EDITED', 'aki') },
        ),
      );
    },
    /** Delivers the next events. */
    sendNext(howMany: number) {
      for (let sent = 0; sent < howMany && subscriber !== undefined; sent++) {
        const event = events[subscriber.sent];
        if (event === undefined) return;
        send(event, ++subscriber.sent);
        sync();
      }
    },
    /** Reports the number of users who are typing. */
    type(howMany: number) {
      send({ __typename: 'TypingChanged', users: Array(howMany).fill(ben) }, events.length);
    },
    /** Is replaced by a backup without the last roots, whose events are not known any more. */
    restore(without: number) {
      roots.splice(-without);
      events.length = 0;
      subscriber = undefined;
      client?.onRefused?.(new ApiError('BAD_USER_INPUT', { field: 'after' }));
    },
    loseConnection() {
      subscriber = undefined;
    },
    reconnect() {
      if (subscriber === undefined && client !== undefined) connect(client);
    },
    /** Delivers or drops one of the answers in flight. */
    async answer(which: number, isLost = false) {
      const [answer] = answers.length === 0 ? [] : answers.splice(which % answers.length, 1);
      if (isLost) answer?.fail();
      else answer?.deliver();
      // Several microtasks pass until the client has applied it.
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return answer !== undefined;
    },
  };
}

export type Server = ReturnType<typeof createServer>;
