import { useCallback } from 'react';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import type { SavedMark, SavedMarks } from './marks.ts';

/** What the viewer has saved of the message. */
export function useMark({ id, viewerSaved }: { readonly id: string; readonly viewerSaved: SavedMark }) {
  const { savedMarks } = useSession();
  const select = useCallback((marks: ReturnType<SavedMarks['get']>) => marks.get(id), [id]);
  const changed = useStore(savedMarks, select);
  return changed === undefined ? viewerSaved : changed;
}
