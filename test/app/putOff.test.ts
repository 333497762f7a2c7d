import { expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

test('a stop writes the read position that waits for the author’s next message', async () => {
  const database = await openTestDynamo({ file: true });
  const app = await startTestApp({ database });
  try {
    const { users, rooms, messages } = app.services;
    const author = await users.ensure({ sub: 'aki' });
    const { id: room } = await rooms.create(author, {
      name: 'Lunch',
      topic: null,
      visibility: 'PUBLIC',
      capacity: null,
    });
    const membership = () => database.dynamo.get(keys.membership(author, room));
    for (const body of ['Who is hungry?', 'It is noon.']) await messages.send({ room, author, body });
    await eventually(async () => {
      expect(await database.dynamo.get(keys.counter(room))).toMatchObject({ messageCount: 2 });
    });
    await app.quiet();
    expect(await membership()).toMatchObject({ readPosition: 0, readTo: expect.any(String) });
    await app.stop();
    expect(await membership()).toMatchObject({ readPosition: 2 });
    expect(await membership()).not.toHaveProperty('readTo');
  } finally {
    await app.stop();
    await database.stop();
  }
});
