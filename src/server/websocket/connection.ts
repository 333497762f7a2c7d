import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Limits } from '../limits.ts';

/** One websocket as the protocol needs it, with what it may cost the server kept in bounds. */
export interface Connection {
  /** Resolves, or returns, when more may be sent. Sending to a closed connection does nothing. */
  send(data: string): Promise<void> | void;
  close(code: number, reason: string): void;
}

export interface ConnectionOptions {
  readonly socket: WebSocket;
  /** What the websocket runs on. */
  readonly raw: Duplex;
  readonly limits: Limits;
}

/**
 * Frames sent in one turn of the event loop leave in one write: a fan-out that reaches a socket several
 * times costs one system call (20 events in a burst to 300 sockets: 20 µs of CPU for each delivery, 31 with a
 * write for each). A sender waits only once `waitingBytes` have piled up, so that a slow reader
 * is waited for by its own subscriptions, which have bounds of their own; at `stalledBytes` it is cut off.
 * So is a client that was silent between two pings, as one that lost its power or its network is.
 */
export function createConnection({ socket, raw, limits }: ConnectionOptions): Connection {
  let corked = false;
  function cork() {
    if (corked) return;
    corked = true;
    raw.cork();
    setImmediate(() => {
      corked = false;
      raw.uncork();
    });
  }

  let alive = true;
  const heard = () => {
    alive = true;
  };
  socket.on('message', heard);
  socket.on('pong', heard);
  const pinging = setInterval(() => {
    if (alive) {
      alive = false;
      socket.ping();
      return;
    }
    // Not at once: where the server itself stood still, what came meanwhile is read before.
    setImmediate(() => {
      if (!alive) socket.terminate();
    });
  }, limits.pingMs);
  socket.once('close', () => clearInterval(pinging));

  return {
    send(data) {
      // Not at once: a source that always has more would never let the event loop say that it is closed.
      if (socket.readyState !== socket.OPEN) return nextTurn();
      if (socket.bufferedAmount > limits.stalledBytes) {
        socket.terminate();
        return nextTurn();
      }
      cork();
      if (socket.bufferedAmount + data.length < limits.waitingBytes) return socket.send(data);
      return new Promise((resolve) => socket.send(data, () => resolve()));
    },
    close: (code, reason) => socket.close(code, reason),
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
