/** What owners do: they rename the room, and change roles. */
import { expect } from 'vitest';
import { SetMemberRole, UpdateRoom } from '../../../support/operations.ts';
import { globalId } from '../../../support/people.ts';
import { command, roomAt, type Target } from './command.ts';
import { type Model, ownersOf, type Role } from './model.ts';
import { type Real, settled } from './real.ts';
import { readRoom } from './view.ts';

let names = 0;

/** Clients that have the room open receive it, not only those that open it later. */
async function isSeen(model: Model, real: Real, { room }: Target): Promise<void> {
  const watching = [...real.views.values()].filter((one) => one.room === room && one.view.connected);
  if (model.paused || watching.length === 0) return;
  await settled(real);
  for (const { person, view } of watching) {
    await view.shows(await readRoom(real.person(person), real.rooms[room] ?? ''));
  }
}

/** Most users who try are owners, if there is one. */
function whoTries(model: Model, act: Target): number {
  const [owner] = [...roomAt(model, act).members].find(([, { role }]) => role === 'OWNER') ?? [];
  return act.pick % 4 === 0 ? act.person : (owner ?? act.person);
}

export const rename = (act: Target) =>
  command({
    name: `rename(${act.room} by ${act.person} ${act.pick})`,
    possible: () => true,
    async run(model, real) {
      const mine = roomAt(model, act);
      const by = whoTries(model, act);
      const name = `Room ${++names}`;
      const input = { roomId: real.rooms[act.room] ?? '', name };
      const refused = await real.person(by).refused(UpdateRoom, { input });
      const role = mine.members.get(by)?.role ?? 'MEMBER';
      expect(refused).toBe(role === 'MEMBER' ? 'FORBIDDEN' : undefined);
      if (refused !== undefined) return;
      mine.name = name;
      await isSeen(model, real, act);
    },
  });

/** Gives a member another role. */
export const setRole = (act: Target, role: Role) =>
  command({
    name: `setRole(${act.person} in ${act.room}: ${act.pick} becomes ${role})`,
    possible: (model) => roomAt(model, act).members.size > 0,
    async run(model, real) {
      const mine = roomAt(model, act);
      const by = whoTries(model, act);
      const everybody = [...mine.members.keys()].sort();
      const to = everybody[act.person % everybody.length] ?? 0;
      const member = mine.members.get(to);
      const refused = await real.person(by).refused(SetMemberRole, {
        ...{ roomId: real.rooms[act.room] ?? '', userId: globalId(real.person(to)), role },
      });
      const needed = member?.role === 'OWNER' && role !== 'OWNER' && ownersOf(mine) === 1;
      const allowed = mine.members.get(by)?.role === 'OWNER';
      expect(refused).toBe(!allowed ? 'FORBIDDEN' : needed ? 'CONFLICT' : undefined);
      if (refused !== undefined || member === undefined || member.role === role) return;
      member.role = role;
      real.membershipChanged({ person: to, room: act.room });
      await isSeen(model, real, act);
    },
  });
