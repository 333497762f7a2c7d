import { Client, fetchExchange } from '@urql/core';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../web/src/api/api.ts';
import { createCache } from '../../../web/src/api/cache.ts';
import { createRooms } from '../../../web/src/rooms/rooms.ts';

const PAGE = 100;

/** A user's rooms, and a server that returns pages of the requested size. */
function userInRooms(count: number) {
  let names = Array.from({ length: count }, (_, at) => `Room ${at}`);
  let requests = 0;
  const edgeOf = (name: string) => ({
    __typename: 'MembershipEdge',
    node: {
      __typename: 'Membership',
      id: `m ${name}`,
      role: 'MEMBER',
      muted: false,
      delivery: 'DEFAULT',
      section: null,
      starred: false,
      room: {
        __typename: 'Room',
        id: name,
        name,
        topic: null,
        visibility: 'PUBLIC',
        capacity: null,
        memberCount: 1,
        people: null,
        viewerMembership: { __typename: 'Membership', id: `m ${name}` },
      },
    },
  });
  const pageAfter = (after: string | undefined) => {
    requests++;
    const from = after === undefined ? 0 : names.findIndex((name) => `after ${name}` === after) + 1;
    const page = names.slice(from, from + PAGE);
    const pageInfo = { hasNextPage: from + PAGE < names.length, endCursor: `after ${page.at(-1)}` };
    const memberships = { edges: page.map(edgeOf), pageInfo: { __typename: 'PageInfo', ...pageInfo } };
    return {
      viewer: {
        __typename: 'Viewer',
        id: 'aki',
        memberships: { __typename: 'MembershipConnection', ...memberships },
      },
    };
  };
  const client = new Client({
    url: 'http://server.test/graphql',
    preferGetMethod: false,
    exchanges: [createCache(), fetchExchange],
    fetch: async (_input, init) => {
      const { variables } = JSON.parse(String(init?.body)) as { variables: { after?: string } };
      return Response.json({ data: pageAfter(variables.after) });
    },
  });
  const query: Api['query'] = async (document, variables) => {
    const { data } = await client.query(document, variables, { requestPolicy: 'network-only' });
    if (data === undefined) throw new Error('The server sent no data.');
    return data;
  };
  const rooms = createRooms({
    client,
    query,
    connection: { backoff: { wait: () => Promise.resolve() } },
  } as unknown as Api);
  return {
    rooms,
    listed: () => rooms.own.get()?.map(({ room }) => room.name),
    names: () => names,
    become(change: (names: readonly string[]) => string[]) {
      names = change(names);
    },
    requests: () => requests,
  };
}

describe('roomList', () => {
  it('refresh: reads all pages, so that rooms left or joined on a later page are right', async () => {
    const { rooms, listed, names, become } = userInRooms(2 * PAGE + 20);
    await rooms.refresh();
    expect(listed()).toEqual(names());
    become((before) => [...before.filter((name) => name !== 'Room 150'), 'Room joined']);
    await rooms.refresh();
    expect(listed()).toEqual(names());
    expect(rooms.isKnown('Room joined', false)).toBe(true);
  });

  it('refresh: has each room once if the pages have moved, and never shows a part of the list', async () => {
    const { rooms, listed, names, become } = userInRooms(PAGE + 20);
    await rooms.refresh();
    const before = listed();
    const seen = new Set<readonly string[] | undefined>();
    rooms.own.subscribe(() => seen.add(listed()));
    for (const change of [
      (all: readonly string[]) => ['Room before all', ...all],
      (all: readonly string[]) => all.slice(3),
      (all: readonly string[]) => all.slice(0, PAGE),
    ]) {
      seen.clear();
      become(change);
      await rooms.refresh();
      expect([...seen].at(-1)).toEqual(names());
      for (const list of seen) expect(list).toEqual(names());
    }
    expect(before).toHaveLength(PAGE + 20);
  });

  it('refresh: sends one request if there is one page', async () => {
    const { rooms, listed, requests } = userInRooms(PAGE);
    await rooms.refresh();
    expect(listed()).toHaveLength(PAGE);
    expect(requests()).toBe(1);
  });
});
