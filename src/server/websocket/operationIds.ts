import { CloseCode } from './closeCodes.ts';

/**
 * Handles one message of a client: the parsed JSON, or the text if it is not JSON. For a `subscribe`, it resolves when
 * the operation has ended.
 */
export type MessageHandler = (message: unknown) => Promise<void>;

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
  next: unknown;
}

/**
 * Runs a websocket's operations with the same id one after the other. graphql-ws frees an id as soon as the client sends
 * `complete`, although the operation may still be running. If the client used the id again at once, graphql-ws could not
 * tell the two apart, and would not end the first one when the websocket closes. So the second one waits for the end of
 * the first, which comes soon. The active operations are counted here for the same reason.
 *
 * Takes the texts of messages. They are parsed here, once: a subscription would keep its text as long as it is open.
 */
export function createOperationIds(options: OperationIdsOptions): (data: string) => Promise<void> {
  const { handle, close, isOpen, onCount } = options;
  const active = new Map<string, ActiveOperation>();

  /** A loop, because a chain of promises would grow as long as the client uses the id again. */
  async function begin(id: string, first: ActiveOperation): Promise<void> {
    let operation = first;
    while (operation.next !== undefined && isOpen()) {
      await runOne(id, operation);
      operation = { completed: false, next: operation.next };
    }
  }

  async function runOne(id: string, operation: ActiveOperation): Promise<void> {
    const message = operation.next;
    operation.next = undefined;
    active.set(id, operation);
    onCount(active.size);
    try {
      await handle(message);
    } finally {
      active.delete(id);
      onCount(active.size);
    }
  }

  return (data) => {
    const message = parsed(data);
    const { type, id } = typeAndId(message);
    const operation = id === undefined ? undefined : active.get(id);
    if (type === 'complete' && operation !== undefined) {
      operation.completed = true;
      if (operation.next !== undefined) {
        operation.next = undefined;
        return DONE;
      }
    }
    if (type !== 'subscribe' || id === undefined) return handle(message);
    if (operation === undefined) return begin(id, { completed: false, next: message });
    if (operation.completed && operation.next === undefined) operation.next = message;
    else close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
    return DONE;
  };
}

const DONE = Promise.resolve();

/** Never throws: graphql-ws refuses a text that is not an object in JSON. */
function parsed(data: string): unknown {
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === 'object' ? message : data;
  } catch {
    return data;
  }
}

function typeAndId(message: unknown): { readonly type?: unknown; readonly id?: string } {
  if (typeof message !== 'object' || message === null) return {};
  const type: unknown = Reflect.get(message, 'type');
  const id: unknown = Reflect.get(message, 'id');
  return typeof id === 'string' ? { type, id } : { type };
}
