import { graphql } from '../../../generated/gql.ts';

/** A message with everything that can change. Operations name the fragment; only its type is imported. */
graphql(`
  fragment WholeMessage on Message {
    id version body editedAt deletedAt position replyCount lastReplyAt
    author { handle }
    root { id }
    participants { handle }
    mentions { handle }
    likeCount viewerHasLiked
    stampCounts { count viewerHasStamped stamp { key } }
  }
`);

export const WholeRoom = graphql(`
  query WholeRoom($roomId: ID!, $after: String) {
    room(id: $roomId) {
      eventsCursor
      name
      memberCount
      viewerMembership { user { handle } }
      members(first: 100) { edges { node { role user { handle } } } }
      messages(first: 100, after: $after) {
        edges { node { ...WholeMessage replies(first: 100) { edges { node { ...WholeMessage } } } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const WholeEvents = graphql(`
  subscription WholeEvents($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      __typename
      cursor
      room { name memberCount }
      ... on MessageAdded { message { ...WholeMessage } }
      ... on MessageChanged { message { ...WholeMessage } cause { kind actor { handle } stamp { key } } }
      ... on MembershipChanged { user { handle } membership { role } }
    }
  }
`);
