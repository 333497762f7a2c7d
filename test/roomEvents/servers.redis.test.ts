/** Two servers on one table and one Redis. */
import { describe, expect, test } from 'vitest';
import { LeaveRoom } from '../support/clients/operations.ts';
import { connectTo, newUser, rawId, roomOf, say } from '../support/clients/people.ts';
import { positioned } from '../support/database/table.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { useTwoServers } from '../support/servers/twoServers.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from './support/model/real.ts';
import { openView, readRoom } from './support/model/view.ts';
import { RoomEvents } from './support/operations.ts';

describe.skipIf(!redisAvailable)('roomEvents: on two servers', () => {
  const servers = useTwoServers();

  const settledIn = (roomId: string) => settled({ dynamo: servers.database.dynamo, rooms: [roomId] });

  test('a view that continues at the other server shows the room, and is live there', async () => {
    const [aki, ben] = [await newUser(servers.here), await newUser(servers.here)];
    const roomId = await roomOf(aki, [ben]);
    const view = await openView(ben, roomId);
    const root = await say(aki, roomId, 'one');
    await settledIn(roomId);
    await view.shows(await readRoom(ben, roomId));
    view.disconnect();
    await say(aki, roomId, 'missed', root.id);
    await settledIn(roomId);

    const benThere = await connectTo(servers.there, ben);
    await view.resume(benThere);
    view.expectState(await readRoom(ben, roomId));
    await say(await connectTo(servers.there, aki), roomId, 'live');
    await settledIn(roomId);
    await view.shows(await readRoom(benThere, roomId));
    expect(view.resyncs).toBe(0);
  });

  test('a user who leaves by one server receives nothing more at the other, where the subscription completes', async () => {
    const [aki, ben] = [await newUser(servers.here), await newUser(servers.here)];
    const roomId = await roomOf(aki, [ben]);
    const events = (await connectTo(servers.there, ben)).subscribe(RoomEvents, { roomId });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    await say(aki, roomId, 'for Ben');
    await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');

    await ben.do(LeaveRoom, { roomId });
    await say(aki, roomId, 'not for Ben');
    await positioned(servers.database.dynamo, rawId(roomId));
    await expect(events.until(() => false)).rejects.toThrow('complete');
    expect(JSON.stringify(events.seen)).not.toContain('not for Ben');
  });

  test('while Redis is down subscriptions complete and new ones are refused; messages are sent later', async () => {
    const [aki, ben] = [await newUser(servers.here), await newUser(servers.there)];
    const roomId = await roomOf(aki, [ben]);
    const view = await openView(ben, roomId);
    await say(aki, roomId, 'before');
    await settledIn(roomId);
    await view.shows(await readRoom(ben, roomId));

    await servers.redis.kill();
    await view.ended();
    const refused = ben.subscribe(RoomEvents, { roomId });
    await expect(refused.next()).rejects.toThrow('UNAVAILABLE');
    for (let i = 0; i < 5; i++) await say(aki, roomId, `meanwhile ${i}`);
    expect(Object.keys((await readRoom(ben, roomId)).messages)).toHaveLength(6);

    await servers.redis.restart();
    await settledIn(roomId);
    await eventually(() => view.resume(ben), 100);
    await view.shows(await readRoom(ben, roomId));
    await say(aki, roomId, 'after');
    await settledIn(roomId);
    await view.shows(await readRoom(ben, roomId));
    expect(view.resyncs).toBe(0);
  });
});
