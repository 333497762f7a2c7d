/** A connection that is open for a long time. */
export interface Pinged {
  ping(): void;
  terminate(): void;
  on(event: 'close', listener: () => void): unknown;
}

/** Sends pings to all connections, and cuts off those that were not marked as alive between two of them. */
export interface Pings {
  add(socket: Pinged): void;
  /** The client has sent something, or has taken what was sent. */
  markAlive(socket: Pinged): void;
}

export interface PingsOptions {
  /** Called when a connection is cut off. */
  readonly onSilent?: () => void;
}

/** How often a server looks at its connections between two pings of each, so that not all pings leave at once. */
const PING_PARTS = 15;

/** One timer for all connections, which runs only while there are some. */
export function createPings(pingMs: number, { onSilent }: PingsOptions = {}): Pings {
  /** With the number of parts until the next ping. */
  const sockets = new Map<Pinged, number>();
  const silent = new Set<Pinged>();
  let timer: NodeJS.Timeout | undefined;

  function checkSockets(): void {
    for (const [socket, parts] of sockets) {
      if (parts > 1) {
        sockets.set(socket, parts - 1);
        continue;
      }
      sockets.set(socket, PING_PARTS);
      if (silent.has(socket)) {
        cutOff(socket);
        continue;
      }
      silent.add(socket);
      socket.ping();
    }
  }

  /** In the next turn: if the server itself was blocked, it first reads what arrived meanwhile. */
  function cutOff(socket: Pinged): void {
    setImmediate(() => {
      if (!silent.has(socket)) return;
      socket.terminate();
      onSilent?.();
    });
  }

  function remove(socket: Pinged): void {
    sockets.delete(socket);
    silent.delete(socket);
    if (sockets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(socket) {
      sockets.set(socket, PING_PARTS);
      timer ??= setInterval(checkSockets, pingMs / PING_PARTS);
      // `once` would take three more objects for each socket, and `close` comes once.
      socket.on('close', () => remove(socket));
    },
    markAlive: (socket) => void silent.delete(socket),
  };
}
