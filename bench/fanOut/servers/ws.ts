/** The limit: `ws` sends a ready frame to all readers, and returns what it receives. */
import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { listening, type Server } from './server.ts';

export async function ws(): Promise<Server> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(data, { binary: false }));
  });
  return {
    url: await listening(http),
    variables: {},
    async tell(_round, frame) {
      const data = Buffer.from(frame);
      for (const socket of sockets.clients) {
        if (socket.readyState === WebSocket.OPEN) socket.send(data, { binary: false });
      }
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      http.close();
    },
  };
}
