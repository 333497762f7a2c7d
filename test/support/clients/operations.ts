import { graphql } from '../../generated/gql.ts';

/** Operations that many tests send. A test that needs another selection has its own. */
export const CreateRoom = graphql(`
  mutation CreateRoom($input: CreateRoomInput!) {
    createRoom(input: $input) { room { id name topic visibility capacity memberCount viewerMembership { id role } } }
  }
`);

export const JoinRoom = graphql(`
  mutation JoinRoom($roomId: ID!) {
    joinRoom(input: { roomId: $roomId }) { membership { id role unreadCount user { id handle } } }
  }
`);

export const LeaveRoom = graphql(`
  mutation LeaveRoom($roomId: ID!) {
    leaveRoom(input: { roomId: $roomId }) { room { id memberCount } deletedMembershipId }
  }
`);

export const UpdateRoom = graphql(`
  mutation UpdateRoom($input: UpdateRoomInput!) {
    updateRoom(input: $input) { room { id name topic capacity memberCount } }
  }
`);

export const AddMember = graphql(`
  mutation AddMember($roomId: ID!, $userId: ID!) {
    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id role muted user { id } } }
  }
`);

export const RemoveMember = graphql(`
  mutation RemoveMember($roomId: ID!, $userId: ID!) {
    removeMember(input: { roomId: $roomId, userId: $userId }) { room { id memberCount } deletedMembershipId }
  }
`);

export const SetMemberRole = graphql(`
  mutation SetMemberRole($roomId: ID!, $userId: ID!, $role: Role!) {
    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id role muted } }
  }
`);

export const BanMember = graphql(`
  mutation BanMember($roomId: ID!, $userId: ID!) {
    banMember(input: { roomId: $roomId, userId: $userId }) {
      room { id memberCount } user { id } deletedMembershipId
    }
  }
`);

export const UnbanMember = graphql(`
  mutation UnbanMember($roomId: ID!, $userId: ID!) {
    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { id } user { id } }
  }
`);

export const SendMessage = graphql(`
  mutation SendMessage($input: SendMessageInput!) {
    sendMessage(input: $input) {
      message { id body createdAt version position author { id handle } root { id } replyCount }
    }
  }
`);

export const MarkRoomRead = graphql(`
  mutation MarkRoomRead($input: MarkRoomReadInput!) {
    markRoomRead(input: $input) { membership { id unreadCount } }
  }
`);

export const Timeline = graphql(`
  query Timeline($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    room(id: $roomId) {
      id
      messages(first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { id body position version replyCount author { handle } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

export const Thread = graphql(`
  query Thread($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    node(id: $id) {
      ... on Message {
        id replyCount lastReplyAt participants { handle }
        replies(first: $first, after: $after, last: $last, before: $before) {
          edges { cursor node { id body createdAt root { id } author { handle } } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    }
  }
`);

export const UnreadNow = graphql(`
  query UnreadNow {
    viewer { id unread { total notifications rooms { unreadCount room { id name } } } }
  }
`);

export const UnreadLive = graphql(`
  subscription UnreadLive {
    unread { total notifications removedRoomIds rooms { unreadCount readPosition room { id name } membership { role } } }
  }
`);

export const Directory = graphql(`
  query Directory($first: Int, $after: String) {
    rooms(first: $first, after: $after) {
      edges { cursor node { id name topic visibility memberCount capacity } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);

export const RoomById = graphql(`
  query RoomById($id: ID!) {
    room(id: $id) { id name topic visibility memberCount capacity viewerMembership { id role unreadCount } }
  }
`);

export const Members = graphql(`
  query Members($roomId: ID!, $first: Int, $after: String) {
    room(id: $roomId) {
      members(first: $first, after: $after) {
        edges { cursor node { id role unreadCount muted user { handle } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

export const NodeById = graphql(`
  query NodeById($id: ID!) {
    node(id: $id) { __typename id }
  }
`);

export const NodesById = graphql(`
  query NodesById($ids: [ID!]!) {
    nodes(ids: $ids) { __typename id }
  }
`);

export const Me = graphql(`
  query Me {
    viewer { id locale user { id handle displayName avatarUrl } }
  }
`);

export const Memberships = graphql(`
  query Memberships($first: Int, $after: String) {
    viewer {
      memberships(first: $first, after: $after) {
        edges { cursor node { id role room { id } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

export const UserByHandle = graphql(`
  query UserByHandle($handle: String!) {
    user(handle: $handle) { id handle displayName avatarUrl }
  }
`);

export const UpdateProfile = graphql(`
  mutation UpdateProfile($input: UpdateProfileInput!) {
    updateProfile(input: $input) { user { id handle displayName avatarUrl } }
  }
`);
