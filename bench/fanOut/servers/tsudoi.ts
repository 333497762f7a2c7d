/** Ours, with all that leads to a push: the action, the stream and the derived writes. */
import { openTestDynamo, type TestDynamo } from '../../../test/support/database/dynamo.ts';
import { startTestApp } from '../../../test/support/servers/app.ts';
import { letIn } from '../../people.ts';
import { inParallel } from '../../support.ts';
import type { Subject } from '../subjects.ts';
import type { Server } from './server.ts';

/** A server that has ended when the one to be measured starts: nothing of the readers is kept in memory. */
async function fill(database: TestDynamo, count: number) {
  const app = await startTestApp({ database });
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
    const user = await letIn(users, i);
    await rooms.join(user, room);
    people[i] = user;
  });
  await app.stop();
  return { room, owner, people };
}

export async function tsudoi(subject: Subject, count: number): Promise<Server> {
  // In a file: in memory the embedded database becomes slow after 10,000 writes.
  const database = await openTestDynamo({ file: true });
  const { room, owner, people } = await fill(database, count);
  const app = await startTestApp({ database });
  const tell = await subject.prepare({ app, room, owner, people });
  return {
    url: app.url,
    variables: subject.variables(room),
    tell,
    async stop() {
      await app.stop();
      await database.stop();
    },
  };
}
