import { EventEmitter, on, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { GraphQLError, parse } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createConnection } from '../../../web/src/api/connection.ts';
import type { ApiError } from '../../../web/src/api/errors.ts';
import { RoomEventsDocument } from '../../../web/src/generated/graphql.ts';
import type { Tokens } from '../../../web/src/session/tokens.ts';
import { eventually } from '../../support/time/eventually.ts';

const refusal = (code: string, details: object = {}) =>
  new GraphQLError('Refused.', { extensions: { code, ...details } });
const unavailable = () => refusal('UNAVAILABLE');

/** A subscription on the server. graphql-ws sends each event as a `next` message. */
class Subscription extends EventEmitter {
  readonly after: unknown;

  constructor(after: unknown) {
    super();
    this.after = after;
  }

  sync(cursor: string): void {
    this.emit('event', { data: { roomEvents: { __typename: 'Synced', cursor } } });
  }

  /** Sends an event that could not be resolved. */
  fail(): void {
    this.emit('event', { data: null, errors: [unavailable()] });
  }

  complete(): void {
    this.emit('end');
  }

  get isOver(): boolean {
    return this.listenerCount('event') === 0;
  }
}

/** A server that sends the test's events, or refuses subscriptions. */
async function startServer() {
  const subscriptions: Subscription[] = [];
  let refused: GraphQLError | undefined;
  /** The only token that it accepts. Undefined: it accepts any. */
  let accepted: string | undefined;
  const connecting = new EventEmitter();
  const tokens: string[] = [];
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  let opened = 0;
  let receivesEvents = true;
  sockets.on('connection', (socket) => {
    opened++;
    // As the product's server: a pong says so if no events reach the server.
    const send = socket.send.bind(socket);
    socket.send = (data: string, ...rest: never[]) =>
      send(
        receivesEvents ? data : data.replace('{"type":"pong"}', '{"type":"pong","payload":{"live":false}}'),
        ...rest,
      );
  });
  const graphql = useServer<Record<string, never>, Record<string, never>>(
    {
      onConnect({ connectionParams }) {
        const authorization = String(connectionParams?.authorization);
        tokens.push(authorization);
        connecting.emit(authorization);
        return accepted === undefined || authorization === `Bearer ${accepted}`;
      },
      // Without a schema, because the content of the operation does not matter here.
      onSubscribe: (_context, _id, { query, variables }) =>
        refused !== undefined ? [refused] : ({ document: parse(query), variableValues: variables } as never),
      subscribe: ({ variableValues }) => {
        const subscription = new Subscription(variableValues?.after);
        subscriptions.push(subscription);
        return on(subscription, 'event', { close: ['end'] }) as never;
      },
      // `on` yields each event as a list of arguments.
      onNext: (_context, _id, _payload, _args, emitted) => (emitted as unknown as [object])[0],
    },
    sockets,
  );
  await once(sockets, 'listening');
  return {
    origin: `http://127.0.0.1:${(sockets.address() as AddressInfo).port}`,
    subscriptions,
    /** What the sockets were opened with. */
    tokens,
    refuse(is: boolean, error = unavailable()) {
      refused = is ? error : undefined;
    },
    /** Closes all sockets with 4403, as when their token has ended. */
    acceptOnly(token: string) {
      accepted = token;
      for (const socket of sockets.clients) socket.close(4403, 'Forbidden');
    },
    /** Whether events reach the server. */
    set receivesEvents(is: boolean) {
      receivesEvents = is;
    },
    /** Calls back once, before the next socket with this token is acknowledged. */
    onConnecting: (token: string, listener: () => void) => connecting.once(`Bearer ${token}`, listener),
    /** How many sockets were opened. */
    opened: () => opened,
    stop: () => graphql.dispose(),
  };
}

const isCloseEvent = (event: unknown): boolean => (event as { readonly type?: unknown })?.type === 'close';

/** Tokens that the test renews. */
function createTokens() {
  const renewals = new Set<() => void>();
  let token = 'first';
  let next: string | undefined;
  const renew = (renewed: string) => {
    token = renewed;
    for (const listener of renewals) listener();
  };
  return {
    current: () => token,
    async renewed() {
      if (next !== undefined) renew(next);
      return next;
    },
    onRenewed(listener) {
      renewals.add(listener);
      return () => renewals.delete(listener);
    },
    renew,
    /** What the provider issues in the place of a token that the server has refused. */
    set next(issued: string) {
      next = issued;
    },
  } satisfies Tokens & Record<string, unknown>;
}

