import type { Api } from '../api/api.ts';
import { asApiError, isTemporary } from '../api/errors.ts';
import { type MemberFragment, MembersDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export type Member = Readonly<MemberFragment>;

export interface MembersState {
  /** `unread`: no page was requested yet. `absent`: the viewer cannot read the members, or no longer can. */
  readonly status: 'unread' | 'loading' | 'ready' | 'absent';
  /** The members that were read so far, by user id. */
  readonly members: ReadonlyMap<string, Member>;
  readonly hasMore: boolean;
}

/** A user joined or changed role. `membership` is null if they are no longer a member. */
export interface MemberChange {
  readonly user: { readonly id: string };
  readonly membership: Member | null;
}

/**
 * The members of the open room. Pages are read on request, and room events keep them up to date. A page may be older
 * than an event that arrived while it was being read, so those events are applied again after the page.
 */
export interface Members extends Pick<Store<MembersState>, 'get' | 'subscribe'> {
  /** Reads the first page. Idempotent. */
  open(): void;
  more(): Promise<void>;
  changed(change: MemberChange): void;
  /** Discards the list after missed events, and reads the first page again if it was open. */
  forget(): void;
  stop(): void;
}

const unread: MembersState = { status: 'unread', members: new Map(), hasMore: false };

export function createMembers(api: Pick<Api, 'fetch' | 'connection'>, room: string): Members {
  const state = createStore<MembersState>(unread);
  let cursor: string | null = null;
  let meanwhile: MemberChange[] = [];
  let isReading = false;
  /** Incremented when the list is discarded. The result of an older request is ignored. */
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
