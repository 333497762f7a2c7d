/** Ours, on the embedded database, with a room as people use it. */
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { counterOf } from '../../src/rooms/room.ts';
import { startTestApp, tokenFor } from '../../test/support/servers/app.ts';
import { inParallel, serve } from '../support.ts';
import { PAGE, queriesOf } from './queries.ts';

const AUTHORS = 20;
const LIKED = 17;
const THREADS = 10;

const app = await startTestApp();
const { users, rooms, messages, likes } = app.services;
const owner = await users.ensure({ sub: 'owner', handle: 'owner' });
const { id: room } = await rooms.create(owner, {
  ...{ name: 'Bench', topic: null, visibility: 'PUBLIC', capacity: null },
});
async function positions(): Promise<number> {
  const item = await app.dynamo.get(keys.counter(room));
  return item === undefined ? 0 : counterOf(item).lastPosition;
}

const people: string[] = [];
await inParallel(AUTHORS, 8, async (i) => {
  const user = await users.ensure({ sub: `person-${i}`, handle: `person${i}` });
  await rooms.join(user, room);
  people[i] = user;
});
for (let i = 0; i < PAGE; i++) {
  const author = people[i % AUTHORS] ?? owner;
  const root = await messages.send({
    room,
    author,
    body: `Message ${i}: as long as people write in a chat.`,
  });
  if (i < LIKED) await likes.add(owner, root);
  if (i >= PAGE - THREADS) await messages.send({ room, author: owner, body: 'A reply', replyTo: root });
}
// Every root has its position.
while ((await positions()) < PAGE) await new Promise((resolve) => setImmediate(resolve));

serve(
  async ({ command }) => {
    if (command === 'target') {
      return { url: app.url, token: await tokenFor('owner'), queries: queriesOf(encodeId('Room', room)) };
    }
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  () => app.stop(),
);
