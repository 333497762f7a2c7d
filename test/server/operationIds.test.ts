/** Operations that overlap on one websocket: an operation ends later than its client completes it. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { CloseCode } from '../../src/server/websocket/closeCodes.ts';
import { eventually } from '../support/time/eventually.ts';
import { gauge, startServer } from './support/server.ts';

/** A promise that operations wait for before they begin. */
function createGate() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}

test('operationIds: an id that is used again at once belongs to the last operation only', async () => {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  const server = await startServer({
    limits: { operationsPerSocket: 3 },
    // The context takes a turn of the event loop, so operations overlap.
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
  socket.subscribe('1', 'subscription { latest: ticks }');
  socket.send({ type: 'ping' });
  // The pong comes after everything that was sent before.
  expect(await socket.next()).toEqual({ type: 'pong' });
  await eventually(() => expect(events.listenerCount('tick')).toBe(1));
  await eventually(async () => expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(1));
  for (const tick of ['one', 'two']) events.emit('tick', tick);
  for (const latest of ['one', 'two']) {
    expect(await socket.next()).toMatchObject({ type: 'next', id: '1', payload: { data: { latest } } });
  }
  expect(socket.unread()).toBe(0);
  socket.raw.terminate();
  await eventually(() => expect(events.listenerCount('tick')).toBe(0));
});

test('operationIds: an id that waits for its turn is in use', async () => {
  const { released, release } = createGate();
  const { session } = await startServer({ context: () => released.then(() => ({})) });
  const socket = await session();
  socket.subscribe('1', '{ hello }');
  socket.send({ type: 'complete', id: '1' });
  for (let i = 0; i < 2; i++) socket.subscribe('1', '{ hello }');
  expect((await socket.closed).code).toBe(4409);
  release();
});

test('operationIds: operations that the client has completed count until they end', async () => {
  const { released, release } = createGate();
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
