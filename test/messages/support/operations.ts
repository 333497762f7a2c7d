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
