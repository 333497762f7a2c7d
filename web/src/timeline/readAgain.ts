import type { Api } from '../api/api.ts';
import { FirstUnreadDocument } from '../generated/graphql.ts';
import type { Message } from './message.ts';
import { messagesAgain, messagesOf, PAGE, roomPage } from './pages.ts';
import { heldIds, type RoomState } from './roomState.ts';
import { edgeOf } from './window.ts';

export interface ReadAgainOptions {
  readonly api: Pick<Api, 'fetch' | 'connection'>;
  readonly roomId: string;
  readonly shown: RoomState;
  know(message: Message): void;
  isOver(): boolean;
}

/**
 * What is shown, as it is now, after something was missed. It stays where it is; what was said since comes page
 * by page, as any other part of the room does. Tries until it is done; resolves with the id of the first unread one,
 * where there is one.
 */
export async function readAgain({
  api,
  roomId,
  shown,
  know,
  isOver,
}: ReadAgainOptions): Promise<string | undefined> {
  const ids = [...heldIds(shown)];
  const around = edgeOf(shown.timeline, 'newer') ?? '';
  while (!isOver()) {
    try {
      for (const message of await messagesAgain(api, ids)) know(message);
      // Among the newest there may be new ones, too: of two servers' clocks one is behind.
      for (const message of messagesOf(await roomPage(api, roomId, { first: PAGE, around }))) know(message);
      const { room } = await api.fetch(FirstUnreadDocument, { id: roomId });
      return room?.explainUnread[0]?.id;
    } catch {
      await api.connection.gate.wait();
    }
  }
  return undefined;
}
