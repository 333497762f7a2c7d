/** What overlaps on one websocket: an operation is over later than its client has said so. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { CloseCode } from '../../src/server/websocket/closeCodes.ts';
import { eventually } from '../support/eventually.ts';
import { gauge, startServer } from './support/server.ts';

/** What operations wait for before they begin. */
function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}

test('an id that is used again at once is the last operation’s alone, and leaves nothing behind', async () => {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  const server = await startServer({
    limits: { operationsPerSocket: 3 },
    // As where something is read before: the operations overlap.
    context: async (identity) => {
      await new Promise((resolve) => setImmediate(resolve));
      return { identity, events };
    },
  });
  const socket = await server.session();
  for (let i = 0; i < 50; i++) {
    socket.subscribe('1', 'subscription { ticks }');
    socket.send({ type: 'complete', id: '1' });
  }
  socket.subscribe('1', 'subscription { told: ticks }');
  socket.send({ type: 'ping' });
  // By then all that was sent before has come.
  expect(await socket.next()).toEqual({ type: 'pong' });
  await eventually(() => expect(events.listenerCount('tick')).toBe(1));
  await eventually(async () => expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(1));
  for (const tick of ['one', 'two']) events.emit('tick', tick);
  for (const told of ['one', 'two']) {
    expect(await socket.next()).toMatchObject({ type: 'next', id: '1', payload: { data: { told } } });
  }
  expect(socket.unread()).toBe(0);
  socket.raw.terminate();
  await eventually(() => expect(events.listenerCount('tick')).toBe(0));
});

test('an id that waits for its turn is in use as well', async () => {
  const { released, release } = held();
  const { session } = await startServer({ context: () => released.then(() => ({})) });
  const socket = await session();
  socket.subscribe('1', '{ hello }');
  socket.send({ type: 'complete', id: '1' });
  for (let i = 0; i < 2; i++) socket.subscribe('1', '{ hello }');
  expect((await socket.closed).code).toBe(4409);
  release();
});

test('operations that their client has completed count until they are over', async () => {
  const { released, release } = held();
  const { session } = await startServer({
    limits: { operationsPerSocket: 3 },
    context: () => released.then(() => ({})),
  });
  const socket = await session();
  for (const id of ['1', '2', '3', '4']) {
    socket.subscribe(id, '{ hello }');
    socket.send({ type: 'complete', id });
  }
  expect((await socket.closed).code).toBe(CloseCode.TooManyRequests);
  release();
});
