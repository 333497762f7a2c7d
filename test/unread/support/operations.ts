import { graphql } from '../../generated/gql.ts';

export const MarkAllRoomsRead = graphql(`
  mutation MarkAllRoomsRead { markAllRoomsRead { unread { total rooms { unreadCount } } } }
`);

export const MarkRoomUnread = graphql(`
  mutation MarkRoomUnread($messageId: ID!) {
    markRoomUnread(input: { messageId: $messageId }) { membership { unreadCount } }
  }
`);

export const MuteRoom = graphql(`
  mutation MuteRoom($roomId: ID!, $muted: Boolean!) {
    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { muted unreadCount } }
  }
`);

export const ExplainUnread = graphql(`
  query ExplainUnread($roomId: ID!) {
    room(id: $roomId) { explainUnread { id position body } viewerMembership { unreadCount } }
  }
`);
