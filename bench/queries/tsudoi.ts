/** Ours, on the embedded database, with rooms as people use them. */
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { counterOf } from '../../src/rooms/room.ts';
import { startTestApp, tokenFor } from '../../test/support/servers/app.ts';
import { inParallel, serve } from '../support.ts';
import { PAGE, queriesOf } from './queries.ts';

const AUTHORS = 20;
const LIKED = 17;
const THREADS = 10;
/** Each has liked the same messages, and asks for a page of the first room, or of a room that no other asks for. */
const VIEWERS = 16;

const app = await startTestApp();
const { users, rooms, messages, likes } = app.services;
const owner = await users.ensure({ sub: 'owner', handle: 'owner' });
const people: string[] = [];
await inParallel(AUTHORS, 8, async (i) => {
  people[i] = await users.ensure({ sub: `person${i}`, handle: `person${i}` });
});

/** Resolves to its id when every root has its position. */
async function createRoom(): Promise<string> {
  const { id: room } = await rooms.create(owner, {
    name: 'Bench',
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
  });
  await inParallel(AUTHORS, 8, (i) => rooms.join(people[i] ?? owner, room));
  for (let i = 0; i < PAGE; i++) {
    const author = people[i % AUTHORS] ?? owner;
    const root = await messages.send({
      room,
      author,
      body: `Message ${i}: as long as people write in a chat.`,
    });
    if (i < LIKED) await inParallel(VIEWERS, 8, (j) => likes.add(people[j] ?? owner, root));
    if (i >= PAGE - THREADS) await messages.send({ room, author: owner, body: 'A reply', replyTo: root });
  }
  while ((await positions(room)) < PAGE) await new Promise((resolve) => setImmediate(resolve));
  return room;
}

async function positions(room: string): Promise<number> {
  const item = await app.dynamo.get(keys.counter(room));
  return item === undefined ? 0 : counterOf(item).lastPosition;
}

const roomIds: string[] = [];
for (let i = 0; i < VIEWERS; i++) roomIds.push(encodeId('Room', await createRoom()));
const tokens = await Promise.all(Array.from({ length: VIEWERS }, (_, i) => tokenFor(`person${i}`)));

serve(
  async ({ command }) => {
    if (command === 'target') {
      return { url: app.url, tokens, queries: queriesOf(roomIds) };
    }
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  () => app.stop(),
);
