/** The access patterns that manage rooms and their members, by the names of the rows in docs/data-model.md. */

import { graphql } from '../../generated/gql.ts';
import { Bans, Invites } from '../../rooms/support/operations.ts';
import { JoinRoom } from '../../support/clients/operations.ts';
import { globalId, newUser, type Person, roomOf } from '../../support/clients/people.ts';
import { BlockedUsers, BlockUser, UnblockUser } from '../../users/support/blocks.ts';
import type { CostFixture } from './costFixture.ts';
import * as ask from './costOperations.ts';
import type { Pattern } from './pattern.ts';

let made = { code: '', inviteId: '' };
let directId = '';
let deletedId = '';

const aboutChi = ({ chi, roomId }: CostFixture) => ({ roomId, userId: globalId(chi) });

/** Sets the room's capacity. The room has ten members without Chi. */
export const resize = ({ aki, roomId }: CostFixture, capacity: number) =>
  aki.do(ask.CostUpdateRoom, { input: { roomId, capacity } });

const Waitlists = graphql(`
  query CostWaitlists { viewer { waitlists(first: 10) { edges { position node { name } } } } }
`);
const WaitWithInvite = graphql(`
  mutation CostWaitWithInvite($code: String!) {
    joinWithInvite(input: { code: $code, waitlist: true }) { membership { id } }
  }
`);

let leaving: Person;

export const roomPatterns: readonly Pattern[] = [
  {
    name: '`updateRoom`, a name',
    run: ({ aki, roomId }) => aki.do(ask.CostUpdateRoom, { input: { roomId, name: 'Other' } }),
  },
  {
    name: '`updateRoom`, a capacity',
    run: ({ aki, roomId }) => aki.do(ask.CostUpdateRoom, { input: { roomId, capacity: 100 } }),
  },
  {
    name: '`deleteRoom`, public, of 2 members',
    async before({ chi, dan }) {
      deletedId = await roomOf(chi, [dan]);
    },
    run: ({ chi }) => chi.do(ask.CostDeleteRoom, { roomId: deletedId }),
  },
  {
    name: '`deleteAccount`, of a user in one room',
    async before({ app, roomId }) {
      leaving = await newUser(app);
      await leaving.do(JoinRoom, { roomId });
    },
    run: () => leaving.do(ask.CostDeleteAccount, { confirm: leaving.handle }),
  },
  { name: '`addMember`', run: (fixture) => fixture.aki.do(ask.CostAdd, aboutChi(fixture)) },
  {
    name: '`setMemberRole`, a moderator',
    run: (fixture) => fixture.aki.do(ask.CostRole, { ...aboutChi(fixture), role: 'MODERATOR' }),
  },
  {
    name: '`setMemberRole`, an owner',
    run: (fixture) => fixture.aki.do(ask.CostRole, { ...aboutChi(fixture), role: 'OWNER' }),
  },
  {
    name: '`leaveRoom`, a room that another user added them to',
    run: ({ chi, roomId }) => chi.do(ask.CostLeave, { roomId }),
  },
  {
    name: '`removeMember`',
    async before({ chi, roomId }) {
      // After she has joined and left herself, nothing is remembered of who had added her.
      await chi.do(JoinRoom, { roomId });
      await chi.do(ask.CostLeave, { roomId });
      await chi.do(JoinRoom, { roomId });
    },
    run: (fixture) => fixture.aki.do(ask.CostRemove, aboutChi(fixture)),
  },
  {
    name: '`removeMember`, a member added by another user',
    before: (fixture) => fixture.aki.do(ask.CostAdd, aboutChi(fixture)),
    run: (fixture) => fixture.aki.do(ask.CostRemove, aboutChi(fixture)),
  },
  {
    name: '`banMember`, a member',
    before: ({ chi, roomId }) => chi.do(JoinRoom, { roomId }),
    run: (fixture) => fixture.aki.do(ask.CostBan, aboutChi(fixture)),
  },
  { name: '`Room.bans`, a page of 10', run: ({ aki, roomId }) => aki.do(Bans, { roomId }) },
  { name: '`unbanMember`', run: (fixture) => fixture.aki.do(ask.CostUnban, aboutChi(fixture)) },
  {
    name: '`createInvite`',
    async run({ aki, roomId }) {
      const { code, invite } = (await aki.do(ask.CostInvite, { roomId })).createInvite;
      made = { code, inviteId: invite.id };
    },
  },
  { name: '`Room.invites`, a page of 10', run: ({ aki, roomId }) => aki.do(Invites, { roomId }) },
  { name: '`joinWithInvite`', run: ({ chi }) => chi.do(ask.CostComeIn, { code: made.code }) },
  { name: '`revokeInvite`', run: ({ aki }) => aki.do(ask.CostRevoke, { inviteId: made.inviteId }) },
  {
    name: '`joinRoom`, a full room',
    async before(fixture) {
      await fixture.aki.do(ask.CostRemove, aboutChi(fixture));
      await resize(fixture, 10);
    },
    run: ({ chi, roomId }) => chi.refused(ask.CostJoin, { roomId }),
  },
  {
    name: '`joinRoom`, onto the waitlist',
    run: ({ chi, roomId }) => chi.do(ask.CostWait, { roomId }),
  },
  {
    name: '`joinRoom`, onto a waitlist that the viewer is on, with its edge',
    run: ({ chi, roomId }) => chi.do(ask.CostWaitEdge, { roomId }),
  },
  { name: '`Room.waitlistPosition`', run: ({ chi, roomId }) => chi.do(ask.CostPosition, { roomId }) },
  { name: '`Viewer.waitlists`, a page of 10, of one room', run: ({ chi }) => chi.do(Waitlists, {}) },
  { name: '`leaveRoom`, off the waitlist', run: ({ chi, roomId }) => chi.do(ask.CostLeave, { roomId }) },
  {
    name: '`joinWithInvite`, onto the waitlist',
    async before({ aki, roomId }) {
      const { code, invite } = (await aki.do(ask.CostInvite, { roomId })).createInvite;
      made = { code, inviteId: invite.id };
    },
    run: ({ chi }) => chi.do(WaitWithInvite, { code: made.code }),
  },
  { name: '`banMember`, on the waitlist', run: (fixture) => fixture.aki.do(ask.CostBan, aboutChi(fixture)) },
  {
    name: '`banMember`, not a member',
    async before(fixture) {
      await fixture.aki.do(ask.CostUnban, aboutChi(fixture));
      await resize(fixture, 100);
    },
    run: (fixture) => fixture.aki.do(ask.CostBan, aboutChi(fixture)),
  },
  { name: '`blockUser`', run: ({ chi, ben }) => chi.do(BlockUser, { input: { userId: globalId(ben) } }) },
  { name: '`Viewer.blockedUsers`, a page of 10', run: ({ chi }) => chi.do(BlockedUsers, { first: 10 }) },
  { name: '`unblockUser`', run: ({ chi, ben }) => chi.do(UnblockUser, { input: { userId: globalId(ben) } }) },
  {
    name: '`openDirectRoom`, a new room of 2 people',
    run: ({ aki, chi }) => aki.do(ask.CostDirect, { userIds: [globalId(chi)] }),
  },
  {
    name: '`openDirectRoom`, an existing room of 2 people',
    async run({ aki, chi }) {
      directId = (await chi.do(ask.CostDirect, { userIds: [globalId(aki)] })).openDirectRoom.room.id;
    },
  },
  {
    name: '`Room.people`, of a direct room of 2',
    run: ({ chi }) => chi.do(ask.CostPeople, { roomId: directId }),
  },
];
