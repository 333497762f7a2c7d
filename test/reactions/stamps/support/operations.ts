import { graphql } from '../../../generated/gql.ts';

export const Catalogue = graphql(`
  query Catalogue { stamps { key label imageUrl emoji } }
`);

export const AddStamp = graphql(`
  mutation AddStamp($messageId: ID!, $stamp: String!) {
    addStamp(input: { messageId: $messageId, stamp: $stamp }) {
      messageStamp {
        id createdAt stamp { key label imageUrl emoji } user { id handle }
        message { id version stampCounts { count viewerHasStamped stamp { key } } }
      }
    }
  }
`);

export const RemoveStamp = graphql(`
  mutation RemoveStamp($messageStampId: ID!) {
    removeStamp(input: { messageStampId: $messageStampId }) {
      deletedMessageStampId
      message { id version stampCounts { count viewerHasStamped stamp { key } } }
    }
  }
`);

export const DeleteStamped = graphql(`
  mutation DeleteStamped($messageId: ID!) {
    deleteMessage(input: { messageId: $messageId }) {
      message { id deletedAt stampCounts { count } stamps { edges { node { id } } } }
    }
  }
`);

export const StampsOf = graphql(`
  query StampsOf($id: ID!, $first: Int, $after: String) {
    node(id: $id) {
      ... on Message {
        id
        stampCounts { count viewerHasStamped stamp { key } }
        stamps(first: $first, after: $after) {
          edges { cursor node { id createdAt stamp { key } user { handle } } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    }
  }
`);

export const StampNode = graphql(`
  query StampNode($id: ID!) {
    node(id: $id) {
      __typename
      ... on MessageStamp { id createdAt stamp { key } user { handle } message { id } }
    }
  }
`);

export const StampedPage = graphql(`
  query StampedPage($roomId: ID!, $last: Int!, $before: String) {
    room(id: $roomId) {
      messages(last: $last, before: $before) {
        edges { node { id stampCounts { count viewerHasStamped stamp { key } } } }
        pageInfo { startCursor }
      }
    }
  }
`);

export const StampedThread = graphql(`
  query StampedThread($id: ID!) {
    node(id: $id) {
      ... on Message {
        id
        stampCounts { count viewerHasStamped stamp { key } }
        replies { edges { node { id stampCounts { count viewerHasStamped stamp { key } } } } }
      }
    }
  }
`);
