import { graphql } from '../generated/gql.ts';

export const RoomEvents = graphql(`
  subscription RoomEvents($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      __typename
      cursor
      room { id name memberCount capacity }
      ... on MessageAdded { message { id body version position deletedAt root { id } } }
      ... on MessageChanged { message { id body version position deletedAt replyCount } }
      ... on MembershipChanged { user { handle } membership { role } }
      ... on TypingChanged { users { handle } }
    }
  }
`);

export const MembershipEvents = graphql(`
  subscription MembershipEvents($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      __typename
      ... on MembershipChanged { user { handle } membership { muted unreadCount } }
    }
  }
`);

export const EventsCursor = graphql(`
  query EventsCursor($roomId: ID!) {
    room(id: $roomId) { eventsCursor messages(last: 100) { edges { node { id body version position deletedAt replyCount } } } }
  }
`);

export const CursorOnly = graphql(`
  query CursorOnly($roomId: ID!) { room(id: $roomId) { id eventsCursor } }
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

export const SetTyping = graphql(`
  mutation SetTyping($roomId: ID!, $typing: Boolean!) {
    setTyping(input: { roomId: $roomId, typing: $typing }) { room { id } }
  }
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
