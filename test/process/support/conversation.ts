import { expect } from 'vitest';
import { type BadgeState, queryBadge } from '../../support/clients/badges.ts';
import type { TestClient } from '../../support/clients/client.ts';
import { CreateRoom, JoinRoom, SendMessage, Thread, Timeline } from '../../support/clients/operations.ts';
import { eventually } from '../../support/time/eventually.ts';
import { clientAt } from './run.ts';

/** The users who send, and the one who only reads. */
const SENDERS = ['aki', 'ben', 'chie'] as const;
const READER = 'dana';
/** Every third message of a user is a reply to their last root. */
const REPLY_EVERY = 3;

export interface Sent {
  readonly id: string;
  readonly body: string;
  /** The root of a reply; null for a root. */
  readonly root: string | null;
}

/** Users who send messages in one room while servers are killed, and the messages that were acknowledged. */
export interface Conversation {
  readonly roomId: string;
  readonly acknowledged: readonly Sent[];
  /** A client of the member who has never read anything. */
  reader(url: string): Promise<TestClient>;
  /**
   * All senders send one message after the other until `stop`. A message that is not acknowledged is sent again with
   * the same idempotency key, to the server's current URL, until it is acknowledged.
   */
  startSending(): { stop(): Promise<void> };
  /** Sets the server's current URL. */
  useServer(url: string): void;
  /** Resolves when `count` more messages were acknowledged. */
  untilAcknowledged(count: number): Promise<void>;
  /** Checks that every acknowledged message is stored once, and that positions, replies and badges are right. */
  verify(): Promise<BadgeState>;
}

export async function startConversation(url: string): Promise<Conversation> {
  let at = url;
  const acknowledged: Sent[] = [];
  /** The codes of all errors. */
  const refusals = new Set<string>();
  const clients = new Map<string, Promise<TestClient>>();
  const owner = await clientAt(url, SENDERS[0]);
  const { createRoom } = await owner.do(CreateRoom, { input: { name: 'Room', visibility: 'PUBLIC' } });
  const roomId = createRoom.room.id;
  for (const handle of [...SENDERS.slice(1), READER]) {
    await (await clientAt(url, handle)).do(JoinRoom, { roomId });
  }

  async function sendUntilStopped(handle: string, round: string, isRunning: () => boolean): Promise<void> {
    let root: string | null = null;
    for (let n = 1; isRunning(); n++) {
      const body = `${handle} ${round} ${n}`;
      const replyTo: string | null = n % REPLY_EVERY === 0 ? root : null;
      const id = await sendUntilAcknowledged(handle, { roomId, body, idempotencyKey: body, replyTo });
      acknowledged.push({ id, body, root: replyTo });
      if (replyTo === null) root = id;
    }
  }

  async function sendUntilAcknowledged(
    handle: string,
    input: { roomId: string; body: string; replyTo: string | null; idempotencyKey: string },
  ) {
    return eventually(async () => {
      const name = `${handle} ${at}`;
      const client = clients.get(name) ?? clientAt(at, handle);
      clients.set(name, client);
      const { data, errors } = await (await client).send(SendMessage, { input });
      for (const { extensions } of errors ?? []) refusals.add(String(extensions?.code));
      if (data?.sendMessage == null) throw new Error('Not acknowledged.');
      return data.sendMessage.message.id;
    }, 5);
  }

  let rounds = 0;
  return {
    roomId,
    acknowledged,
    reader: (url) => clientAt(url, READER),
    useServer(url) {
      at = url;
    },
    startSending() {
      const round = `round ${++rounds}`;
      let running = true;
      const sending = Promise.all(SENDERS.map((handle) => sendUntilStopped(handle, round, () => running)));
      return {
        async stop() {
          running = false;
          await sending;
        },
      };
    },
    untilAcknowledged(count) {
      const wanted = acknowledged.length + count;
      return eventually(() => expect(acknowledged.length).toBeGreaterThanOrEqual(wanted), 5);
    },
    verify() {
      // Clients try again after UNAVAILABLE. Any other code would look like a fault.
      expect([...refusals].filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
      return verifyStored(at, roomId, acknowledged);
    },
  };
}

async function verifyStored(url: string, roomId: string, acknowledged: readonly Sent[]): Promise<BadgeState> {
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
  // Every message that was sent is acknowledged by now, so both have the same messages with the same ids.
  const bodies = [...stored.values()];
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(acknowledged.map(({ id, body }) => `${id} ${body}`).sort()).toEqual(
    [...stored].map(([id, body]) => `${id} ${body}`).sort(),
  );

  const badge = await queryBadge(reader);
  expect(badge).toEqual({ total: roots.length, notifications: 0, rooms: { [roomId]: roots.length } });
  // A sender has read up to their own last root.
  for (const handle of SENDERS) {
    const own = roots.filter(({ author }) => author.handle === handle);
    const read = Math.max(...own.map(({ position }) => Number(position)));
    const unread = roots.filter(({ position }) => Number(position) > read).length;
    expect((await queryBadge(await clientAt(url, handle))).total).toBe(unread);
  }
  return badge;
}

/** All roots, after the consumer has given each a position. */
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
