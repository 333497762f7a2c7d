import { useMemo } from 'react';
import type { SaveMessageInput } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import { removeSaved, type Saved, type SaveTarget, save } from './saves.ts';
import { useSavedTexts } from './texts.ts';

export interface SavingOptions extends SaveTarget {
  /** Called with what is saved after each change; null after it was removed. */
  readonly onChange?: (saved: Saved | null) => void;
}

/** Saves a message of the viewer's, changes what was saved, and removes it, which can be undone. */
export function useSaving({ messageId, mark, onChange }: SavingOptions) {
  const session = useSession();
  const texts = useSavedTexts();
  const attempt = useAttempt();
  const toast = useToast();
  return useMemo(() => {
    /** Rejects if the server refuses it. */
    async function change(input: SaveMessageInput, target: SaveTarget = { messageId, mark }): Promise<void> {
      const saved = await save(session, target, input);
      onChange?.(saved);
    }
    return {
      change: (input: SaveMessageInput) => change(input),
      save: () =>
        attempt(async () => {
          await change({});
          toast(texts.saved);
        }),
      remove: () =>
        attempt(async () => {
          const { before } = await removeSaved(session, { messageId, mark });
          onChange?.(null);
          if (before === undefined) return toast(texts.removed);
          const again = () => change(before, { messageId, mark: null });
          toast(texts.removed, { label: texts.undo, run: () => void attempt(again) });
        }),
    };
  }, [session, texts, attempt, toast, messageId, mark, onChange]);
}
