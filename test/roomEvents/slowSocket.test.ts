import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMessageId } from '../../src/messages/message.ts';
import { connect, type Message } from '../server/support/socket.ts';
import { people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';
import { settled } from './support/model/real.ts';
import { RoomEvents } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/**
 * Half a megabyte for each message: enough to fill all buffers between the server and a client that does not read. A
 * kernel may buffer up to 36 MB (net.ipv4.tcp_rmem and tcp_wmem).
 */
const COPIES = 45;
const LONG = '集'.repeat(4_000);
const HEAVY = `subscription ($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded { message { ${Array.from({ length: COPIES }, (_, i) => `b${i}: body`).join(' ')} } }
  }
}`;
const FILLING = 80;
/** Each reply makes two changes: its own and its root's. */
const REPLIES = 135;

test('roomEvents: a client that stopped reading gets ResyncRequired, and other clients receive everything', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben, chi]);
  const quick = chi.subscribe(RoomEvents, { roomId });
  await quick.until(({ roomEvents }) => roomEvents.__typename === 'Synced');

  const slow = await connect(`${app.url.replace('http', 'ws')}/graphql`);
  slow.send({ type: 'connection_init', payload: { authorization: `Bearer ${await tokenFor(ben.handle)}` } });
  expect(await slow.next()).toMatchObject({ type: 'connection_ack' });
  slow.subscribe('1', HEAVY, { roomId });
  expect(kindOf(await slow.next())).toBe('Synced');
  slow.raw.pause();

  const room = rawId(roomId);
  const root = await say(aki, roomId, 'the thread');
  const replyTo = parseMessageId(rawId(root.id));
  if (replyTo === undefined) throw new Error(`${root.id} is not the id of a message.`);
  const receivedAll = quick.until(
    ({ roomEvents }) => roomEvents.__typename === 'MessageAdded' && roomEvents.message.body === 'the last',
  );
  const send = app.services.messages.send;
  for (let i = 0; i < FILLING; i++) await send({ room, author: aki.id, body: LONG });
  for (let i = 0; i < REPLIES; i++) await send({ room, author: aki.id, body: `reply ${i}`, replyTo });
  await say(aki, roomId, 'the last');
  await settled({ dynamo: app.dynamo, rooms: [roomId] });
  await receivedAll;
  expect(quick.seen.filter(({ roomEvents: { __typename: type } }) => type === 'MessageAdded')).toHaveLength(
    1 + FILLING + REPLIES + 1,
  );

  slow.raw.resume();
  const kinds: string[] = [];
  while (kinds.at(-1) !== 'Synced') kinds.push(kindOf(await slow.next()));
  expect(kinds.slice(-2)).toEqual(['ResyncRequired', 'Synced']);
  expect(kinds.length).toBeLessThan(FILLING + 2);
  await say(aki, roomId, 'live');
  const live = await slow.next();
  expect(live.payload.data.roomEvents).toMatchObject({ __typename: 'MessageAdded', message: { b0: 'live' } });
});

const kindOf = ({ payload }: Message): string => payload.data.roomEvents.__typename;
