/** What is done to rooms and to the people in them, by the names of docs/data-model.md. */
import { Bans, Invites } from '../rooms/support/operations.ts';
import { JoinRoom } from '../support/operations.ts';
import { globalId } from '../support/people.ts';
import * as ask from './costOperations.ts';
import type { World } from './costWorld.ts';
import type { Pattern } from './pattern.ts';

let made = { code: '', inviteId: '' };
let directId = '';

const aboutChi = ({ chi, roomId }: World) => ({ roomId, userId: globalId(chi) });

/** Ten are in it besides Chi. */
export const resize = ({ aki, roomId }: World, capacity: number) =>
  aki.do(ask.CostUpdateRoom, { input: { roomId, capacity } });

export const roomPatterns: readonly Pattern[] = [
  {
    name: '`updateRoom`, a name',
    run: ({ aki, roomId }) => aki.do(ask.CostUpdateRoom, { input: { roomId, name: 'Other' } }),
  },
  {
    name: '`updateRoom`, a capacity',
    run: ({ aki, roomId }) => aki.do(ask.CostUpdateRoom, { input: { roomId, capacity: 100 } }),
  },
  { name: '`addMember`', run: (world) => world.aki.do(ask.CostAdd, aboutChi(world)) },
  {
    name: '`setMemberRole`, a moderator',
    run: (world) => world.aki.do(ask.CostRole, { ...aboutChi(world), role: 'MODERATOR' }),
  },
  {
    name: '`setMemberRole`, an owner',
    run: (world) => world.aki.do(ask.CostRole, { ...aboutChi(world), role: 'OWNER' }),
  },
  { name: '`removeMember`', run: (world) => world.aki.do(ask.CostRemove, aboutChi(world)) },
  {
    name: '`banMember`, of the room',
    before: ({ chi, roomId }) => chi.do(JoinRoom, { roomId }),
    run: (world) => world.aki.do(ask.CostBan, aboutChi(world)),
  },
  { name: '`Room.bans`, a page of 10', run: ({ aki, roomId }) => aki.do(Bans, { roomId }) },
  { name: '`unbanMember`', run: (world) => world.aki.do(ask.CostUnban, aboutChi(world)) },
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
    name: '`joinRoom`, waiting in line',
    async before(world) {
      await world.aki.do(ask.CostRemove, aboutChi(world));
      await resize(world, 10);
    },
    run: ({ chi, roomId }) => chi.do(ask.CostWait, { roomId }),
  },
  { name: '`Room.waitlistPosition`', run: ({ chi, roomId }) => chi.do(ask.CostPosition, { roomId }) },
  { name: '`leaveRoom`, the line', run: ({ chi, roomId }) => chi.do(ask.CostLeave, { roomId }) },
  {
    name: '`banMember`, not of the room',
    before: (world) => resize(world, 100),
    run: (world) => world.aki.do(ask.CostBan, aboutChi(world)),
  },
  {
    name: '`openDirectRoom`, a new one of 2 people',
    run: ({ aki, chi }) => aki.do(ask.CostDirect, { userIds: [globalId(chi)] }),
  },
  {
    name: '`openDirectRoom`, of 2 people',
    async run({ aki, chi }) {
      directId = (await chi.do(ask.CostDirect, { userIds: [globalId(aki)] })).openDirectRoom.room.id;
    },
  },
  {
    name: '`Room.people`, of a direct one of 2',
    run: ({ chi }) => chi.do(ask.CostPeople, { roomId: directId }),
  },
];
