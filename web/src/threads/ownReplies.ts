import type { Api } from '../api/api.ts';
import { OwnRepliesDocument } from '../generated/graphql.ts';
import type { FollowedThread } from './listing.ts';

/** The most rooms whose events are received: those with the newest threads. */
const ROOMS_MAX = 10;

export interface OwnRepliesOptions {
  readonly api: Pick<Api, 'connection'>;
  readonly viewerId: string;
  onReply(rootId: string, replyId: string): void;
  /** More events were missed than the server replays. */
  onMissed(): void;
}

export interface OwnReplies {
  /** Receives the events of these threads' rooms, and of no others any more. */
  follow(threads: readonly FollowedThread[]): void;
  stop(): void;
}

/** The viewer's own replies in the rooms of listed threads, for example those that they send from another device. */
export function createOwnReplies({ api, viewerId, onReply, onMissed }: OwnRepliesOptions): OwnReplies {
  const followed = new Map<string, () => void>();

  function subscribe(room: string, first: string | null): () => void {
    let cursor = first;
    return api.connection.subscribe({
      document: OwnRepliesDocument,
      variables: () => ({ room, ...(cursor === null ? {} : { after: cursor }) }),
      next({ roomEvents: event }) {
        cursor = event.cursor;
        if (event.__typename === 'ResyncRequired') onMissed();
        if (event.__typename !== 'MessageAdded') return;
        const { id, author, root } = event.message;
        if (root !== null && author.id === viewerId) onReply(root.id, id);
      },
    });
  }

  function follow(threads: readonly FollowedThread[]): void {
    const rooms = new Map<string, string | null>();
    for (const { room } of threads.map(({ root }) => root)) {
      if (rooms.size < ROOMS_MAX && !rooms.has(room.id)) rooms.set(room.id, room.eventsCursor);
    }
    for (const [room, stop] of followed) {
      if (rooms.has(room)) continue;
      stop();
      followed.delete(room);
    }
    for (const [room, cursor] of rooms) if (!followed.has(room)) followed.set(room, subscribe(room, cursor));
  }

  return {
    follow,
    stop: () => follow([]),
  };
}
