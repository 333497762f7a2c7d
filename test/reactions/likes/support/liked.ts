import { defined } from '../../../../src/core/defined.ts';
import type { PageArgs } from '../../../../src/graphql/connections.ts';
import { graphql } from '../../../generated/gql.ts';
import type { Person } from '../../../support/clients/people.ts';

export const Liked = graphql(`
  query Liked($roomId: ID, $first: Int, $after: String, $last: Int, $before: String) {
    viewer {
      likedMessages(roomId: $roomId, first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { id body viewerHasLiked } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);
export const CostLiked = graphql(`
  query CostLiked($roomId: ID) {
    viewer { likedMessages(roomId: $roomId, first: 10) { edges { node { id body } } } }
  }
`);

/** A page of what someone likes: the bodies of the messages, and whether there are more. */
export async function likedBy(who: Person, page: PageArgs & { readonly roomId?: string } = {}) {
  const { edges, pageInfo } = (await who.do(Liked, page)).viewer.likedMessages;
  return { bodies: edges.map(({ node }) => node.body), pageInfo };
}

export const bodiesLikedBy = async (who: Person, roomId?: string) =>
  (await likedBy(who, { first: 50, ...defined({ roomId }) })).bodies;
