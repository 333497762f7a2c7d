import { MessageType } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { CloseCode } from './closeCodes.ts';
import type { Session } from './socketOperations.ts';

/**
 * Handles one message of a client: the parsed JSON, or the text if it is not JSON. For a `subscribe`, it resolves when
 * the operation has ended.
 */
export type MessageHandler = (message: unknown) => Promise<void>;

export interface OperationIdsOptions {
  readonly handle: MessageHandler;
  readonly socket: Pick<WebSocket, 'readyState' | 'OPEN'>;
  /** `active` is set to the number of running operations. `connection` is closed if an id is already in use. */
  readonly session: Pick<Session, 'active' | 'connection'>;
  /** Called if a message could not be handled. Closes the websocket. */
  readonly onError: (error: unknown) => void;
}

const SENT_BY_SERVERS: ReadonlySet<unknown> = new Set([
  MessageType.ConnectionAck,
  MessageType.Next,
  MessageType.Error,
]);

interface ActiveOperation {
  /** The client has sent `complete`. */
  completed: boolean;
  /** The `subscribe` that the client has sent since then with the same id. */
  next: unknown;
}

/**
 * Runs a websocket's operations with the same id one after the other. graphql-ws frees an id as soon as the client
 * sends `complete`, although the operation may still be running. If the client used the id again at once, graphql-ws
 * could not tell the two apart, and would not end the first one when the websocket closes. So the second one waits for
 * the end of the first, which comes soon. The active operations are counted here for the same reason.
 */
export interface OperationIds {
  /** Takes the text of a message. It is parsed here, once: a subscription would keep its text as long as it is open. */
  take(data: string): void;
}

export const createOperationIds = (options: OperationIdsOptions): OperationIds =>
  new SocketOperationIds(options);

/** A class, because a server holds one for each socket. */
class SocketOperationIds implements OperationIds {
  readonly #options: OperationIdsOptions;
  readonly #active = new Map<string, ActiveOperation>();

  constructor(options: OperationIdsOptions) {
    this.#options = options;
  }

  take(data: string): void {
    const { handle, session, onError } = this.#options;
    const message = parsed(data);
    const { type, id } = typeAndId(message);
    // graphql-ws takes them for a fault of the server.
    if (SENT_BY_SERVERS.has(type)) {
      session.connection.close(CloseCode.BadRequest, 'Invalid message received');
      return;
    }
    const operation = id === undefined ? undefined : this.#active.get(id);
    if (type === 'complete' && operation !== undefined) {
      operation.completed = true;
      if (operation.next !== undefined) {
        operation.next = undefined;
        return;
      }
    }
    if (type !== 'subscribe' || id === undefined) handle(message).catch(onError);
    else if (operation === undefined) this.#begin(id, message);
    else if (operation.completed && operation.next === undefined) operation.next = message;
    else session.connection.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
  }

  /** Not an async function: what that holds while it waits would be held for each open subscription. */
  #begin(id: string, message: unknown): void {
    const { handle, onError } = this.#options;
    this.#active.set(id, { completed: false, next: undefined });
    this.#count();
    handle(message).then(
      () => this.#end(id),
      (error: unknown) => {
        onError(error);
        this.#end(id);
      },
    );
  }

  #end(id: string): void {
    const { socket } = this.#options;
    const next = this.#active.get(id)?.next;
    this.#active.delete(id);
    this.#count();
    if (next !== undefined && socket.readyState === socket.OPEN) this.#begin(id, next);
  }

  #count(): void {
    this.#options.session.active = this.#active.size;
  }
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
