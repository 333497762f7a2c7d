import { Bookmark, BookmarkCheck } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import type { SavedMark } from './marks.ts';
import { useMark } from './useMark.ts';
import { useSaving } from './useSaving.ts';

const SaveDialog = lazyWithRetry(() => import('./SaveDialog.tsx'));

export interface SaveButtonProps {
  readonly message: { readonly id: string; readonly viewerSaved: SavedMark };
}

/** The first press saves a message; the next one opens the details of what was saved. */
export function SaveButton({ message }: SaveButtonProps) {
  const { t } = useI18n();
  const mark = useMark(message);
  const [isOpen, setIsOpen] = useState(false);
  const { save } = useSaving({ messageId: message.id, mark });
  return (
    <>
      <IconButton
        label={t(mark === null ? 'message.save' : 'message.saveDetails')}
        aria-pressed={mark !== null}
        onClick={() => (mark === null ? void save() : setIsOpen(true))}
      >
        {mark === null ? <Bookmark /> : <BookmarkCheck />}
      </IconButton>
      {isOpen && mark !== null && (
        <Suspense>
          <SaveDialog messageId={message.id} mark={mark} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
