import { useEffect, useState } from 'react';
import { SearchMembersDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import type { Person } from '../timeline/message.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { SETTLE_MS } from './useKnownUsers.ts';

/** What a handle can begin with. */
const PREFIX = /^[a-z0-9_]{1,20}$/;

/**
 * The members of the open room that the server finds by the beginning of their handle, once it has been the same for a
 * moment. Undefined: no search. If a search fails, it finds no one.
 */
export function useFoundMembers(prefix: string | undefined): readonly Person[] {
  const { api } = useSession();
  const { roomId: room } = useRoom();
  const [found, setFound] = useState<readonly Person[]>([]);

  useEffect(() => {
    if (prefix === undefined || !PREFIX.test(prefix)) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const answer = await api.queryUncached(SearchMembersDocument, { room, prefix }).catch(() => undefined);
      const edges = answer?.room?.searchMembers.edges;
      if (!isOver && edges !== undefined) setFound(edges.map(({ node }) => node.user));
    }, SETTLE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, room, prefix]);

  return found;
}
