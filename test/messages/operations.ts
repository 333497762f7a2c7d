import { graphql } from '../generated/gql.ts';

export const MessageById = graphql(`
  query MessageById($id: ID!) {
    node(id: $id) {
      ... on Message { id body version editedAt deletedAt position replyCount mentions { id handle } }
    }
  }
`);
