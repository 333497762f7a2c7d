/** Commands that only owners or moderators may do: they rename the room and change roles. */
import { expect } from 'vitest';
import { SetMemberRole, UpdateRoom } from '../../../support/clients/operations.ts';
import { globalId } from '../../../support/clients/people.ts';
import { command, roomAt, type Target } from './command.ts';
import { type Model, ownersOf, type Role } from './model.ts';
import { type Real, settled } from './real.ts';
import { readRoom } from './view.ts';

let names = 0;

/** Waits until the clients that have the room open show its current state. */
async function expectShown(model: Model, real: Real, { room }: Target): Promise<void> {
  const watching = [...real.views.values()].filter((one) => one.room === room && one.view.connected);
  if (model.paused || watching.length === 0) return;
  await settled(real);
  for (const { person, view } of watching) {
    await view.shows(await readRoom(real.person(person), real.rooms[room] ?? ''));
  }
}

/** The user who sends the mutation: in three of four cases an owner, if the room has one. */
function actorOf(model: Model, target: Target): number {
  const [owner] = [...roomAt(model, target).members].find(([, { role }]) => role === 'OWNER') ?? [];
  return target.pick % 4 === 0 ? target.person : (owner ?? target.person);
}

export const rename = (target: Target) =>
  command({
    name: `rename(${target.room} by ${target.person} ${target.pick})`,
    possible: () => true,
    async run(model, real) {
      const modelRoom = roomAt(model, target);
      const by = actorOf(model, target);
      const name = `Room ${++names}`;
      const input = { roomId: real.rooms[target.room] ?? '', name };
      const refused = await real.person(by).refused(UpdateRoom, { input });
      const role = modelRoom.members.get(by)?.role ?? 'MEMBER';
      expect(refused).toBe(role === 'MEMBER' ? 'FORBIDDEN' : undefined);
      if (refused !== undefined) return;
      modelRoom.name = name;
      await expectShown(model, real, target);
    },
  });

/** Gives a member another role. */
export const setRole = (target: Target, role: Role) =>
  command({
    name: `setRole(${target.person} in ${target.room}: ${target.pick} becomes ${role})`,
    possible: (model) => roomAt(model, target).members.size > 0,
    async run(model, real) {
      const modelRoom = roomAt(model, target);
      const by = actorOf(model, target);
      const users = [...modelRoom.members.keys()].sort();
      const to = users[target.person % users.length] ?? 0;
      const member = modelRoom.members.get(to);
      const refused = await real.person(by).refused(SetMemberRole, {
        roomId: real.rooms[target.room] ?? '',
        userId: globalId(real.person(to)),
        role,
      });
      const needed = member?.role === 'OWNER' && role !== 'OWNER' && ownersOf(modelRoom) === 1;
      const allowed = modelRoom.members.get(by)?.role === 'OWNER';
      expect(refused).toBe(!allowed ? 'FORBIDDEN' : needed ? 'CONFLICT' : undefined);
      if (refused !== undefined || member === undefined || member.role === role) return;
      member.role = role;
      real.membershipChanged({ person: to, room: target.room });
      await expectShown(model, real, target);
    },
  });
