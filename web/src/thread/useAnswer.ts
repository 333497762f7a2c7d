import { type RefObject, useCallback, useMemo, useState } from 'react';
import { useSession } from '../session/session.ts';
import type { Message } from '../timeline/message.ts';

export interface Answer {
  /** The reply that the composer's message will answer. Undefined: it answers the thread's root. */
  readonly answered: Message | undefined;
  /** Chooses a message of the thread, and moves the focus to the composer. */
  answer(message: Message): void;
  clear(): void;
}

/** The choice is kept with the thread's draft, so it is there again when the viewer comes back to the thread. */
export function useAnswer(
  pane: RefObject<HTMLElement | null>,
  root: string | undefined,
  messages: ReadonlyMap<string, Message>,
): Answer {
  const { drafts } = useSession();
  const draftKey = `answered in ${root}`;
  const [id, setId] = useState(() => drafts.get(draftKey));
  const choose = useCallback(
    (next: string) => {
      setId(next);
      drafts.set(draftKey, next);
    },
    [drafts, draftKey],
  );
  const answer = useCallback(
    (message: Message) => {
      choose(message.root === null ? '' : message.id);
      pane.current?.querySelector<HTMLElement>('[data-composer]')?.focus();
    },
    [choose, pane],
  );
  const chosen = messages.get(id);
  // A deleted reply cannot be answered any more.
  const answered = chosen?.body === null ? undefined : chosen;
  return useMemo(() => ({ answered, answer, clear: () => choose('') }), [answered, answer, choose]);
}
