import { graphql } from '../../generated/gql.ts';

export const Bans = graphql(`
  query Bans($roomId: ID!) {
    room(id: $roomId) { bans(first: 10) { edges { node { user { id } bannedBy { id } createdAt } } } }
  }
`);

export const CreateInvite = graphql(`
  mutation CreateInvite($input: CreateInviteInput!) {
    createInvite(input: $input) {
      code
      invite { id room { id } createdBy { handle } createdAt expiresAt maxUses uses }
    }
  }
`);

export const JoinWithInvite = graphql(`
  mutation JoinWithInvite($code: String!) {
    joinWithInvite(input: { code: $code }) { membership { id role room { id name } } }
  }
`);

export const RevokeInvite = graphql(`
  mutation RevokeInvite($inviteId: ID!) {
    revokeInvite(input: { inviteId: $inviteId }) { room { id } deletedInviteId }
  }
`);

export const Invites = graphql(`
  query Invites($roomId: ID!) {
    room(id: $roomId) { invites(first: 10) { edges { node { id uses maxUses } } } }
  }
`);

export const OpenDirectRoom = graphql(`
  mutation OpenDirectRoom($userIds: [ID!]!) {
    openDirectRoom(input: { userIds: $userIds }) {
      room { id name visibility memberCount capacity viewerMembership { role } }
    }
  }
`);

export const PeopleOf = graphql(`
  query PeopleOf($id: ID!) { room(id: $id) { people { handle } } }
`);

export const JoinOrWait = graphql(`
  mutation JoinOrWait($roomId: ID!) {
    joinRoom(input: { roomId: $roomId, waitlist: true }) {
      membership { id role }
      room { memberCount waitingCount waitlistPosition }
    }
  }
`);

export const Waitlist = graphql(`
  query Waitlist($id: ID!) {
    room(id: $id) { memberCount capacity waitingCount waitlistPosition viewerMembership { role } }
  }
`);

export const OwnRooms = graphql(`
  query OwnRooms { viewer { memberships(first: 50) { edges { node { room { id } } } } } }
`);

export const NotificationRooms = graphql(`
  query NotificationRooms {
    viewer {
      notifications(first: 20) {
        edges { node { id kind text actorCount actors { handle } room { id name } message { id } readAt } }
      }
    }
  }
`);
