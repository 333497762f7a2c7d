import { graphql } from '../generated/gql.ts';

export const Bans = graphql(`
  query Bans($roomId: ID!) {
    room(id: $roomId) { bans(first: 10) { edges { node { user { id } bannedBy { id } createdAt } } } }
  }
`);
