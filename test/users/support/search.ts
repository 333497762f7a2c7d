import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { createTableReader } from '../../../src/jobs/tableReader.ts';
import { createHandleConversion } from '../../../src/users/handleConversion.ts';
import { graphql } from '../../generated/gql.ts';
import type { TestClient } from '../../support/clients/client.ts';
import type { Person } from '../../support/clients/people.ts';

export const SearchUsers = graphql(`
  query SearchUsers($prefix: String!, $first: Int, $after: String) {
    searchUsers(prefix: $prefix, first: $first, after: $after) {
      edges { cursor node { id handle } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);

export const SearchMembers = graphql(`
  query SearchMembers($roomId: ID!, $prefix: String!, $first: Int, $after: String) {
    room(id: $roomId) {
      searchMembers(prefix: $prefix, first: $first, after: $after) {
        edges { cursor node { id role user { handle } unreadCount } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

/** The handles that a search finds, on one page. */
export const found = async (viewer: TestClient, prefix: string) =>
  (await viewer.do(SearchUsers, { prefix })).searchUsers.edges.map(({ node }) => node.handle);

/** The handles of the members that a search finds, on one page. */
export const foundIn = async (viewer: TestClient, roomId: string, prefix: string) =>
  (await viewer.do(SearchMembers, { roomId, prefix })).room?.searchMembers.edges.map(
    ({ node }) => node.user.handle,
  );

/** Makes a user's items what an earlier release wrote. `rooms`: the ids in the table. */
export async function asOfEarlierRelease(
  dynamo: Dynamo,
  { id, handle }: Person,
  rooms: readonly string[] = [],
): Promise<void> {
  await dynamo.transact([
    { key: keys.user(id), update: 'REMOVE handleRev' },
    { key: keys.handle(handle), update: 'REMOVE gsi1pk, gsi1sk' },
    ...rooms.map((room) => ({ key: keys.member(room, id), update: 'REMOVE handleRev, gsi1pk, gsi1sk' })),
  ]);
}

/** What a server of an earlier release writes when a user changes their handle. */
export async function renameByEarlierRelease(dynamo: Dynamo, { id, handle }: Person, to: string) {
  await dynamo.transact([
    {
      key: keys.user(id),
      update: 'SET handle = :to',
      condition: 'handle = :from',
      values: { ':to': to, ':from': handle },
    },
    { put: { ...keys.handle(to), v: 1, user: id } },
    { key: keys.handle(handle), update: 'SET expiresAt = :then', values: { ':then': 2 ** 40 } },
  ]);
}

/** The conversion, apart from a server. Its waits are over at once. */
export const conversionOf = (dynamo: Dynamo) => {
  const now = () => 0;
  return createHandleConversion({
    dynamo,
    jobs: createJobs({ dynamo, now }),
    table: createTableReader({ dynamo, now }),
    now,
  });
};
