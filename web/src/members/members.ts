import type { Api } from '../api/api.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import { withRetry } from '../api/retry.ts';
import { type MemberFragment, MembersDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export type Member = Readonly<MemberFragment>;

export interface MembersState {
  /** `unread`: not needed yet. `absent`: the viewer has no access (any more). */
  readonly status: 'unread' | 'loading' | 'ready' | 'absent';
  /** The known members, by user id. */
  readonly members: ReadonlyMap<string, Member>;
  readonly hasMore: boolean;
}

/** A user joined, or has another role. If `membership` is null, they are no longer a member. */
export interface MemberChange {
  readonly user: { readonly id: string };
  readonly membership: Member | null;
}

/**
 * The members of the open room: read by pages when they are first needed, and kept up to date by the room's events.
 */
export interface Members extends Pick<Store<MembersState>, 'get' | 'subscribe'> {
  /** Reads the first page. Idempotent. */
  open(): void;
  more(): Promise<void>;
  changed(change: MemberChange): void;
  /** Events were missed: drops what is known, and reads it again if it had been read. */
  resync(): void;
  stop(): void;
}

const unread: MembersState = { status: 'unread', members: new Map(), hasMore: false };

export function createMembers(api: Pick<Api, 'queryUncached' | 'connection'>, room: string): Members {
  const state = createStore<MembersState>(unread);
  const updates = createInFlightUpdates<MemberChange>();
  let cursor: string | null = null;
  /** Aborted, and replaced, when what is known is dropped: an answer from before is dropped, too. */
  let reading: AbortController | undefined;

  async function read(): Promise<void> {
    if (reading !== undefined) return;
    const current = new AbortController();
    reading = current;
    try {
      await withRetry(api.connection.backoff, () => readPage(current.signal), { signal: current.signal });
    } catch {
      if (!current.signal.aborted) state.set({ ...unread, status: 'absent' });
    } finally {
      if (reading === current) reading = undefined;
    }
  }

  const readPage = (signal: AbortSignal): Promise<void> =>
    updates.read(
      () => api.queryUncached(MembersDocument, { room, ...(cursor === null ? {} : { after: cursor }) }),
      (page, changes) => {
        if (signal.aborted) return;
        const connection = page.room?.members;
        if (connection === undefined) return state.set({ ...unread, status: 'absent' });
        const members = new Map(state.get().members);
        for (const { node } of connection.edges) members.set(node.user.id, node);
        for (const change of changes) apply(members, change);
        cursor = connection.pageInfo.endCursor;
        state.set({ status: 'ready', members, hasMore: connection.pageInfo.hasNextPage });
      },
    );

  function start(): void {
    state.update((now) => ({ ...now, status: 'loading' }));
    void read();
  }

  function abort(): void {
    reading?.abort();
    reading = undefined;
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
      updates.push(change);
      const now = state.get();
      if (now.status === 'unread') return;
      const members = new Map(now.members);
      apply(members, change);
      state.set({ ...now, members });
    },
    resync() {
      const { status } = state.get();
      abort();
      cursor = null;
      state.set(unread);
      if (status === 'ready' || status === 'loading') start();
    },
    stop: abort,
  };
}

function apply(members: Map<string, Member>, { user, membership }: MemberChange): void {
  if (membership === null) members.delete(user.id);
  else members.set(user.id, membership);
}
