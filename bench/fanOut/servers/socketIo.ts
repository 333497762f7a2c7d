/** A peer: Socket.IO as its documentation shows it, with websockets only. An event is encoded once for all sockets. */
import { createServer } from 'node:http';
import { Server as SocketIo } from 'socket.io';
import { listening, type Server } from './server.ts';

/** What a reader receives for this frame of ours. */
export const socketIoFrame = (frame: string): string =>
  `42${JSON.stringify(['news', (JSON.parse(frame) as { payload: object }).payload])}`;

export async function socketIo(): Promise<Server> {
  const http = createServer();
  const io = new SocketIo(http, { transports: ['websocket'], serveClient: false });
  return {
    url: await listening(http),
    variables: {},
    async tell(_round, frame) {
      io.emit('news', (JSON.parse(frame) as { payload: object }).payload);
    },
    async stop() {
      await io.close();
    },
  };
}
