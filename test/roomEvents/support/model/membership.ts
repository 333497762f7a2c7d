/** Commands that join and leave. */
import { expect } from 'vitest';
import { JoinRoom, LeaveRoom } from '../../../support/clients/operations.ts';
import { rawId } from '../../../support/clients/people.ts';
import { positioned } from '../../../support/database/table.ts';
import { command, isMember, nameOf, roomAt } from './command.ts';
import { ownersOf, type Place } from './model.ts';

export const join = (place: Place) =>
  command({
    name: `join(${place.person} to ${place.room})`,
    possible: (model) => !isMember(model, place),
    async run(model, real) {
      const roomId = real.rooms[place.room] ?? '';
      const modelRoom = roomAt(model, place);
      // Roots that have a position when the user joins count as read.
      if (!model.paused) await positioned(real.dynamo, rawId(roomId));
      await real.person(place.person).do(JoinRoom, { roomId });
      const read = model.paused ? modelRoom.positioned : modelRoom.roots.length;
      modelRoom.members.set(place.person, {
        role: modelRoom.members.size === 0 ? 'OWNER' : 'MEMBER',
        read,
        muted: false,
      });
      real.membershipChanged(place);
    },
  });

export const leave = (place: Place) =>
  command({
    name: `leave(${place.person} from ${place.room})`,
    possible: (model) => isMember(model, place),
    async run(model, real) {
      const modelRoom = roomAt(model, place);
      const owner = modelRoom.members.get(place.person)?.role === 'OWNER';
      const needed = owner && ownersOf(modelRoom) === 1 && modelRoom.members.size > 1;
      const roomId = real.rooms[place.room] ?? '';
      const refused = await real.person(place.person).refused(LeaveRoom, { roomId });
      expect(refused).toBe(needed ? 'CONFLICT' : undefined);
      if (needed) return;
      modelRoom.members.delete(place.person);
      real.membershipChanged(place);
      const name = nameOf(place);
      // Former members receive nothing.
      await real.views.get(name)?.view.ended();
      real.views.delete(name);
    },
  });
