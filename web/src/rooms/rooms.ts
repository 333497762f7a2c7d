import { useQuery } from 'urql';
import type { Api } from '../api/api.ts';
import { asApiError, isTemporary } from '../api/errors.ts';
import { MembershipsDocument, type OwnMembershipFragment, RoomDocument } from '../generated/graphql.ts';

export type OwnRoom = Readonly<OwnMembershipFragment>;

/** Keeps what the cache has of the viewer's rooms true; `useOwnRooms` shows it. */
export interface Rooms {
  /** Reads the list again; a call while it is being read makes it be read once more. */
  refresh(): Promise<void>;
  /** Reads one room again: its name, topic or number of members are other ones. */
  refreshRoom(id: string): Promise<void>;
  /** Whether the list has this room, muted or not. */
  isKnown(roomId: string, muted: boolean): boolean;
}

export function createRooms(api: Api): Rooms {
  let running: Promise<void> | undefined;
  let again = false;

  async function readAll(): Promise<void> {
    let after: string | null = null;
    do {
      after = await readPage(after);
    } while (after !== null);
  }

  /** The cursor of the next page; null where this was the last. */
  async function readPage(after: string | null): Promise<string | null> {
    const { viewer } = await api.ask(MembershipsDocument, after === null ? {} : { after });
    const { hasNextPage, endCursor } = viewer.memberships.pageInfo;
    return hasNextPage ? endCursor : null;
  }

  async function run(): Promise<void> {
    while (again) {
      again = false;
      try {
        await readAll();
      } catch (error) {
        if (!isTemporary(asApiError(error))) return;
        await api.connection.gate.wait();
        again = true;
      }
    }
  }

  return {
    refresh() {
      again = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    async refreshRoom(id) {
      // A room that cannot be read now is read when it is opened again.
      await api.ask(RoomDocument, { id }).catch(() => {});
    },
    isKnown(roomId, muted) {
      const edges = api.client.readQuery(MembershipsDocument, {})?.data?.viewer.memberships.edges;
      if (edges === undefined) return true;
      return edges.some(({ node }) => node.room.id === roomId && node.muted === muted);
    },
  };
}

/** The viewer's rooms, by name; undefined until they are known. */
export function useOwnRooms(): readonly OwnRoom[] | undefined {
  const [{ data }] = useQuery({ query: MembershipsDocument, variables: {}, requestPolicy: 'cache-only' });
  return data?.viewer.memberships.edges.map(({ node }) => node);
}
