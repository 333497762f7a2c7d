import { useCallback, useState } from 'react';
import { focusComposer } from '../composer/focusComposer.ts';
import { useSession } from '../session/session.ts';
import type { Row } from './rows.ts';

export interface EditLast {
  /** The message that is being edited because the viewer pressed Arrow Up. */
  readonly editing: string | undefined;
  /** Edits the viewer's last message in the list, if there is one. */
  editLast(): void;
  /** `hasFocus`: whether the focus was in the form. Then it returns to the composer. */
  onEdited(hasFocus: boolean): void;
}

/** Arrow Up in an empty composer edits the viewer's last message in the list itself. */
export function useEditLast(rows: readonly Row[]): EditLast {
  const { viewer } = useSession();
  const [editing, setEditing] = useState<string>();
  const onEdited = useCallback((hasFocus: boolean) => {
    setEditing(undefined);
    if (hasFocus) focusComposer();
  }, []);
  const isOwn = (row: Row) =>
    row.kind === 'message' && row.message.author.id === viewer.id && row.message.body !== null;
  return { editing, editLast: () => setEditing(rows.findLast(isOwn)?.key), onEdited };
}
