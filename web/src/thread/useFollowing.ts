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
  /** Undefined until the server has answered. */
  readonly isFollowing: boolean | undefined;
  /** Shows the change at once, and reverts it if the server refuses. */
  toggle(): void;
}

/** Whether the viewer follows a thread. `replies` are the loaded replies. */
export function useFollowing(root: string, replies: readonly Message[]): FollowedThread {
  const { api, viewer, serialize } = useSession();
  const attempt = useAttempt();
  const [isFollowing, setIsFollowing] = useState<boolean>();
  /** Identifies the latest toggle. The response to an earlier one is ignored. */
  const latest = useRef<object>(undefined);

  useEffect(() => {
    let isOver = false;
    const read = async () => {
      const { node } = await api.queryUncached(ThreadFollowingDocument, { id: root });
      if (!isOver && node?.__typename === 'Message') setIsFollowing(node.viewerIsFollowing);
    };
    // If this fails, the button is missing, but the thread can still be read.
    read().catch(() => {});
    return () => {
      isOver = true;
    };
  }, [api, root]);

  // Replying or being mentioned follows the thread. The server does the same, a moment later.
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
    const toggled = {};
    latest.current = toggled;
    const show = (now: boolean) => latest.current === toggled && setIsFollowing(now);
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
