/** Commands about connections: clients connect, lose the connection and continue, and the server restarts. */

import { command, isMember, nameOf } from './command.ts';
import type { Place } from './model.ts';
import { settled } from './real.ts';
import { openView, readRoom } from './view.ts';

/** Opens a view, or continues one that lost its connection from its cursor. */
export const connect = (place: Place) =>
  command({
    name: `connect(${place.person} to ${place.room})`,
    possible: (model) => isMember(model, place),
    async run(model, real) {
      const known = real.views.get(nameOf(place))?.view;
      if (known?.connected === true) return;
      const client = real.person(place.person);
      const roomId = real.rooms[place.room] ?? '';
      // Nothing changes after this, so the view at Synced must equal the room.
      if (!model.paused) await settled(real);
      if (known === undefined) {
        real.views.set(nameOf(place), { ...place, view: await openView(client, roomId) });
        return;
      }
      await known.resume(client);
      if (!model.paused) await known.expectState(await readRoom(client, roomId));
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

/** Holds the stream back: nothing is derived or published, everything else works. */
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

/** Restarts the server in the middle of its work. Clients keep their cursors and reconnect. */
export const restart = command({
  name: 'restart',
  possible: ({ paused, restarts }) => !paused && restarts < 1,
  async run(model, real) {
    model.restarts++;
    await real.restart();
  },
});
