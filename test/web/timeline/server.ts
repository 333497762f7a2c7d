import type { Api } from '../../../web/src/api/api.ts';
import { ApiError } from '../../../web/src/api/errors.ts';
import {
  FirstUnreadDocument,
  MessagesAgainDocument,
  OpenRoomDocument,
  OpenThreadDocument,
  RoomPageDocument,
} from '../../../web/src/generated/graphql.ts';
import type { Message } from '../../../web/src/timeline/message.ts';
import type { RoomLogOptions } from '../../../web/src/timeline/roomLog.ts';

type Listening = Parameters<Api['connection']['listen']>[0];
type Page = Partial<Record<'first' | 'last', number> & Record<'after' | 'before' | 'around', string>>;

/** The author of all messages that the viewer did not write. */
const somebody = { __typename: 'User', id: 'ben', handle: 'ben', displayName: 'Ben' } as const;

/** A subscription that missed more events than this receives ResyncRequired. */
const REPLAYED = 40;

/**
 * A room with the public API, in memory. The result of a request is read at once, and the test decides when the
 * response arrives, as on a slow network.
 */
export function createServer(messages: number) {
  const roots: Message[] = [];
  const replies: Message[] = [];
  const events: { readonly __typename: 'MessageAdded' | 'MessageChanged'; readonly message: Message }[] = [];
  const answers: { readonly deliver: () => void; readonly fail: () => void }[] = [];
  let listening: { readonly to: Listening; told: number; readonly missed: number } | undefined;
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
      ...{ id, root, createdAt },
      version: 1,
      position: null,
      body: id,
      author: somebody,
    } as unknown as Message;
    let place = list.length;
    while (place > 0 && (list[place - 1]?.createdAt ?? '') > createdAt) place--;
    list.splice(place, 0, message);
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

  function tell(event: object, cursor: number): void {
    listening?.to.next({ roomEvents: { ...event, cursor: String(cursor) } } as never);
  }

  function changed(list: Message[], at: number): Message {
    const before = list[at];
    if (before === undefined) throw new ApiError('NOT_FOUND');
    const message = { ...before, version: before.version + 1 };
    list[at] = message;
    events.push({ __typename: 'MessageChanged', message });
    return message;
  }

  /** Starts the subscription from the client's cursor. */
  function connect(to: Listening): void {
    to.opening?.();
    const { after } = to.variables() as { readonly after?: string };
    listening = { to, told: Number(after ?? events.length), missed: events.length };
    if (events.length - listening.told > REPLAYED) {
      listening.told = events.length;
      tell({ __typename: 'ResyncRequired' }, events.length);
    }
    sync();
  }

  /** Sends Synced once all missed events were sent. */
  function sync(): void {
    if (listening !== undefined && listening.told === listening.missed) {
      tell({ __typename: 'Synced' }, listening.told);
    }
  }

  let client: Listening | undefined;
  /** Reads now and delivers later. */
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
    fetch: (document: unknown, variables: Page) => later(() => answerTo(document, variables)),
    connection: {
      gate: { wait: () => Promise.resolve() },
      listen(to: Listening) {
        client = to;
        connect(to);
        return () => {
          listening = undefined;
        };
      },
    },
  } as unknown as RoomLogOptions['api'];

  return {
    api,
    roots: roots as readonly Message[],
    replies: replies as readonly Message[],
    thread: thread(),
    /** Another user writes messages. A server whose clock is `minutesBehind` gives them an earlier time. */
    say(where: 'roots' | 'replies', howMany: number, minutesBehind = 0) {
      for (let said = 0; said < howMany; said++) {
        const list = where === 'roots' ? roots : replies;
        events.push({ __typename: 'MessageAdded', message: add(list, count, minutesBehind) });
      }
    },
    change(where: 'roots' | 'replies', index: number) {
      const list = where === 'roots' ? roots : replies;
      changed(list, index % list.length);
    },
    /** The viewer changes a message. The server does it at once, and its response arrives later. */
    changeAs(id: string): Promise<Message> {
      const list = listOf(id);
      return later(() =>
        changed(
          list,
          list.findIndex((message) => message.id === id),
        ),
      );
    },
    /** Delivers the next events. */
    tellNext(howMany: number) {
      for (let told = 0; told < howMany && listening !== undefined; told++) {
        const event = events[listening.told];
        if (event === undefined) return;
        tell(event, ++listening.told);
        sync();
      }
    },
    /** Sets the number of typing users. */
    type(howMany: number) {
      tell({ __typename: 'TypingChanged', users: Array(howMany).fill(somebody) }, events.length);
    },
    loseConnection() {
      listening = undefined;
    },
    reconnect() {
      if (listening === undefined && client !== undefined) connect(client);
    },
    /** Delivers one of the responses in flight, or loses it. Resolves to false if there was none. */
    async answer(which: number, isLost = false) {
      const [answer] = answers.length === 0 ? [] : answers.splice(which % answers.length, 1);
      if (isLost) answer?.fail();
      else answer?.deliver();
      // The code that awaits it needs several microtasks.
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return answer !== undefined;
    },
  };
}

export type Server = ReturnType<typeof createServer>;
