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
  /** Called if a message could not be handled. Closes the websocket. */
  readonly onError: (error: unknown) => void;
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
export function createOperationIds(options: OperationIdsOptions): (data: string) => void {
  const { handle, close, isOpen, onCount, onError } = options;
  const active = new Map<string, ActiveOperation>();

  /** Not an async function: what that holds while it waits would be held for each open subscription. */
  function begin(id: string, message: unknown): void {
    const operation: ActiveOperation = { completed: false, next: undefined };
    active.set(id, operation);
    onCount(active.size);
    const end = () => {
      active.delete(id);
      onCount(active.size);
      if (operation.next !== undefined && isOpen()) begin(id, operation.next);
    };
    handle(message).then(end, (error: unknown) => {
      onError(error);
      end();
    });
  }

  return (data) => {
    const message = parsed(data);
    const { type, id } = typeAndId(message);
    const operation = id === undefined ? undefined : active.get(id);
    if (type === 'complete' && operation !== undefined) {
      operation.completed = true;
      if (operation.next !== undefined) {
        operation.next = undefined;
        return;
      }
    }
    if (type !== 'subscribe' || id === undefined) handle(message).catch(onError);
    else if (operation === undefined) begin(id, message);
    else if (operation.completed && operation.next === undefined) operation.next = message;
    else close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
  };
}

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
