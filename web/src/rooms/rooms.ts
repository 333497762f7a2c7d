import type { Api } from '../api/api.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import { withRetry } from '../api/retry.ts';
import { RoomDocument, WaitlistsDocument } from '../generated/graphql.ts';
import { createRoomList, type RoomList } from './list.ts';
import { createMembershipChanges, type MembershipChanges } from './membershipChanges.ts';

/** Keeps the cached state of the viewer's rooms up to date. */
export interface Rooms
  extends Pick<MembershipChanges, 'onChange' | 'formerName' | 'setWaiting' | 'awaitedName'> {
  readonly own: Pick<RoomList, 'get' | 'subscribe'>;
  /** Reads the list again. A call during a reading repeats it. Retries while the server is away; never rejects. */
  refresh(): Promise<void>;
  /** Reads one room and the viewer's membership again, in the same way. */
  refreshRoom(id: string): Promise<void>;
  /** Reads the rooms whose waitlist the viewer is on, in the same way. */
  refreshWaitlists(): Promise<void>;
  /** Whether the list contains this room, muted or not. True as long as the list is unknown. */
  isKnown(roomId: string, muted: boolean): boolean;
  /**
   * Runs a mutation that the viewer joins or leaves a room with, and reads the list. It is not reported as a change.
   */
  changeMembership<T>(action: () => Promise<T>, roomOf: (answer: T) => string): Promise<T>;
  /** Ends all attempts to read. */
  stop(): void;
}

export function createRooms(api: Pick<Api, 'client' | 'query' | 'connection'>): Rooms {
  const own = createRoomList(api);
  const changes = createMembershipChanges(own.get);
  const stopping = new AbortController();

  /** Lets callers share a reading. What a call was made for may be missing from a reading that had already begun. */
  function shared<T>(read: () => Promise<T>, onRead: (answer: T) => void): () => Promise<void> {
    const updates = createInFlightUpdates<never>();
    let reading: Promise<void> | undefined;
    const done = () => {
      reading = undefined;
    };
    // It ends in the same step as the guard's, so that no call can be missed between the two.
    const readOnce = () =>
      updates.read(read, (answer) => {
        done();
        onRead(answer);
      });
    return () => {
      updates.invalidate();
      // A refusal ends it: what the viewer cannot read now is read when it is opened again.
      reading ??= withRetry(api.connection.backoff, readOnce, { signal: stopping.signal }).catch(done);
      return reading;
    };
  }

  const refresh = shared(own.read, changes.compare);
  const refreshers = new Map<string, () => Promise<void>>();
  function refreshRoom(id: string): Promise<void> {
    const refresher =
      refreshers.get(id) ??
      shared(
        () => api.query(RoomDocument, { id }),
        ({ room }) => {
          // Otherwise the place has become a seat.
          if (room?.viewerMembership == null) changes.setPlace(id, room?.waitlistPosition != null);
        },
      );
    refreshers.set(id, refresher);
    return refresher();
  }

  /** The ids of the rooms that the viewer waited for at the last reading. */
  let waited: readonly string[] = [];
  const refreshWaitlists = shared(
    () => api.query(WaitlistsDocument, {}),
    ({ viewer }) => {
      const listed = viewer.waitlists.edges.map(({ node }) => node);
      for (const room of listed) changes.setWaiting(room, true);
      const before = waited;
      waited = listed.map(({ id }) => id);
      // A room that is not listed any more still has the lost position in the cache.
      for (const id of before) {
        if (!waited.includes(id) && changes.awaitedName(id) !== undefined) void refreshRoom(id);
      }
    },
  );

  return {
    own,
    refresh,
    refreshRoom,
    refreshWaitlists,
    isKnown: (roomId, muted) =>
      own.get()?.some(({ room, muted: now }) => room.id === roomId && now === muted) ?? true,
    changeMembership: (action, roomOf) =>
      changes.ignoringOwn(async () => {
        const answer = await action();
        await refresh();
        return answer;
      }, roomOf),
    onChange: changes.onChange,
    formerName: changes.formerName,
    setWaiting: changes.setWaiting,
    awaitedName: changes.awaitedName,
    stop: () => stopping.abort(),
  };
}
