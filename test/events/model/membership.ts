/** Who comes and goes. */
import { expect } from 'vitest';
import { JoinRoom, LeaveRoom } from '../../support/operations.ts';
import { rawId } from '../../support/people.ts';
import { positioned } from '../../support/table.ts';
import { ownersOf } from './room.ts';
import { command, isMember, nameOf, type Place, roomAt } from './step.ts';

export const join = (place: Place) =>
  command({
    name: `join(${place.person} to ${place.room})`,
    possible: (model) => !isMember(model, place),
    async run(model, real) {
      const roomId = real.rooms[place.room] ?? '';
      const mine = roomAt(model, place);
      // Who joins has read what has a position at that moment.
      if (!model.paused) await positioned(real.dynamo, rawId(roomId));
      await real.person(place.person).do(JoinRoom, { roomId });
      const read = model.paused ? mine.positioned : mine.roots.length;
      mine.members.set(place.person, { owner: mine.members.size === 0, read, muted: false });
    },
  });

export const leave = (place: Place) =>
  command({
    name: `leave(${place.person} from ${place.room})`,
    possible: (model) => isMember(model, place),
    async run(model, real) {
      const mine = roomAt(model, place);
      const owner = mine.members.get(place.person)?.owner === true;
      const needed = owner && ownersOf(mine) === 1 && mine.members.size > 1;
      const roomId = real.rooms[place.room] ?? '';
      const refused = await real.person(place.person).refused(LeaveRoom, { roomId });
      expect(refused).toBe(needed ? 'CONFLICT' : undefined);
      if (needed) return;
      mine.members.delete(place.person);
      const name = nameOf(place);
      // Whoever leaves hears nothing more.
      await real.views.get(name)?.view.ended();
      real.views.delete(name);
    },
  });
