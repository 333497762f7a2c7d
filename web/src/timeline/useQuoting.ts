import { useRef } from 'react';
import { roomDraft, threadDraft } from '../composer/drafts.ts';
import { composerOf } from '../composer/focusComposer.ts';
import { useSession } from '../session/session.ts';
import { useCopy } from '../ui/useCopy.ts';
import { useActionTexts } from './actionTexts.ts';
import type { Message } from './message.ts';
import { quoted } from './quoted.ts';
import { useRoom } from './RoomContext.ts';

/** Copies the text of a message, or quotes it in the composer of the list in which it is shown. */
export function useQuoting({ id, root, body }: Message, pane: 'timeline' | 'thread') {
  const texts = useActionTexts();
  const { drafts } = useSession();
  const { roomId } = useRoom();
  const copy = useCopy();
  const isQuoting = useRef(false);
  return {
    copy: () => void copy(body ?? '', texts.copied),
    quote() {
      const draft = pane === 'timeline' ? roomDraft(roomId) : threadDraft(root?.id ?? id);
      const before = drafts.get(draft);
      drafts.set(draft, `${before === '' ? '' : `${before.trimEnd()}\n\n`}${quoted(body ?? '')}`);
      isQuoting.current = true;
    },
    /** The element that gets the focus when the menu closes. */
    focusAfter(): HTMLElement | true {
      const composer = isQuoting.current ? composerOf(pane) : null;
      isQuoting.current = false;
      return composer ?? true;
    },
  };
}
