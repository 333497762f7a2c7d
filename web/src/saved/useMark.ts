import { useCallback } from 'react';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { type MarkedMessage, type MarksState, markOf } from './marks.ts';

/** What the viewer has saved of the message. */
export function useMark({ id, viewerSaved }: MarkedMessage) {
  const { savedMarks } = useSession();
  const select = useCallback((state: MarksState) => markOf(state, { id, viewerSaved }), [id, viewerSaved]);
  return useStore(savedMarks, select);
}
