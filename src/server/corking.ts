import type { Writable } from 'node:stream';

/** The connection of a websocket or an event stream. */
type Corked = Pick<Writable, 'cork' | 'uncork' | 'writableCorked'>;

/** Collects the writes to many sockets in one turn of the event loop. */
export interface Corking {
  /** Sends what is written to the stream in one write at the end of the turn. Call it once for each stream and turn. */
  cork(stream: Corked): void;
}

export function createCorking(): Corking {
  let corked: Corked[] = [];
  return {
    cork(stream) {
      stream.cork();
      if (corked.push(stream) > 1) return;
      setImmediate(() => {
        const streams = corked;
        corked = [];
        // One whose response has ended meanwhile has been uncorked.
        for (const one of streams) if (one.writableCorked > 0) one.uncork();
      });
    },
  };
}
