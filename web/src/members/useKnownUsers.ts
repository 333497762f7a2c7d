import { useEffect, useState } from 'react';
import { KnownUsersDocument, PersonByHandleDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import type { Person } from '../timeline/message.ts';

/** The server's format of handles. */
const HANDLE = /^@?([a-z0-9_]{3,20})$/i;
const SETTLE_MS = 250;

/**
 * People to choose from: members of the viewer's rooms, and the user with the typed handle. Undefined until the first
 * request is answered.
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
    const handle = HANDLE.exec(typed.trim())?.[1]?.toLowerCase();
    if (handle === undefined) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const { user } = await api
        .queryUncached(PersonByHandleDocument, { handle })
        .catch(() => ({ user: null }));
      if (!isOver && user !== null) setFound((before) => [...before, user]);
    }, SETTLE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, typed]);

  return near === undefined ? undefined : eachOnce([...near, ...found]);
}

const eachOnce = (people: readonly Person[]): readonly Person[] => [
  ...new Map(people.map((person) => [person.id, person])).values(),
];
