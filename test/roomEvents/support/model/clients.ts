/** What clients do that only read: they connect, lose the connection, reconnect; and what servers do to them. */

import { command, isMember, nameOf } from './command.ts';
import type { Place } from './model.ts';
import { settled } from './real.ts';
import { openView, readRoom } from './view.ts';

/** Opens a view, or lets one that lost its connection continue from its cursor. */
export const look = (place: Place) =>
  command({
    name: `look(${place.person} at ${place.room})`,
    possible: (model) => isMember(model, place),
    async run(model, real) {
      const known = real.views.get(nameOf(place))?.view;
      if (known?.connected === true) return;
      const client = real.person(place.person);
      const roomId = real.rooms[place.room] ?? '';
      // Nothing happens meanwhile, so what is shown at Synced can be compared with the room itself.
      if (!model.paused) await settled(real);
      if (known === undefined) {
        real.views.set(nameOf(place), { ...place, view: await openView(client, roomId) });
        return;
      }
      await known.resume(client);
      if (!model.paused) await known.showsAlready(await readRoom(client, roomId));
    },
  });

export const disconnect = (place: Place) =>
  command({
    name: `disconnect(${place.person} from ${place.room})`,
    possible: () => true,
    async run(_model, real) {
      real.views.get(nameOf(place))?.view.disconnect();
    },
  });

/** The stream is held back: nothing is derived and nothing is published; everything else works. */
export const pause = command({
  name: 'pause',
  possible: ({ paused }) => !paused,
  async run(model, real) {
    await settled(real);
    real.gate.close();
    model.paused = true;
    for (const room of model.rooms) room.positioned = room.roots.length;
  },
});

export const resume = command({
  name: 'resume',
  possible: ({ paused }) => paused,
  async run(model, real) {
    real.gate.open();
    model.paused = false;
  },
});

/** Restarts the server in the middle of its work; clients keep their cursors and come back. */
export const restart = command({
  name: 'restart',
  possible: ({ paused, restarts }) => !paused && restarts < 1,
  async run(model, real) {
    model.restarts++;
    await real.restart();
  },
});
