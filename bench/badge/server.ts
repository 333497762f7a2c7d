/** The server under test, in a process of its own: Tsudoi, or `ws` sending ready frames. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { inParallel, serve } from '../support.ts';

interface Argument {
  readonly kind: 'tsudoi' | 'ws';
  readonly people: number;
}

const { kind, people } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

if (kind === 'ws') {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  serve(
    async ({ command, frame }) => {
      if (command === 'url') return `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
      if (command === 'cpu') return cpuMs();
      const data = Buffer.from(String(frame));
      for (const socket of sockets.clients) {
        if (socket.readyState === WebSocket.OPEN) socket.send(data, { binary: false });
      }
      return sockets.clients.size;
    },
    async () => {
      for (const socket of sockets.clients) socket.terminate();
      http.close();
    },
  );
} else {
  const app: TestApp = await startTestApp();
  const { users, rooms, messages } = app.services;
  const owner = await users.ensure({ sub: 'owner', handle: 'owner' });
  const room = await rooms.create(owner, {
    name: 'Bench',
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
  });
  await inParallel(people, 16, async (i) => {
    const user = await users.ensure({ sub: `person-${i}` });
    await rooms.join(user, room.id);
  });
  serve(
    async ({ command, body }) => {
      if (command === 'url') return app.url;
      if (command === 'cpu') return cpuMs();
      await messages.send({ room: room.id, author: owner, body: String(body) });
      return null;
    },
    () => app.stop(),
  );
}
