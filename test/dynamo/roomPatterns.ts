/** What is done to rooms and to the people in them, by the names of docs/data-model.md. */
import { Bans } from '../rooms/operations.ts';
import { JoinRoom } from '../support/operations.ts';
import { globalId } from '../support/people.ts';
import * as ask from './costOperations.ts';
import type { World } from './costWorld.ts';

export interface Pattern {
  readonly name: string;
  /** What has to be so before; not measured. */
  readonly before?: (world: World) => Promise<unknown>;
  readonly run: (world: World) => Promise<unknown>;
}

const aboutChi = ({ chi, roomId }: World) => ({ roomId, userId: globalId(chi) });

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
  { name: '`banMember`, not of the room', run: (world) => world.aki.do(ask.CostBan, aboutChi(world)) },
];
