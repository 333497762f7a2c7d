import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { FirstRoomDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';

/**
 * After a sign-in, opens the room with the newest unread message, or else the one that was active
 * last. Only if no room was asked for, by an address or a click. If the request fails, the list of rooms stays.
 */
export default function FirstRoom({ onDone }: { readonly onDone: () => void }) {
  const { api } = useSession();
  const [path, navigate] = useLocation();
  const isElsewhere = path !== '/';

  useEffect(() => {
    if (isElsewhere) return onDone();
    let isOver = false;
    api
      .queryUncached(FirstRoomDocument, {})
      .then(
        ({ viewer: { unread, recent } }) => {
          const [first] = [...unread.edges.filter(({ node }) => node.muted !== true), ...recent.edges];
          if (!isOver && first !== undefined) navigate(roomPath(first.node.room.id), { replace: true });
        },
        () => {},
      )
      .finally(() => isOver || onDone());
    return () => {
      isOver = true;
    };
  }, [api, isElsewhere, navigate, onDone]);

  return null;
}
