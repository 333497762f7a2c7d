import { CloseCode } from './closeCodes.ts';

/** Handles one message of a client. For a `subscribe`, it resolves when the operation has ended. */
export type MessageHandler = (data: string) => Promise<void>;

export interface OperationIdsOptions {
  readonly handle: MessageHandler;
  readonly close: (code: number, reason: string) => void;
  readonly isOpen: () => boolean;
  /** Called with the number of active operations each time that it changes. */
  readonly onCount: (count: number) => void;
}

interface ActiveOperation {
  /** The client has sent `complete`. */
  completed: boolean;
  /** The `subscribe` that the client has sent since then with the same id. */
  next: string | undefined;
}

/**
 * Runs a websocket's operations with the same id one after the other. graphql-ws frees an id as soon as the client sends
 * `complete`, although the operation may still be running. If the client used the id again at once, graphql-ws could not
 * tell the two apart, and would not end the first one when the websocket closes. So the second one waits for the end of
 * the first, which is near. The active operations are counted here for the same reason.
 */
export function createOperationIds({ handle, close, isOpen, onCount }: OperationIdsOptions): MessageHandler {
  const active = new Map<string, ActiveOperation>();

  async function begin(id: string, data: string): Promise<void> {
    let next: string | undefined = data;
    while (next !== undefined && isOpen()) {
      const operation: ActiveOperation = { completed: false, next: undefined };
      active.set(id, operation);
      onCount(active.size);
      try {
        await handle(next);
      } finally {
        active.delete(id);
        onCount(active.size);
      }
      next = operation.next;
    }
  }

  return async (data) => {
    const { type, id } = typeAndId(data);
    const operation = id === undefined ? undefined : active.get(id);
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

/** Never throws: graphql-ws refuses a message that violates the protocol. */
function typeAndId(data: string): { readonly type?: unknown; readonly id?: string } {
  try {
    const { type, id } = JSON.parse(data) as { type?: unknown; id?: unknown };
    return typeof id === 'string' ? { type, id } : { type };
  } catch {
    return {};
  }
}
