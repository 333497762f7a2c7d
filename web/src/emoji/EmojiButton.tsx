import { Popover } from '@base-ui/react/popover';
import { Smile } from 'lucide-react';
import { type RefObject, Suspense, useState } from 'react';
import { insert } from '../composer/formatting.ts';
import { useI18n } from '../i18n/i18n.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import ui from '../ui/ui.module.css';
import { useOpenings } from '../ui/useOpenings.ts';
import styles from './emoji.module.css';
import { lazyEmojiPanel } from './lazyEmojiPanel.tsx';
import { SearchField } from './SearchField.tsx';

const EmojiPanel = lazyEmojiPanel();

/** Opens the emoji. The one that is picked is written at the caret of the field, which gets the focus. */
export default function EmojiButton({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const openings = useOpenings(open);
  return (
    <Popover.Root
      open={open}
      onOpenChange={(isOpen) => {
        setWanted('');
        setOpen(isOpen);
      }}
    >
      <Popover.Trigger render={<IconButton label={t('emoji.add')} />}>
        <Smile />
      </Popover.Trigger>
      <Layer of={Popover.Portal}>
        <Popover.Positioner side="top" align="end" sideOffset={8} collisionPadding={8}>
          <Popover.Popup
            className={`${ui.popup} ${styles.picker}`}
            aria-label={t('emoji.title')}
            finalFocus={field}
          >
            <SearchField label={t('emoji.search')} wanted={wanted} onChange={setWanted} />
            <Suspense fallback={<div className={styles.panel} />}>
              <EmojiPanel
                key={openings}
                wanted={wanted}
                onPick={(character) => {
                  setOpen(false);
                  field.current?.focus();
                  insert(character);
                }}
              />
            </Suspense>
          </Popover.Popup>
        </Popover.Positioner>
      </Layer>
    </Popover.Root>
  );
}
