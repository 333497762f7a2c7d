import { graphql } from '../../generated/gql.ts';

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

export const SetTyping = graphql(`
  mutation SetTyping($roomId: ID!, $typing: Boolean!) {
    setTyping(input: { roomId: $roomId, typing: $typing }) { room { id } }
  }
`);
