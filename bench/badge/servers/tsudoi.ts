/** Ours, with everything behind a push: the mutation, the stream and what is derived from it. */
import { startTestApp } from '../../../test/support/app.ts';
import { inParallel } from '../../support.ts';
import type { Server } from './server.ts';

export async function tsudoi(people: number): Promise<Server> {
  const app = await startTestApp();
  const { users, rooms, messages } = app.services;
  const owner = await users.ensure({ sub: 'owner', handle: 'owner' });
  const room = await rooms.create(owner, {
    name: 'Bench',
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
  });
  await inParallel(people, 16, async (i) => {
    const user = await users.ensure({ sub: `person-${i}` });
    await rooms.join(user, room.id);
  });
  return {
    url: app.url,
    send: async (body) => void (await messages.send({ room: room.id, author: owner, body })),
    stop: () => app.stop(),
  };
}
