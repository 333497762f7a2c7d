import { expect, test } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { unavailable } from '../../src/core/errors.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createRoomCache } from '../../src/live/roomCache.ts';
import { roomTopic } from '../../src/roomEvents/event.ts';
import { openPerson } from '../../src/unread/badge/openPerson.ts';
import { createUnread } from '../../src/unread/unread.ts';
import { silent } from '../stream/support.ts';
import { startTestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { people, rawId, roomOf } from '../support/people.ts';

test('of a room nothing is told while nobody knows whether the person is in it still', async () => {
  const app = await startTestApp();
  const bus = createMemoryBus({ log: silent });
  try {
    const { dynamo } = app;
    const [aki, ben] = await people(app, 2);
    const room = rawId(await roomOf(aki, [ben]));
    await app.quiet();
    let troubles = 0;
    const opened = openPerson({
      user: ben.id,
      unread: createUnread({ dynamo }),
      rooms: createRoomCache({ dynamo, bus }),
      bus,
      log: silent,
      strongly: () => Promise.reject(unavailable()),
      onTrouble: () => troubles++,
    });
    await opened.ready;
    const shown = () => opened.person.rooms.get(room)?.unreadCount;
    const counter = await dynamo.get(keys.counter(room));
    const tell = (messageCount: number, removals: number) =>
      bus.publish(roomTopic(room), {
        ...{ room, entries: [], changeCount: Number(counter?.changeCount) },
        ...{ messageCount, removals },
      });
    await tell(1, 0);
    expect(shown()).toBe(1);
    await tell(2, 1);
    await eventually(() => expect(troubles).toBe(1));
    await tell(3, 1);
    expect(shown()).toBe(1);
    // Read again they are: what was told meanwhile is shown.
    await opened.read();
    expect(shown()).toBe(3);
    await tell(4, 1);
    expect(shown()).toBe(4);
    opened.close();
  } finally {
    await bus.close();
    await app.stop();
  }
});