describe('web connection', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let connection: ReturnType<typeof createConnection>;
  let tokens: ReturnType<typeof createTokens>;
  let states: string[];
  let stop: () => void;
  const refusals: ApiError[] = [];
  const cursors: string[] = [];

  /** Resolves with the nth subscription, counted from 1. */
  const subscription = (number: number) =>
    eventually(() => {
      expect(server.subscriptions).toHaveLength(number);
      return server.subscriptions[number - 1] as Subscription;
    });
  /** Advances the clock by at most 2 s until the connection has this state. */
  const shows = (state: string) => {
    let turned = 0;
    return eventually(() => {
      if (turned++ < 20) vi.advanceTimersByTime(100);
      expect(states.at(-1)).toBe(state);
    });
  };
  const received = (cursor: string) => eventually(() => expect(cursors.at(-1)).toBe(cursor));

  beforeEach(async () => {
    server = await startServer();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('WebSocket', WebSocket);
    // Node.js 20 has none. Those of `ws` have the same fields.
    vi.stubGlobal('CloseEvent', { [Symbol.hasInstance]: isCloseEvent });
    vi.stubGlobal('location', { origin: server.origin });
    vi.stubGlobal('addEventListener', () => {});
    vi.stubGlobal('removeEventListener', () => {});
    tokens = createTokens();
    connection = createConnection(tokens);
    refusals.length = 0;
    states = [];
    cursors.length = 0;
    connection.state.subscribe(() => states.push(connection.state.get()));
    stop = connection.subscribe({
      document: RoomEventsDocument,
      variables: () => ({ room: 'room', ...(cursors.length > 0 && { after: cursors.at(-1) ?? '' }) }),
      next: ({ roomEvents }) => cursors.push(roomEvents.cursor),
      onRefused: (error) => refusals.push(error),
    });
    (await subscription(1)).sync('1');
    await received('1');
  });

  afterEach(async () => {
    stop();
    connection.close();
    await eventually(() => expect(connection.state.get()).not.toBe('live'));
    vi.useRealTimers();
    vi.unstubAllGlobals();
    await server.stop();
  });

  it('connection: goes on with a renewed token, on another socket and from the last cursor', async () => {
    tokens.renew('second');
    const { after } = await subscription(2);
    expect([after, server.opened()]).toEqual(['1', 2]);
    expect(states).not.toContain('away');
  });

  it('connection: does not stay with a token that was renewed while its first socket was being opened', async () => {
    const renewed = createTokens();
    server.onConnecting('first', () => renewed.renew('second'));
    const other = createConnection(renewed);
    const shown: string[] = [];
    other.state.subscribe(() => shown.push(other.state.get()));
    const leave = other.subscribe({
      document: RoomEventsDocument,
      variables: () => ({ room: 'room' }),
      next() {},
    });
    try {
      await eventually(() => expect(server.tokens.at(-1)).toBe('Bearer second'));
      await eventually(() => expect(server.subscriptions.filter(({ isOver }) => !isOver)).toHaveLength(2));
      expect(server.tokens).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
      expect(shown).toEqual(['live']);
    } finally {
      leave();
      other.close();
    }
  });

  it('connection: goes on when the server refuses the token and there is another one', async () => {
    tokens.next = 'second';
    server.acceptOnly('second');
    await eventually(() => {
      vi.advanceTimersByTime(100);
      expect(server.subscriptions).toHaveLength(2);
    });
    expect(server.subscriptions[1]?.after).toBe('1');
    expect(states.filter((state) => state !== 'live')).toEqual([]);
  });

  it('connection: is refused when there is no other token', async () => {
    server.acceptOnly('second');
    await eventually(() => expect(states.at(-1)).toBe('refused'));
    vi.advanceTimersByTime(60_000);
    expect(server.subscriptions).toHaveLength(1);
  });

  it('connection: is away while the server refuses a subscription, although the socket is open', async () => {
    server.refuse(true);
    server.subscriptions[0]?.complete();
    await shows('away');
    server.refuse(false);
    connection.backoff.retryNow();
    (await subscription(2)).sync('2');
    await received('2');
    expect(states).toEqual(['live', 'away', 'live']);
    expect(server.opened()).toBe(1);
  });

  it('connection: tries a document again that the server does not know, but not an argument that is wrong', async () => {
    // A server of an earlier release, which the next attempt may not reach.
    server.refuse(true, refusal('BAD_USER_INPUT'));
    server.subscriptions[0]?.complete();
    await shows('away');
    server.refuse(false);
    connection.backoff.retryNow();
    (await subscription(2)).sync('2');
    await received('2');

    server.refuse(true, refusal('BAD_USER_INPUT', { field: 'after' }));
    server.subscriptions[1]?.complete();
    await eventually(() => {
      vi.advanceTimersByTime(100);
      expect(refusals.map(({ field }) => field)).toEqual(['after']);
    });
  });

  it('connection: is away while no events reach the server, although its subscriptions are open', async () => {
    /** The client asks every 10 s. */
    const afterPing = async (state: string) => {
      vi.advanceTimersByTime(10_000);
      await eventually(() => expect(states.at(-1)).toBe(state));
    };
    server.receivesEvents = false;
    await afterPing('away');
    server.receivesEvents = true;
    await afterPing('live');
    expect(states).toEqual(['live', 'away', 'live']);
    expect(server.opened()).toBe(1);
  });

  it('connection: stays live when a subscription completes and is opened again', async () => {
    server.subscriptions[0]?.complete();
    (await subscription(2)).sync('2');
    await received('2');
    vi.advanceTimersByTime(2_000);
    expect(states).toEqual(['live']);
  });

  it('connection: is live again once a subscription stays open without events, or is closed', async () => {
    for (const goesOn of [() => vi.advanceTimersByTime(4_000), () => stop()]) {
      server.refuse(true);
      server.subscriptions.at(-1)?.complete();
      await shows('away');
      server.refuse(false);
      const before = server.subscriptions.length;
      connection.backoff.retryNow();
      await subscription(before + 1);
      expect(states.at(-1)).toBe('away');
      goesOn();
      expect(states.at(-1)).toBe('live');
    }
  });

  it('connection: resubscribes once, from the last cursor, after an event with an error', async () => {
    const first = await subscription(1);
    first.fail();
    const second = await subscription(2);
    expect(second.after).toBe('1');
    await eventually(() => expect(first.isOver).toBe(true));
    second.fail();
    second.complete();
    expect((await subscription(3)).after).toBe('1');
    vi.advanceTimersByTime(6_000);
    expect(server.subscriptions).toHaveLength(3);
    expect(cursors).toEqual(['1']);
  });
});
