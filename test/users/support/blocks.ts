import { graphql } from '../../generated/gql.ts';

export const BlockUser = graphql(`
  mutation BlockUser($input: BlockUserInput!) { blockUser(input: $input) { user { id handle } } }
`);

export const UnblockUser = graphql(`
  mutation UnblockUser($input: BlockUserInput!) { unblockUser(input: $input) { user { id handle } } }
`);

export const BlockedUsers = graphql(`
  query BlockedUsers($first: Int, $after: String) {
    viewer {
      blockedUsers(first: $first, after: $after) {
        edges { node { id } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const MentionsOf = graphql(`
  mutation MentionsOf($input: SendMessageInput!) {
    sendMessage(input: $input) { message { id body mentions { handle } } }
  }
`);
