import { graphql } from '../../generated/gql.ts';

export const NotificationList = graphql(`
  query NotificationList($first: Int, $after: String, $unreadOnly: Boolean) {
    viewer {
      notifications(first: $first, after: $after, unreadOnly: $unreadOnly) {
        edges {
          cursor
          node { id kind text actorCount actors { handle } stamps { key } message { id body } latestReply { id } updatedAt readAt }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const NotificationById = graphql(`
  query NotificationById($id: ID!) {
    node(id: $id) { ... on Notification { id kind text actorCount actors { handle } message { id } readAt } }
  }
`);

export const MarkNotificationsRead = graphql(`
  mutation MarkNotificationsRead($ids: [ID!]) {
    markNotificationsRead(input: { ids: $ids }) {
      notifications { id text readAt }
      unread { total notifications }
    }
  }
`);

export const NotificationsLive = graphql(`
  subscription NotificationsLive {
    notificationChanged {
      notification { id kind text actorCount actors { handle } message { id } readAt }
      removedId
      unread { notifications }
    }
  }
`);

export const MarkThreadRead = graphql(`
  mutation MarkThreadRead($messageId: ID!) {
    markThreadRead(input: { messageId: $messageId }) { message { id } unread { total notifications } }
  }
`);

export const FollowThread = graphql(`
  mutation FollowThread($messageId: ID!) {
    followThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }
  }
`);

export const UnfollowThread = graphql(`
  mutation UnfollowThread($messageId: ID!) {
    unfollowThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }
  }
`);

export const Following = graphql(`
  query Following($id: ID!) { node(id: $id) { ... on Message { id viewerIsFollowing } } }
`);
