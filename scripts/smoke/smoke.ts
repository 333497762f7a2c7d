/**
 * Uses an installation as one client does, over HTTP and a real websocket. It shows that a change passes through
 * everything: server, table, stream, consumer, bus and socket.
 */
import { randomUUID } from 'node:crypto';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';

export interface SmokeOptions {
  /** The installation's address, such as `https://chat.example.com`. */
  readonly url: string;
  /** A token of the user who does everything. What is made is deleted at the end. */
  readonly token: string;
  /** How long one step may take, in milliseconds. */
  readonly patienceMs: number;
  /** Called with each step that was done, and its milliseconds. */
  readonly onStep: (step: string, ms: number) => void;
}

/** A step failed. The message is one line, for the operator. */
class SmokeFailed extends Error {
  override readonly name = 'SmokeFailed';
}

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly extensions?: { readonly code?: string };
  }>;
}

const CREATE = `mutation SmokeRoom($name: String!) {
  createRoom(input: { name: $name, visibility: PRIVATE }) { room { id } }
}`;
const SEND = `mutation SmokeMessage($room: ID!, $body: String!, $key: String!) {
  sendMessage(input: { roomId: $room, body: $body, idempotencyKey: $key }) { message { id } }
}`;
const MARK = `mutation SmokeUnread($message: ID!) {
  markRoomUnread(input: { messageId: $message }) { membership { id } }
}`;
const DELETE = 'mutation SmokeEnd($room: ID!) { deleteRoom(input: { roomId: $room }) { deletedRoomId } }';
const EVENTS = `subscription SmokeEvents($room: ID!) {
  roomEvents(roomId: $room) { __typename ... on MessageAdded { message { id } } }
}`;
const UNREAD = 'subscription SmokeBadge { unread { rooms { unreadCount room { id } } } }';

interface RoomEvents {
  readonly roomEvents: { readonly __typename: string; readonly message?: { readonly id: string } };
}
interface Unread {
  readonly unread: {
    readonly rooms: ReadonlyArray<{ readonly unreadCount: number; readonly room: { readonly id: string } }>;
  };
}

/** Resolves when all steps were done, in order. Rejects at the first one that fails. */
export async function smoke({ url, token, patienceMs, onStep }: SmokeOptions): Promise<void> {
  const origin = new URL(url).origin;
  const socket = createClient({
    url: `${origin.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  });

  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const at = performance.now();
    const done = await within(patienceMs, name, work());
    onStep(name, performance.now() - at);
    return done;
  }

  async function ask<T>(query: string, variables: Readonly<Record<string, string>> = {}): Promise<T> {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as Answer<T>;
    const [error] = errors ?? [];
    if (error !== undefined)
      throw new Error(`${error.extensions?.code ?? response.status}: ${error.message}`);
    if (data === undefined || data === null)
      throw new Error(`The response had the status ${response.status}.`);
    return data;
  }

  let room: string | undefined;
  try {
    await step('the server is ready', async () => {
      const response = await fetch(`${origin}/readyz`);
      if (!response.ok)
        throw new Error(`/readyz has the status ${response.status}: ${await response.text()}`);
    });
    await step('the token is accepted', () => ask('query Smoke { viewer { user { id } } }'));
    const created = await step('a room is created', () =>
      ask<{ createRoom: { room: { id: string } } }>(CREATE, { name: 'Smoke test' }),
    );
    room = created.createRoom.room.id;
    const own = room;
    const events = subscribe<RoomEvents>(socket, EVENTS, { room });
    const badge = subscribe<Unread>(socket, UNREAD);
    await step('a websocket subscribes to the room', () =>
      events.until(({ roomEvents }) => roomEvents.__typename === 'Synced'),
    );
    await step('it gets the badge', () => badge.until(() => true));
    const sent = await step('a message is sent', () =>
      ask<{ sendMessage: { message: { id: string } } }>(SEND, {
        room: own,
        body: 'A message of the smoke test',
        key: randomUUID(),
      }),
    );
    const { id } = sent.sendMessage.message;
    await step('the message arrives at the websocket', () =>
      events.until(({ roomEvents }) => roomEvents.message?.id === id),
    );
    await step('it is marked as unread', () => ask(MARK, { message: id }));
    await step('the badge counts it', () =>
      badge.until(({ unread }) => unread.rooms.some((one) => one.room.id === own && one.unreadCount === 1)),
    );
  } finally {
    await socket.dispose();
    if (room !== undefined) {
      const own = room;
      await step('the room is deleted', () => ask(DELETE, { room: own })).catch((error: unknown) => {
        onStep(error instanceof Error ? error.message : String(error), 0);
      });
    }
  }
}

/** An open subscription: its events, from the first one. */
function subscribe<T>(socket: Client, query: string, variables: Record<string, unknown> = {}) {
  const events = socket.iterate<T>({ query, variables });
  return {
    /** Resolves when an event meets the condition. */
    async until(condition: (event: T) => boolean): Promise<void> {
      for (;;) {
        const { done, value } = await events.next();
        if (done === true) throw new Error('The subscription has ended.');
        const [error] = value.errors ?? [];
        if (error !== undefined) throw new Error(error.message);
        if (value.data !== undefined && value.data !== null && condition(value.data)) return;
      }
    },
  };
}

async function within<T>(ms: number, step: string, work: Promise<T>): Promise<T> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`it did not happen within ${ms / 1_000} s`)), ms);
    cancel = () => clearTimeout(timer);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new SmokeFailed(`${step}: FAILED, ${reasonOf(error)}`);
  } finally {
    cancel();
  }
}

/** A websocket that could not be opened rejects with its close event. */
function reasonOf(error: unknown): string {
  if (error instanceof Error) {
    return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
  }
  const { code, reason } = Object(error) as { readonly code?: unknown; readonly reason?: unknown };
  return `the websocket was closed with ${String(code)} ${String(reason ?? '')}`.trim();
}
