import type { Api } from '../api/api.ts';
import { withRetry } from '../api/retry.ts';
import { FirstUnreadDocument } from '../generated/graphql.ts';
import type { Message } from './message.ts';
import { messagesById, messagesOf, PAGE, roomPage } from './pages.ts';
import { heldIds, type RoomState } from './roomState.ts';
import { edgeOf } from './window.ts';

export interface ResyncOptions {
  readonly api: Pick<Api, 'queryUncached' | 'connection'>;
  readonly roomId: string;
  readonly state: RoomState;
  readonly signal: AbortSignal;
  applyMessage(message: Message): void;
}

/**
 * Reads the messages on the screen again, after events were missed. The screen does not scroll. Messages written
 * since are loaded page by page, like any other part of the room. Retries until it is done; resolves with the id of
 * the first unread message, if there is one.
 */
export function resync({
  api,
  roomId,
  state,
  signal,
  applyMessage,
}: ResyncOptions): Promise<string | undefined> {
  const ids = [...heldIds(state)];
  const around = edgeOf(state.timeline, 'newer') ?? '';
  const read = async () => {
    for (const message of await messagesById(api, ids)) applyMessage(message);
    // New messages can belong before the newest one on the screen: the clocks of two servers differ.
    const page = await roomPage(api, roomId, { first: PAGE, around });
    for (const message of messagesOf(page)) applyMessage(message);
    const { room } = await api.queryUncached(FirstUnreadDocument, { id: roomId });
    return room?.explainUnread[0]?.id;
  };
  return withRetry(api.connection.backoff, read, { signal, isRetryable: () => true });
}
