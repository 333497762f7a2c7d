/** An event that can be read only in part: no client may continue after it as if it had received everything. */
import { expect, test } from 'vitest';
import { connect, type Message } from '../server/support/socket.ts';
import { startFaultProxy } from '../stream/faultProxy.ts';
import { startTestApp, tokenFor } from '../support/app.ts';
import { openTestDynamo } from '../support/dynamo.ts';
import { people, rawId, roomOf, say } from '../support/people.ts';
import { positioned } from '../support/table.ts';

const EVENTS = `
  subscription ($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      cursor
      room { messages(last: 1) { edges { node { body } } } }
      ... on MessageAdded { message { body } }
    }
  }
`;
const MINE = `
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
    const told: Record<string, Message[]> = { room: [], mine: [] };
    const isEnd = ({ type }: Message) => type === 'complete';
    /** Receives messages until each of these has one that matches. */
    const until = async (ids: readonly string[], isMeant: (message: Message) => boolean) => {
      while (!ids.every((id) => told[id]?.some(isMeant))) {
        const message = await socket.next();
        told[message.id ?? '']?.push(message);
      }
    };
    socket.subscribe('room', EVENTS, { roomId });
    socket.subscribe('mine', MINE);
    await until(['room', 'mine'], ({ type }) => type === 'next');
    const after = told.room?.at(-1)?.payload.data.roomEvents.cursor;

    let away = true;
    proxy.onRequest('Query', () => {
      if (away) proxy.fail('Query', 'InternalServerError');
    });
    await say(aki, roomId, 'hello');
    await until(['room', 'mine'], isEnd);
    for (const messages of Object.values(told)) {
      const [untold, end] = messages.slice(-2);
      expect(untold?.payload.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
      expect(end?.type).toBe('complete');
    }

    await positioned(database.dynamo, rawId(roomId));
    away = false;
    told.room = [];
    told.mine = [];
    socket.subscribe('room', EVENTS, { roomId, after });
    socket.subscribe('mine', MINE);
    await until(['room', 'mine'], ({ type }) => type === 'next');
    expect(told.room[0]?.payload).toMatchObject({ data: { roomEvents: { message: { body: 'hello' } } } });
    expect(told.mine[0]?.payload).toMatchObject({
      data: { unread: { total: 1, rooms: [{ unreadCount: 1 }] } },
    });
  } finally {
    await app.stop();
    await proxy.stop();
    await database.stop();
  }
});
