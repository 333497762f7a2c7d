import { useCallback, useEffect, useRef, useState } from 'react';
import {
  FollowThreadDocument,
  ThreadFollowingDocument,
  UnfollowThreadDocument,
} from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import type { Message } from '../timeline/message.ts';
import { useAttempt } from '../ui/Toasts.tsx';

export interface FollowedThread {
  /** Undefined until it is known. */
  readonly isFollowing: boolean | undefined;
  /** Shows at once, and is put right where the server disagrees. */
  toggle(): void;
}

/** Whether the viewer is notified of a thread's replies; `replies` are those that are shown of it. */
export function useFollowing(root: string, replies: readonly Message[]): FollowedThread {
  const { api, viewer, serialize } = useSession();
  const attempt = useAttempt();
  const [isFollowing, setIsFollowing] = useState<boolean>();
  /** What the viewer said last: what the server answers to something before it is no news. */
  const saying = useRef<object>(undefined);

  useEffect(() => {
    let isOver = false;
    const read = async () => {
      const { node } = await api.queryUncached(ThreadFollowingDocument, { id: root });
      if (!isOver && node?.__typename === 'Message') setIsFollowing(node.viewerIsFollowing);
    };
    // Without it there is no button; the thread can be read all the same.
    read().catch(() => {});
    return () => {
      isOver = true;
    };
  }, [api, root]);

  // Who replies, or is mentioned, follows from there on: so the server has it, a moment later.
  const joined = replies.findLast(
    ({ author, mentions }) => author.id === viewer.id || mentions.some(({ id }) => id === viewer.id),
  )?.createdAt;
  const [lastJoined, setLastJoined] = useState(joined);
  if (joined !== lastJoined) {
    setLastJoined(joined);
    if (isFollowing === false && joined !== undefined && joined > (lastJoined ?? '')) setIsFollowing(true);
  }

  const toggle = useCallback(async () => {
    if (isFollowing === undefined) return;
    setIsFollowing(!isFollowing);
    const mine = {};
    saying.current = mine;
    const show = (now: boolean) => saying.current === mine && setIsFollowing(now);
    const input = { messageId: root };
    const isDone = await attempt(async () => {
      const { message } = await serialize(`${root} follow`, async () =>
        isFollowing
          ? (await api.mutateUncached(UnfollowThreadDocument, { input })).unfollowThread
          : (await api.mutateUncached(FollowThreadDocument, { input })).followThread,
      );
      show(message.viewerIsFollowing);
    });
    if (!isDone) show(isFollowing);
  }, [api, attempt, serialize, root, isFollowing]);

  return { isFollowing, toggle: () => void toggle() };
}
