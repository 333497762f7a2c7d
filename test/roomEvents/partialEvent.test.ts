/** An event of which one part cannot be read. A client must not continue as if it had received all of it. */
import { expect, test } from 'vitest';
import { connect, type Message } from '../server/support/socket.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { people, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, tokenFor } from '../support/servers/app.ts';

const EVENTS = `
  subscription ($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      cursor
      room { messages(last: 1) { edges { node { body } } } }
      ... on MessageAdded { message { body } }
    }
  }
`;
const UNREAD = `
  subscription {
    unread { total rooms { unreadCount room { messages(last: 1) { edges { node { body } } } } } }
  }
`;

test('partial event: the subscription completes after it, and the next one sends the missing part', async () => {
  const database = await openTestDynamo();
  const proxy = await startFaultProxy(database.endpoint);
  const app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
  try {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const socket = await connect(`${app.url.replace('http', 'ws')}/graphql`);
    const authorization = `Bearer ${await tokenFor(ben.handle)}`;
    socket.send({ type: 'connection_init', payload: { authorization } });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    const received: Record<string, Message[]> = { room: [], unread: [] };
    const isEnd = ({ type }: Message) => type === 'complete';
    /** Receives messages until each of these subscriptions has one that matches. */
    const until = async (ids: readonly string[], matches: (message: Message) => boolean) => {
      while (!ids.every((id) => received[id]?.some(matches))) {
        const message = await socket.next();
        received[message.id ?? '']?.push(message);
      }
    };
    socket.subscribe('room', EVENTS, { roomId });
    socket.subscribe('unread', UNREAD);
    await until(['room', 'unread'], ({ type }) => type === 'next');
    const after = received.room?.at(-1)?.payload.data.roomEvents.cursor;

    let isTableDown = true;
    proxy.onRequest('Query', () => {
      if (isTableDown) proxy.fail('Query', 'InternalServerError');
    });
    await say(aki, roomId, 'hello');
    await until(['room', 'unread'], isEnd);
    for (const messages of Object.values(received)) {
      const [partial, end] = messages.slice(-2);
      expect(partial?.payload.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
      expect(end?.type).toBe('complete');
    }

    await positioned(database.dynamo, rawId(roomId));
    isTableDown = false;
    received.room = [];
    received.unread = [];
    socket.subscribe('room', EVENTS, { roomId, after });
    socket.subscribe('unread', UNREAD);
    await until(['room', 'unread'], ({ type }) => type === 'next');
    expect(received.room[0]?.payload).toMatchObject({ data: { roomEvents: { message: { body: 'hello' } } } });
    expect(received.unread[0]?.payload).toMatchObject({
      data: { unread: { total: 1, rooms: [{ unreadCount: 1 }] } },
    });
  } finally {
    await app.stop();
    await proxy.stop();
    await database.stop();
  }
});
