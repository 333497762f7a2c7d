import { graphql } from '../../generated/gql.ts';

export const MessageById = graphql(`
  query MessageById($id: ID!) {
    node(id: $id) {
      ... on Message { id body version editedAt deletedAt position replyCount mentions { id handle } }
    }
  }
`);

export const EditMessage = graphql(`
  mutation EditMessage($messageId: ID!, $body: String!) {
    editMessage(input: { messageId: $messageId, body: $body }) { message { id body editedAt version mentions { handle } } }
  }
`);

export const DeleteMessage = graphql(`
  mutation DeleteMessage($messageId: ID!) {
    deleteMessage(input: { messageId: $messageId }) { message { id body deletedAt version replyCount } }
  }
`);

export const Around = graphql(`
  query Around($roomId: ID!, $around: ID!, $first: Int) {
    room(id: $roomId) {
      messages(around: $around, first: $first) {
        edges { cursor node { id body } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

export const From = graphql(`
  query From($roomId: ID!, $from: DateTime!, $first: Int, $after: String, $around: ID) {
    room(id: $roomId) {
      messages(from: $from, first: $first, after: $after, around: $around) {
        edges { cursor node { id createdAt } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

/** A query that is written as text, and the same one with a directive, which graphql-js executes. */
export const WrittenPage = graphql(`
  query WrittenPage($roomId: ID!) {
    room(id: $roomId) { messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } } }
  }
  fragment PageMessage on Message {
    id version position body createdAt editedAt deletedAt url idempotencyKey replyCount lastReplyAt
    likeCount viewerHasLiked
    root { id }
    inReplyTo { id }
    author { ...PageUser }
    participants { ...PageUser }
    mentions { ...PageUser }
    stampCounts { count viewerHasStamped stamp { key label imageUrl } }
    replies(last: 5) { edges { node { id body viewerHasLiked author { ...PageUser } } } }
  }
  fragment PageUser on User { id handle displayName avatarUrl }
`);

export const ExecutedPage = graphql(`
  query ExecutedPage($roomId: ID!, $yes: Boolean!) {
    room(id: $roomId) @include(if: $yes) {
      messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } }
    }
  }
`);
