import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Limits } from '../limits.ts';

/** One websocket as the protocol needs it, with what it may cost the server kept in bounds. */
export interface Connection {
  /** Resolves, or returns, when more may be sent. Sending to a closed connection does nothing. */
  send(data: string): Promise<void> | void;
  /** The same for a text in parts, of which one is sent to many: it is framed here, without another copy of it. */
  sendParts(parts: readonly Buffer[]): Promise<void> | void;
  close(code: number, reason: string): void;
}

export interface ConnectionOptions {
  readonly socket: WebSocket;
  /** What the websocket runs on. */
  readonly raw: Duplex;
  readonly limits: Limits;
  readonly corking: Corking;
}

/** Collects what is written to many sockets in one turn of the event loop. */
export interface Corking {
  /** What is written to this stream leaves in one write, at the end of the turn. Once for each stream and turn. */
  cork(stream: Duplex): void;
}

export function createCorking(): Corking {
  let corked: Duplex[] = [];
  return {
    cork(stream) {
      stream.cork();
      if (corked.push(stream) > 1) return;
      setImmediate(() => {
        const streams = corked;
        corked = [];
        for (const one of streams) one.uncork();
      });
    },
  };
}

/**
 * Frames sent in one turn of the event loop leave in one write: a fan-out that reaches a socket several
 * times costs one system call (20 events in a burst to 300 sockets: 20 µs of CPU for each delivery, 31 with a
 * write for each). A sender waits only once `waitingBytes` have piled up, so that a slow reader
 * is waited for by its own subscriptions, which have bounds of their own; at `stalledBytes` it is cut off.
 * So is a client that was silent between two pings, as one that lost its power or its network is.
 */
export function createConnection({ socket, raw, limits, corking }: ConnectionOptions): Connection {
  /** Why nothing can be sent now, as what the sender waits for; undefined if it can. */
  function hindrance(): Promise<void> | undefined {
    // Not at once: a source that always has more would never let the event loop say that it is closed.
    if (socket.readyState !== socket.OPEN) return nextTurn();
    if (socket.bufferedAmount > limits.stalledBytes) {
      socket.terminate();
      return nextTurn();
    }
    if (raw.writableCorked === 0) corking.cork(raw);
    return undefined;
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
      const wait = hindrance();
      if (wait !== undefined) return wait;
      if (socket.bufferedAmount + data.length < limits.waitingBytes) return socket.send(data);
      return new Promise((resolve) => socket.send(data, () => resolve()));
    },
    sendParts(parts) {
      const wait = hindrance();
      if (wait !== undefined) return wait;
      const frame = textFrame(parts);
      // `ws` writes each of its frames whole and at once, so this one is between two of them.
      if (raw.writableLength + frame.length < limits.waitingBytes) return void raw.write(frame);
      return new Promise((resolve) => raw.write(frame, () => resolve()));
    },
    close: (code, reason) => socket.close(code, reason),
  };
}

/** A whole text message of a server: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
function textFrame(parts: readonly Buffer[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  let offset = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(offset + length);
  frame[0] = FINAL_TEXT;
  if (offset === 2) {
    frame[1] = length;
  } else if (offset === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUIntBE(0, 2, 2);
    frame.writeUIntBE(length, 4, 6);
  }
  for (const part of parts) {
    part.copy(frame, offset);
    offset += part.length;
  }
  return frame;
}

const FINAL_TEXT = 0x81;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
