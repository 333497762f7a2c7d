/** The readers of a room, in a separate process: `people` websockets that all connect at the same moment. */
import { print } from 'graphql';
import WebSocket from 'ws';
import { BadgeDocument, RoomEventsDocument } from '../../web/src/generated/graphql.ts';
import { tokenOf } from '../people.ts';
import { serve } from '../support.ts';

interface Argument {
  readonly people: number;
  /** The room's global id. */
  readonly room: string;
}

interface Payload {
  readonly data?: {
    readonly roomEvents?: { readonly __typename: string; readonly cursor: string | null };
  };
}

const RETRY_MS = 250;

const { people, room } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const [unread, roomEvents] = [print(BadgeDocument), print(RoomEventsDocument)];
const tokens = await Promise.all(Array.from({ length: people }, (_, i) => tokenOf(i)));
/** The last cursor that each reader has seen. */
const cursors = new Array<string | undefined>(people);

/** How often a subscription was refused, or ended, because the server was busy. */
let refused = 0;

/**
 * Resolves when both subscriptions are live, and the messages that were missed have arrived. A subscription that is
 * refused, or ends, is tried again soon, from the last cursor, as clients do.
 */
function connect(url: string, reader: number, missed: number): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  const subscribe = (id: string) => {
    const payload =
      id === 'unread'
        ? { query: unread }
        : { query: roomEvents, variables: { room, after: cursors[reader] ?? null } };
    socket.send(JSON.stringify({ type: 'subscribe', id, payload }));
  };
  socket.once('open', () => {
    const payload = { authorization: `Bearer ${tokens[reader]}` };
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
  });
  return new Promise((resolve, reject) => {
    const live = new Set<string>();
    let left = missed;
    socket.once('error', reject);
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data)) as {
        readonly type: string;
        readonly id?: string;
        readonly payload?: Payload;
      };
      if (type === 'connection_ack') for (const one of ['unread', 'room']) subscribe(one);
      if (id === undefined) return;
      if (type === 'error' || type === 'complete') {
        live.delete(id);
        refused++;
        setTimeout(() => subscribe(id), RETRY_MS * (1 + Math.random()));
      }
      const event = payload?.data?.roomEvents;
      if (event !== undefined) cursors[reader] = event.cursor ?? cursors[reader];
      if (event?.__typename === 'MessageAdded') left--;
      if (type === 'next' && (id === 'unread' || event?.__typename === 'Synced')) live.add(id);
      if (live.size === 2 && left <= 0) resolve();
    });
  });
}

serve(
  async ({ url, missed }) => {
    refused = 0;
    const start = performance.now();
    const all = Array.from({ length: people }, (_, reader) => connect(String(url), reader, Number(missed)));
    await Promise.all(all);
    return { ms: performance.now() - start, refused };
  },
  async () => {},
);
