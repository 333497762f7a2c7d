import { expect } from 'vitest';
import type { WholeEventsSubscription, WholeMessageFragment } from '../../../generated/graphql.ts';
import type { Live, TestClient } from '../../../support/clients/client.ts';
import { WholeEvents, WholeRoom } from './operations.ts';
import { createOwnReactions } from './ownReactions.ts';

/** A room as one client shows it. */
export interface RoomState {
  readonly name: string;
  readonly memberCount: number;
  /** By handle. */
  readonly members: Readonly<Record<string, string>>;
  /** Roots and replies, by id. */
  readonly messages: Readonly<Record<string, WholeMessageFragment>>;
}

type RoomEvent = WholeEventsSubscription['roomEvents'];

interface ReadRoom extends RoomState {
  readonly cursor: string;
  /** The handle of the user who read it. */
  readonly viewer: string;
}

/**
 * The whole room, read page by page. The cursor is the first page's: the other pages may already have later changes.
 */
export async function readRoom(client: TestClient, roomId: string): Promise<ReadRoom> {
  const messages: Record<string, WholeMessageFragment> = {};
  let first: ReadRoom | undefined;
  for (let after: string | null = null, more = true; more; ) {
    const { room }: Awaited<ReturnType<typeof queryRoom>> = await queryRoom(client, roomId, after);
    if (room === null) throw new Error('The room does not exist.');
    for (const { node } of room.messages.edges) {
      const { replies, ...root } = node;
      messages[root.id] = root;
      for (const { node: reply } of replies.edges) messages[reply.id] = reply;
    }
    const members = Object.fromEntries(
      room.members.edges.map(({ node }) => [node.user.handle ?? '', node.role as string]),
    );
    const viewer = room.viewerMembership?.user.handle ?? '';
    first ??= { cursor: room.eventsCursor ?? '', viewer, ...ofRoom(room), members, messages };
    more = room.messages.pageInfo.hasNextPage;
    after = room.messages.pageInfo.endCursor;
  }
  if (first === undefined) throw new Error('Nothing was read.');
  return first;
}

const queryRoom = (client: TestClient, roomId: string, after: string | null) =>
  client.do(WholeRoom, { roomId, after });

const ofRoom = ({ name, memberCount }: Pick<RoomState, 'name' | 'memberCount'>) => ({ name, memberCount });

const stateOf = ({ members, messages, ...room }: RoomState): RoomState => ({
  ...ofRoom(room),
  members,
  messages,
});

/** Applies an event to the state. A message is only replaced by a newer version. */
function applied(state: RoomState, event: RoomEvent): RoomState {
  const next = { ...state, ...ofRoom(event.room) };
  switch (event.__typename) {
    case 'MessageAdded':
    case 'MessageChanged': {
      const { message } = event;
      const known = state.messages[message.id];
      if (known !== undefined && known.version > message.version) return next;
      return { ...next, messages: { ...state.messages, [message.id]: message } };
    }
    case 'MembershipChanged': {
      const { [event.user.handle ?? '']: _, ...others } = state.members;
      const { membership } = event;
      if (membership === null) return { ...next, members: others };
      return { ...next, members: { ...others, [event.user.handle ?? '']: membership.role } };
    }
    default:
      return next;
  }
}

/**
 * A client's view of a room: read once, then kept current only by events, over any number of subscriptions. It checks
 * that the causes of the changes lead to the same reactions of the viewer.
 * After ResyncRequired it reads the room again, as every client has to.
 */
export interface View {
  readonly state: RoomState;
  readonly connected: boolean;
  /** How often it received ResyncRequired. */
  readonly resyncs: number;
  /** Continues from the last cursor with this client. Resolves when the view is live. */
  resume(client: TestClient): Promise<void>;
  /** Drops the subscription. Events that arrived and were not read are lost, as on a phone that is switched off. */
  disconnect(): void;
  /**
   * Reads events until the view has this state. Fails with the difference if no more events arrive. `resumes`: if the
   * server has completed the subscription, the view goes on from its last cursor, once, as clients do.
   */
  shows(wanted: RoomState, options?: { readonly resumes?: boolean }): Promise<void>;
  /** Fails if the view does not have this state already. */
  expectState(wanted: RoomState): void;
  /** Resolves when the server has completed the subscription. */
  ended(): Promise<void>;
}

export async function openView(client: TestClient, roomId: string): Promise<View> {
  const first = await readRoom(client, roomId);
  let state = stateOf(first);
  const own = createOwnReactions(state.messages, first.viewer);
  let cursor = first.cursor;
  let resyncs = 0;
  let reader = client;
  let live: Live<WholeEventsSubscription> | undefined;

  async function next(from: Live<WholeEventsSubscription>): Promise<RoomEvent> {
    const { roomEvents: event } = await from.next();
    state = applied(state, event);
    if (event.__typename === 'MessageAdded' || event.__typename === 'MessageChanged') own.apply(event);
    if (event.__typename === 'ResyncRequired') {
      resyncs++;
      state = stateOf(await readRoom(reader, roomId));
      own.readAgain(state.messages);
    }
    cursor = event.cursor;
    return event;
  }

  const view: View = {
    get state() {
      return state;
    },
    get connected() {
      return live !== undefined;
    },
    get resyncs() {
      return resyncs;
    },
    async resume(newClient) {
      reader = newClient;
      const from = reader.subscribe(WholeEvents, { roomId, after: cursor });
      live = from;
      while ((await next(from)).__typename !== 'Synced');
    },
    disconnect() {
      live?.close();
      live = undefined;
    },
    async shows(wanted, { resumes = false } = {}) {
      if (live === undefined) throw new Error('This view is not connected.');
      const goal = canonical(wanted);
      let mayResume = resumes;
      while (canonical(state) !== goal) {
        const more = await next(live).catch((error: unknown) => error);
        if (!(more instanceof Error)) continue;
        if (!mayResume || !more.message.includes('complete'))
          return expect(state, more.message).toEqual(stateOf(wanted));
        mayResume = false;
        await view.resume(reader);
      }
      expect(own.differences(wanted.messages), 'what the causes say').toEqual([]);
    },
    expectState: (wanted) => expect(state).toEqual(stateOf(wanted)),
    async ended() {
      while (live !== undefined) {
        const end = await next(live).catch((error: unknown) => error);
        if (!(end instanceof Error)) continue;
        expect(end.message).toContain('complete');
        live = undefined;
      }
    },
  };
  await view.resume(client);
  return view;
}

const sorted = <T>(record: Readonly<Record<string, T>>) =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

const canonical = ({ name, memberCount, members, messages }: RoomState): string =>
  JSON.stringify([name, memberCount, sorted(members), sorted(messages)]);
