import { graphql } from '../../generated/gql.ts';

export const DeleteAccount = graphql(`
  mutation DeleteAccount($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }
`);

export const ProfileOf = graphql(`
  query ProfileOf($id: ID!) {
    node(id: $id) { ... on User { id handle displayName avatarUrl isFormer } }
  }
`);

export const AuthorsOf = graphql(`
  query AuthorsOf($roomId: ID!) {
    room(id: $roomId) {
      memberCount
      messages(last: 10) { edges { node { body likeCount author { id isFormer displayName } } } }
      members(first: 10) { edges { node { role user { id } } } }
    }
  }
`);

export const BellTexts = graphql(`
  query BellTexts { viewer { notifications(first: 10) { edges { node { kind text } } } } }
`);
