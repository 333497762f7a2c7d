import { useMemo } from 'react';
import {
  RemoveSavedDocument,
  SaveDocument,
  type SavedPartsFragment,
  type SaveMessageInput,
} from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import type { SavedMark } from './marks.ts';
import { useSavedTexts } from './texts.ts';

/** A reminder that is nearer cannot be set again. */
const NEAREST_MS = 60_000;

export type Saved = Readonly<SavedPartsFragment>;

export interface SavingOptions {
  /** Null if the viewer may not see the message any more. */
  readonly messageId: string | null;
  readonly mark: SavedMark;
  /** Called with what is saved after each change; null after it was removed. */
  readonly onChange?: (saved: Saved | null) => void;
}

/** Saves a message of the viewer's, changes what was saved, and removes it, which can be undone. */
export function useSaving({ messageId, mark, onChange }: SavingOptions) {
  const { api, serialize, savedMarks } = useSession();
  const texts = useSavedTexts();
  const attempt = useAttempt();
  const toast = useToast();
  return useMemo(() => {
    const name = mark === null ? { messageId } : { savedMessageId: mark.id };
    const inOrder = <T>(run: () => Promise<T>) => serialize(`${messageId ?? mark?.id} save`, run);
    const show = (saved: Saved) => {
      if (messageId !== null) savedMarks.put(messageId, saved);
      onChange?.(saved);
    };

    /** Rejects if the server refuses it. */
    async function change(input: SaveMessageInput): Promise<void> {
      const { saveMessage } = await inOrder(() => api.mutateUncached(SaveDocument, { input }));
      show(saveMessage.savedMessage);
    }

    async function restore({ remindAt, ...before }: SaveMessageInput): Promise<void> {
      const isAhead = typeof remindAt === 'string' && Date.parse(remindAt) > Date.now() + NEAREST_MS;
      await change({ messageId, ...before, ...(isAhead ? { remindAt } : {}) });
    }

    return {
      change: (input: SaveMessageInput) => change({ ...name, ...input }),
      save: () =>
        attempt(async () => {
          await change(name);
          toast(texts.saved);
        }),
      remove: () =>
        attempt(async () => {
          const { removeSavedMessage } = await inOrder(() =>
            api.mutateUncached(RemoveSavedDocument, { input: name }),
          );
          if (mark !== null) savedMarks.remove(mark);
          onChange?.(null);
          const { removed } = removeSavedMessage;
          if (removed === null || messageId === null) return toast(texts.removed);
          const { id: _id, ...before } = removed;
          toast(texts.removed, { label: texts.undo, run: () => void attempt(() => restore(before)) });
        }),
    };
  }, [api, serialize, savedMarks, texts, attempt, toast, messageId, mark, onChange]);
}
