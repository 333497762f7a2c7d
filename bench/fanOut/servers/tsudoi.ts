/** Ours, with all that leads to a push: the action, the stream and the derived writes. */
import { startTestApp } from '../../../test/support/servers/app.ts';
import { inParallel } from '../../support.ts';
import type { Subject } from '../subjects.ts';
import type { Server } from './server.ts';

export async function tsudoi(subject: Subject, count: number): Promise<Server> {
  const app = await startTestApp();
  const { users, rooms } = app.services;
  const owner = await users.ensure({ sub: 'owner', handle: 'owner' });
  const { id: room } = await rooms.create(owner, {
    name: 'Bench',
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
  });
  const people: string[] = [];
  await inParallel(count, 16, async (i) => {
    const user = await users.ensure({ sub: `person-${i}` });
    await rooms.join(user, room);
    people[i] = user;
  });
  const tell = await subject.prepare({ app, room, owner, people });
  return { url: app.url, variables: subject.variables(room), tell, stop: () => app.stop() };
}
