import { EventEmitter, on, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { GraphQLError, parse } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createConnection } from '../../../web/src/api/connection.ts';
import type { ApiError } from '../../../web/src/api/errors.ts';
import { RoomEventsDocument } from '../../../web/src/generated/graphql.ts';
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
    refuse(is: boolean, error = unavailable()) {
      refused = is ? error : undefined;
    },
    /** Whether events reach the server. */
    set receivesEvents(is: boolean) {
      receivesEvents = is;
    },
    /** How many sockets were opened. */
    opened: () => opened,
    stop: () => graphql.dispose(),
  };
}

describe('web connection', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let connection: ReturnType<typeof createConnection>;
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
    vi.stubGlobal('CloseEvent', class {});
    vi.stubGlobal('location', { origin: server.origin });
    vi.stubGlobal('addEventListener', () => {});
    vi.stubGlobal('removeEventListener', () => {});
    connection = createConnection('token');
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
    await eventually(() => expect(connection.state.get()).toBe('away'));
    vi.useRealTimers();
    vi.unstubAllGlobals();
    await server.stop();
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
