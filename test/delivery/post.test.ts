import { Agent } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { post } from '../../src/delivery/channels/post.ts';

/** Posts to a receiver that writes this, and resets the connection when the first of it has arrived. */
async function postToReset(answer: string) {
  let accepted: Socket | undefined;
  const server = createServer((socket) => {
    accepted = socket;
    socket.on('error', () => {});
    socket.once('data', () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const agent = new Agent();
  agent.createConnection = () => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => accepted?.resetAndDestroy());
    return socket;
  };
  const url = `http://127.0.0.1:${port}/hook`;
  return post({ url, headers: {}, body: '{}', clock: systemClock, now: Date.now, agent });
}

test.each([200, 503])(
  'post: a receiver that responds %i has decided, also if the connection is reset',
  async (status) => {
    const answer = `HTTP/1.1 ${status} Whatever\r\ncontent-length: 10\r\n\r\nhalf`;
    expect(await postToReset(answer)).toEqual({ type: 'response', status });
  },
);

test('post: a reset before the status is a failure', async () => {
  expect(await postToReset('HTTP/1.1 ')).toEqual({ type: 'failed', code: 'ECONNRESET' });
});
