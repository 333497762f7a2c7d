import { expect } from 'vitest';
import { type BadgeState, queryBadge } from '../support/badges.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { CreateRoom, JoinRoom, SendMessage, Thread, Timeline } from '../support/operations.ts';
import { clientAt } from './support.ts';

/** Who talks, and who only reads. */
const SENDERS = ['aki', 'ben', 'chie'] as const;
const READER = 'dana';
/** Of a person's messages every third replies to their last root. */
const REPLY_EVERY = 3;

export interface Sent {
  readonly id: string;
  readonly body: string;
  /** The root that was replied to; null on a root. */
  readonly root: string | null;
}

/** People who talk in one room while servers are killed under them, and remember what was acknowledged. */
export interface Conversation {
  readonly roomId: string;
  readonly acknowledged: readonly Sent[];
  /** Somebody who has never read anything. */
  reader(url: string): Promise<TestClient>;
  /**
   * Everybody sends, one message after the other, until `stop`; a message that is not acknowledged is
   * sent again, with the same idempotency key, for as long as it takes, at wherever the server then is.
   */
  talk(): { stop(): Promise<void> };
  /** Where the server is now. */
  moveTo(url: string): void;
  /** Resolves once so many more have been acknowledged. */
  more(count: number): Promise<void>;
  /** Holds the promises against what was acknowledged: everything there, once, counted, without gaps. */
  audit(): Promise<BadgeState>;
}

export async function startConversation(url: string): Promise<Conversation> {
  let at = url;
  const acknowledged: Sent[] = [];
  /** The codes of everything that was answered instead of a message. */
  const refusals = new Set<string>();
  const clients = new Map<string, Promise<TestClient>>();
  const owner = await clientAt(url, SENDERS[0]);
  const { createRoom } = await owner.do(CreateRoom, { input: { name: 'Room', visibility: 'PUBLIC' } });
  const roomId = createRoom.room.id;
  for (const handle of [...SENDERS.slice(1), READER]) {
    await (await clientAt(url, handle)).do(JoinRoom, { roomId });
  }

  async function keepSending(handle: string, round: string, going: () => boolean): Promise<void> {
    let root: string | null = null;
    for (let n = 1; going(); n++) {
      const body = `${handle} ${round} ${n}`;
      const replyTo: string | null = n % REPLY_EVERY === 0 ? root : null;
      const id = await insist(handle, { roomId, body, idempotencyKey: body, replyTo });
      acknowledged.push({ id, body, root: replyTo });
      if (replyTo === null) root = id;
    }
  }

  async function insist(
    handle: string,
    input: { roomId: string; body: string; replyTo: string | null; idempotencyKey: string },
  ) {
    return eventually(async () => {
      const name = `${handle} ${at}`;
      const client = clients.get(name) ?? clientAt(at, handle);
      clients.set(name, client);
      const { data, errors } = await (await client).send(SendMessage, { input });
      for (const { extensions } of errors ?? []) refusals.add(String(extensions?.code));
      if (data == null) throw new Error('Not acknowledged.');
      return data.sendMessage.message.id;
    }, 5);
  }

  let rounds = 0;
  return {
    roomId,
    acknowledged,
    reader: (url) => clientAt(url, READER),
    moveTo(url) {
      at = url;
    },
    talk() {
      const round = `round ${++rounds}`;
      let going = true;
      const talking = Promise.all(SENDERS.map((handle) => keepSending(handle, round, () => going)));
      return {
        async stop() {
          going = false;
          await talking;
        },
      };
    },
    more(count) {
      const wanted = acknowledged.length + count;
      return eventually(() => expect(acknowledged.length).toBeGreaterThanOrEqual(wanted), 5);
    },
    audit() {
      // What is away is said to be away, so that clients try again; nothing looks like a fault of theirs or ours.
      expect([...refusals].filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
      return audit(at, roomId, acknowledged);
    },
  };
}

async function audit(url: string, roomId: string, acknowledged: readonly Sent[]): Promise<BadgeState> {
  const reader = await clientAt(url, READER);
  const roots = await positionedRoots(reader, roomId);
  expect(roots.map(({ position }) => position).sort((a, b) => Number(a) - Number(b))).toEqual(
    roots.map((_, i) => i + 1),
  );

  const stored = new Map(roots.map(({ id, body }) => [id, body]));
  for (const { id, replyCount } of roots) {
    const replies = await repliesOf(reader, id);
    expect(replyCount).toBe(replies.length);
    for (const reply of replies) stored.set(reply.id, reply.body);
  }
  // Nothing was sent that is not acknowledged by now: both have the same messages, under the same ids.
  const bodies = [...stored.values()];
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(acknowledged.map(({ id, body }) => `${id} ${body}`).sort()).toEqual(
    [...stored].map(([id, body]) => `${id} ${body}`).sort(),
  );

  const badge = await queryBadge(reader);
  expect(badge).toEqual({ total: roots.length, notifications: 0, rooms: { [roomId]: roots.length } });
  // Who sends has read up to their own last root.
  for (const handle of SENDERS) {
    const own = roots.filter(({ author }) => author.handle === handle);
    const read = Math.max(...own.map(({ position }) => Number(position)));
    const unread = roots.filter(({ position }) => Number(position) > read).length;
    expect((await queryBadge(await clientAt(url, handle))).total).toBe(unread);
  }
  return badge;
}

/** All roots, once the consumer has given each a position. */
const positionedRoots = (reader: TestClient, roomId: string) =>
  eventually(async () => {
    const roots = await pages((after) =>
      reader.do(Timeline, { roomId, first: 100, ...after }).then(({ room }) => room?.messages),
    );
    expect(roots.filter(({ position }) => position === null)).toEqual([]);
    return roots;
  }, 50);

const repliesOf = (reader: TestClient, id: string) =>
  pages((after) =>
    reader
      .do(Thread, { id, first: 100, ...after })
      .then(({ node }) => (node != null && 'replies' in node ? node.replies : undefined)),
  );

interface PageOf<T> {
  readonly edges: ReadonlyArray<{ readonly node: T }>;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

async function pages<T>(
  read: (after: { after?: string }) => Promise<PageOf<T> | undefined | null>,
): Promise<T[]> {
  const nodes: T[] = [];
  for (let after: string | null | undefined; ; ) {
    const page = await read(after == null ? {} : { after });
    if (page == null) throw new Error('There is no such list.');
    nodes.push(...page.edges.map(({ node }) => node));
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return nodes;
  }
}
