import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MarkThreadReadDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { isPageActive } from '../unread/isPageActive.ts';

/** The end counts as seen after this time on the screen. */
const SEEN_AFTER_MS = 300;

/** What was on the screen when the thread was marked as read. */
interface Asked {
  readonly newest: string;
  readonly notifications: number;
}

/**
 * Marks a thread's notifications as read once its end was on the screen while the viewer looked at it; again for each
 * newer message, and if a notification arrives meanwhile, which may be later than its message. Does nothing while there
 * are no unread notifications. `newest`: the id of the thread's newest message, if it is loaded. Returns what the list
 * calls with whether its end is shown.
 */
export function useThreadRead(
  root: string | undefined,
  newest: string | undefined,
): (atEnd: boolean) => void {
  const { api, badge } = useSession();
  const { notifications } = useStore(badge);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const isSeen = useSyncExternalStore(onActivity, isPageActive) && isAtEnd;
  const asked = useRef<Asked>(undefined);

  useEffect(() => {
    const before = asked.current;
    // Others were read: what comes now may be of this thread.
    if (before !== undefined && before.notifications > notifications)
      asked.current = { ...before, notifications };
    const isAsked = before !== undefined && before.newest === newest && before.notifications >= notifications;
    if (!isSeen || root === undefined || newest === undefined || notifications === 0 || isAsked) return;
    const timer = setTimeout(() => {
      asked.current = { newest, notifications };
      api.mutateUncached(MarkThreadReadDocument, { input: { messageId: root } }).catch(() => {
        // They stay in the bell. The next message or notification tries again.
        asked.current = undefined;
      });
    }, SEEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [api, root, newest, notifications, isSeen]);

  return setIsAtEnd;
}

/** Whenever the page may have become visible or hidden, or got or lost the focus. */
function onActivity(listener: () => void): () => void {
  const events = [
    [window, 'focus'],
    [window, 'blur'],
    [document, 'visibilitychange'],
  ] as const;
  for (const [target, name] of events) target.addEventListener(name, listener);
  return () => {
    for (const [target, name] of events) target.removeEventListener(name, listener);
  };
}
