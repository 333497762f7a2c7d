import { graphql } from '../../../generated/gql.ts';

export const LikeMessage = graphql(`
  mutation LikeMessage($messageId: ID!) {
    likeMessage(input: { messageId: $messageId }) {
      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }
    }
  }
`);

export const UnlikeMessage = graphql(`
  mutation UnlikeMessage($messageId: ID!) {
    unlikeMessage(input: { messageId: $messageId }) {
      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }
    }
  }
`);

export const LikesOf = graphql(`
  query LikesOf($id: ID!, $first: Int, $after: String) {
    node(id: $id) {
      ... on Message {
        id version likeCount viewerHasLiked
        likers(first: $first, after: $after) {
          edges { cursor node { id handle } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    }
  }
`);

export const LikedPage = graphql(`
  query LikedPage($roomId: ID!, $last: Int!) {
    room(id: $roomId) {
      messages(last: $last) {
        edges {
          node {
            id likeCount viewerHasLiked replyCount lastReplyAt
            author { handle displayName avatarUrl }
            participants { handle }
            stampCounts { count viewerHasStamped stamp { key } }
          }
        }
      }
    }
  }
`);

export const LikedOne = graphql(`
  query LikedOne($id: ID!) {
    node(id: $id) { ... on Message { likeCount viewerHasLiked author { handle } } }
  }
`);

export const LikedThread = graphql(`
  query LikedThread($id: ID!) {
    node(id: $id) {
      ... on Message { id likeCount viewerHasLiked replies { edges { node { id likeCount viewerHasLiked } } } }
    }
  }
`);
