import { useEffect, useState } from 'react';
import { KnownUsersDocument, SearchUsersDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import type { Person } from '../timeline/message.ts';
import { folded } from '../ui/folded.ts';

/** What a handle can begin with. */
const PREFIX = /^@?([a-z0-9_]{1,20})$/;
export const SETTLE_MS = 250;

/**
 * People to choose from: members of the viewer's rooms, and users whose handle begins with what is typed. Undefined
 * until the first request is answered.
 */
export function useKnownUsers(typed: string): readonly Person[] | undefined {
  const { api } = useSession();
  const [near, setNear] = useState<readonly Person[]>();
  const [found, setFound] = useState<readonly Person[]>([]);

  useEffect(() => {
    let isOver = false;
    const show = (people: readonly Person[]) => isOver || setNear(people);
    // If this fails, any user can still be found by handle.
    api.queryUncached(KnownUsersDocument, {}).then(
      ({ viewer }) =>
        show(
          viewer.memberships.edges.flatMap(({ node }) =>
            node.room.members.edges.map((edge) => edge.node.user),
          ),
        ),
      () => show([]),
    );
    return () => {
      isOver = true;
    };
  }, [api]);

  useEffect(() => {
    const prefix = PREFIX.exec(folded(typed.trim()))?.[1];
    if (prefix === undefined) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const answer = await api.queryUncached(SearchUsersDocument, { prefix }).catch(() => undefined);
      // The last search only: what was found before it is asked for again when it is typed again.
      if (!isOver && answer !== undefined) setFound(answer.searchUsers.edges.map(({ node }) => node));
    }, SETTLE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, typed]);

  return near === undefined ? undefined : eachOnce([...near, ...found]);
}

export const eachOnce = (people: readonly Person[]): readonly Person[] => [
  ...new Map(people.map((person) => [person.id, person])).values(),
];
