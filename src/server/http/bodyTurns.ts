import type { IncomingMessage } from 'node:http';
import { FairQueue } from '../../core/fairQueue.ts';
import { type GiveBack, type Holder, holderOfPlace } from '../../core/rateLimits.ts';
import type { ServerLimits } from '../limits.ts';

/**
 * The order in which long bodies are read and parsed. Limits of a user are those of a user in one network. The users of
 * a network take turns, and so do the bodies that have arrived, of which one is parsed in each turn of the event loop:
 * with ten at once, each other request would wait for all of them.
 */
export interface BodyTurns {
  /**
   * Returns, or resolves, when the body may be read: at once if it is short. Until then it waits at its client. Call
   * the function when the bytes are not needed any more. For a body in chunks, call it when more than a short one has
   * arrived.
   */
  begin(holder: Holder, incoming: IncomingMessage): GiveBack | Promise<GiveBack>;
  /** Returns, or resolves, when a body of this length may be parsed. */
  parse(holder: Holder, bytes: number): Promise<void> | void;
}

export type BodyLimits = Pick<
  ServerLimits,
  'bodyBytes' | 'shortBodyBytes' | 'userBodyBytes' | 'networkBodyBytes'
>;

/** What is read for one network. */
interface Network {
  bytes: number;
  readonly users: Map<string, number>;
  readonly waiting: FairQueue<() => void>;
}

export function createBodyTurns(limits: BodyLimits): BodyTurns {
  const networks = new Map<string, Network>();
  const arrived = new FairQueue<() => void>();
  let arrivedCount = 0;

  function parseNext(): void {
    arrived.take(() => true)?.();
    arrivedCount--;
    if (arrivedCount > 0) setImmediate(parseNext);
  }

  function add(network: Network, user: string, bytes: number): void {
    network.bytes += bytes;
    const ofUser = (network.users.get(user) ?? 0) + bytes;
    if (ofUser > 0) network.users.set(user, ofUser);
    else network.users.delete(user);
  }

  /** One body may exceed the limit: otherwise a long one would wait until nothing else is read. */
  function beginNext(network: Network): void {
    const mayBegin = (user = '') => (network.users.get(user) ?? 0) < limits.userBodyBytes;
    while (network.bytes < limits.networkBodyBytes) {
      const begin = network.waiting.take(mayBegin);
      if (begin === undefined) return;
      begin();
    }
  }

  return {
    begin(holder, incoming) {
      const { user, network: name } = holderOfPlace(holder);
      // A body in chunks may become as long as any.
      const length = Number(incoming.headers['content-length'] ?? limits.bodyBytes);
      const bytes = Math.min(length, limits.bodyBytes);
      if (bytes <= limits.shortBodyBytes) return () => {};
      const network = networks.get(name) ?? { bytes: 0, users: new Map(), waiting: new FairQueue() };
      networks.set(name, network);
      return new Promise((resolve) => {
        const leave = () => {
          network.waiting.delete(user, begin);
          resolve(() => {});
        };
        const begin = () => {
          incoming.off('close', leave);
          add(network, user, bytes);
          resolve(() => {
            add(network, user, -bytes);
            beginNext(network);
            if (network.bytes === 0) networks.delete(name);
          });
        };
        incoming.once('close', leave);
        network.waiting.add(user, begin);
        beginNext(network);
      });
    },
    parse(holder, bytes) {
      if (bytes <= limits.shortBodyBytes) return;
      return new Promise((resolve) => {
        arrived.add(holderOfPlace(holder).user, resolve);
        if (++arrivedCount === 1) setImmediate(parseNext);
      });
    },
  };
}
