/** Results that are written as text reach clients of websockets and event streams as they were written. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { WriteData } from '../../src/core/writeData.ts';
import { openEvents } from './support/events.ts';
import { startServer } from './support/server.ts';

/** JSON that `JSON.stringify` would write without the spaces. */
const DATA = '{ "hello": "text" }';
const RESULT = `{"data":${DATA},"extensions":{"cost":{"objects":0,"limit":30000}}}`;

/** Queries are written as text when they are sent for the third time. */
async function start(write: WriteData) {
  const server = await startServer({ compile: () => write });
  for (let i = 0; i < 2; i++) await server.query('{ hello }');
  return server;
}

test('websocket: the text of a result is sent between what belongs to the message', async () => {
  const { session } = await start(() => DATA);
  const socket = await session();
  const frames: string[] = [];
  socket.raw.on('message', (data) => frames.push(String(data)));
  for (const id of ['1', '2']) {
    socket.subscribe(id, '{ hello }');
    for (let i = 0; i < 2; i++) await socket.next();
  }
  expect(frames).toEqual(
    ['1', '2'].flatMap((id) => [
      `{"id":"${id}","type":"next","payload":${RESULT}}`,
      `{"id":"${id}","type":"complete"}`,
    ]),
  );
});

test('websocket: an operation that the client has completed sends nothing', async () => {
  let finish = (_text: string) => {};
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { session } = await start(() => {
    begin();
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  const socket = await session();
  socket.subscribe('1', '{ hello }');
  await begun;
  socket.send({ id: '1', type: 'complete' });
  socket.send({ type: 'ping' });
  expect(await socket.next()).toMatchObject({ type: 'pong' });
  finish(DATA);
  socket.subscribe('2', '{ language }');
  expect([await socket.next(), await socket.next()]).toMatchObject([
    { id: '2', type: 'next' },
    { id: '2', type: 'complete' },
  ]);
});

test('event stream: the text of a result is sent as the data of its event', async () => {
  const { url, authorization } = await start(() => DATA);
  const stream = await openEvents({ url, query: '{ hello }', headers: { authorization } });
  await stream.closed;
  expect(stream.text()).toContain(`event: next\ndata: ${RESULT}\n\n`);
});

test('metrics: no query counts as an open subscription', async () => {
  const { session, metrics, events } = await start(() => DATA);
  const socket = await session();
  const subscribed = once(events, 'subscribed');
  socket.subscribe('1', 'subscription { ticks }');
  await subscribed;
  socket.subscribe('2', '{ hello }');
  for (let i = 0; i < 2; i++) expect((await socket.next()).id).toBe('2');
  expect(await metrics.registry.metrics()).toMatch(/^tsudoi_open_subscriptions 1$/m);
});
