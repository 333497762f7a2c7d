import { CloseCode } from './closeCodes.ts';

/** Takes one message of a client; of a `subscribe` it resolves when the operation is over. */
export type MessageHandler = (data: string) => Promise<void>;

export interface OperationIdsOptions {
  readonly handle: MessageHandler;
  readonly close: (code: number, reason: string) => void;
  readonly isOpen: () => boolean;
  /** Told how many operations are under way, each time that there is one more or less. */
  readonly onCount: (count: number) => void;
}

interface UnderWay {
  /** The client has said `complete`. */
  completed: boolean;
  /** What the client has begun since under the same id. */
  next: string | undefined;
}

/**
 * Has a websocket's operations of one id follow one another. To graphql-ws an id is free as soon as the client says
 * `complete`, while what it had begun is still going on: began the client anew under it, both would be told as one,
 * and of the first nobody would know any more when the websocket closes. So the second waits for the end of the first,
 * which is near. What is under way is counted here for the same reason.
 */
export function createOperationIds({ handle, close, isOpen, onCount }: OperationIdsOptions): MessageHandler {
  const underWay = new Map<string, UnderWay>();

  async function begin(id: string, data: string): Promise<void> {
    let next: string | undefined = data;
    while (next !== undefined && isOpen()) {
      const operation: UnderWay = { completed: false, next: undefined };
      underWay.set(id, operation);
      onCount(underWay.size);
      try {
        await handle(next);
      } finally {
        underWay.delete(id);
        onCount(underWay.size);
      }
      next = operation.next;
    }
  }

  return async (data) => {
    const { type, id } = labelsOf(data);
    const operation = id === undefined ? undefined : underWay.get(id);
    if (type === 'complete' && operation !== undefined) {
      operation.completed = true;
      if (operation.next !== undefined) {
        operation.next = undefined;
        return;
      }
    }
    if (type !== 'subscribe' || id === undefined) return handle(data);
    if (operation === undefined) return begin(id, data);
    if (!operation.completed || operation.next !== undefined) {
      return close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
    }
    operation.next = data;
  };
}

/** What breaks the protocol is for graphql-ws to refuse. */
function labelsOf(data: string): { readonly type?: unknown; readonly id?: string } {
  try {
    const { type, id } = JSON.parse(data) as { type?: unknown; id?: unknown };
    return typeof id === 'string' ? { type, id } : { type };
  } catch {
    return {};
  }
}
