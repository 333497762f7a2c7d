import type { Store } from '../state/store.ts';
import type { RoomState } from './roomState.ts';

/** Moves the line above the first unread message because the viewer marked messages as unread. */
export interface UnreadLine {
  /**
   * Shows the line above this root at once. If `save` rejects, it is again above the last root that was saved, and this
   * rejects as `save` does. Calls of `save` must settle in order.
   */
  moveUnreadLine(rootId: string, save: () => Promise<void>): Promise<void>;
}

export function createUnreadLine(state: Pick<Store<RoomState>, 'get' | 'update'>): UnreadLine {
  /** The root below the line, without the moves that are being saved. */
  let saved: string | undefined;
  let saving = 0;
  const show = (firstUnread: string | undefined) => state.update((now) => ({ ...now, firstUnread }));
  return {
    async moveUnreadLine(rootId, save) {
      if (saving++ === 0) saved = state.get().firstUnread;
      show(rootId);
      try {
        await save();
        saved = rootId;
      } catch (error) {
        if (state.get().firstUnread === rootId) show(saved);
        throw error;
      } finally {
        saving--;
      }
    },
  };
}
