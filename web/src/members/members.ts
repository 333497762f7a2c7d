import type { Api } from '../api/api.ts';
import { asApiError, isTemporary } from '../api/errors.ts';
import { type MemberFragment, MembersDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export type Member = Readonly<MemberFragment>;

export interface MembersState {
  /** `unread`: nobody has asked yet. `absent`: it is not for the viewer (any more). */
  readonly status: 'unread' | 'loading' | 'ready' | 'absent';
  /** Those that are known, by person. */
  readonly members: ReadonlyMap<string, Member>;
  readonly hasMore: boolean;
}

/** Somebody came or has another role; without a membership: they are no longer there. */
export interface MemberChange {
  readonly user: { readonly id: string };
  readonly membership: Member | null;
}

/**
 * Who is in the room that is open: read by pages when somebody asks, and from then on as the room's events tell.
 * A page that was on its way may be older than an event that came meanwhile, so those are taken in again behind it.
 */
export interface Members extends Pick<Store<MembersState>, 'get' | 'subscribe'> {
  /** Reads the first page, once. */
  open(): void;
  more(): Promise<void>;
  changed(change: MemberChange): void;
  /** Too much was missed: reads again what was read. */
  forget(): void;
  stop(): void;
}

const unread: MembersState = { status: 'unread', members: new Map(), hasMore: false };

export function createMembers(api: Pick<Api, 'fetch' | 'connection'>, room: string): Members {
  const state = createStore<MembersState>(unread);
  let cursor: string | null = null;
  let meanwhile: MemberChange[] = [];
  let isReading = false;
  /** Rises when what is known is thrown away: an answer from before is dropped. */
  let turn = 0;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const mine = turn;
    meanwhile = [];
    try {
      const page = await api.fetch(MembersDocument, { room, ...(cursor === null ? {} : { after: cursor }) });
      if (mine !== turn) return;
      const connection = page.room?.members;
      if (connection === undefined) return state.set({ ...unread, status: 'absent' });
      const members = new Map(state.get().members);
      for (const { node } of connection.edges) members.set(node.user.id, node);
      for (const change of meanwhile) take(members, change);
      cursor = connection.pageInfo.endCursor;
      state.set({ status: 'ready', members, hasMore: connection.pageInfo.hasNextPage });
    } catch (error) {
      if (mine !== turn) return;
      if (!isTemporary(asApiError(error))) return state.set({ ...unread, status: 'absent' });
      await api.connection.gate.wait();
      isReading = false;
      if (mine === turn) await read();
    } finally {
      if (mine === turn) isReading = false;
    }
  }

  function start(): void {
    state.update((now) => ({ ...now, status: 'loading' }));
    void read();
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    open() {
      if (['unread', 'absent'].includes(state.get().status)) start();
    },
    async more() {
      if (state.get().hasMore) await read();
    },
    changed(change) {
      if (isReading) meanwhile.push(change);
      const now = state.get();
      if (now.status === 'unread') return;
      const members = new Map(now.members);
      take(members, change);
      state.set({ ...now, members });
    },
    forget() {
      const { status } = state.get();
      turn++;
      isReading = false;
      cursor = null;
      state.set(unread);
      if (status === 'ready' || status === 'loading') start();
    },
    stop() {
      turn++;
    },
  };
}

function take(members: Map<string, Member>, { user, membership }: MemberChange): void {
  if (membership === null) members.delete(user.id);
  else members.set(user.id, membership);
}
