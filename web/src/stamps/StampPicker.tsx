import { Popover } from '@base-ui/react/popover';
import { SmilePlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyEmojiPanel } from '../emoji/lazyEmojiPanel.tsx';
import { SearchField } from '../emoji/SearchField.tsx';
import type { StampPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import { MissingScript } from '../ui/MissingScript.tsx';
import ui from '../ui/ui.module.css';
import { useOpenings } from '../ui/useOpenings.ts';
import { stampLabel } from './labels.ts';
import { StampFace } from './StampFace.tsx';
import { isCalled } from './search.ts';
import styles from './stamps.module.css';

const EmojiPanel = lazyEmojiPanel(({ stamps }) => (
  <>
    <div className={styles.early}>{stamps?.grid}</div>
    <MissingScript />
  </>
));

export interface StampPickerProps {
  readonly open: boolean;
  readonly onPick: (stamp: StampPartsFragment) => void;
  readonly onOpenChange: (open: boolean) => void;
}

export const StampPicker = ({ open, onPick, onOpenChange }: StampPickerProps) => {
  const { t } = useI18n();
  const openings = useOpenings(open);
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger render={<IconButton label={t('message.react')} />}>
        <SmilePlus />
      </Popover.Trigger>
      <Layer of={Popover.Portal}>
        <Popover.Positioner side="top" align="end" sideOffset={6} collisionPadding={8}>
          <Popover.Popup className={`${ui.popup} ${styles.picker}`} aria-label={t('message.react')}>
            <Choice
              key={openings}
              onPick={(stamp) => {
                onOpenChange(false);
                onPick(stamp);
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Layer>
    </Popover.Root>
  );
};

/** The pictures of the catalogue and all emoji. The pictures are there before the data of the emoji. */
function Choice({ onPick }: Pick<StampPickerProps, 'onPick'>) {
  const i18n = useI18n();
  const { t } = i18n;
  const { stamps } = useSession();
  const [wanted, setWanted] = useState('');
  const found = stamps.filter((stamp) => isCalled(stamp, wanted));
  const [first] = stamps;
  const grid = (
    <div className={styles.grid}>
      {found.map((stamp) => {
        const label = stampLabel(stamp, i18n);
        return (
          <button key={stamp.key} type="button" data-choice="" title={label} onClick={() => onPick(stamp)}>
            <StampFace stamp={stamp} size={30} label={label} />
          </button>
        );
      })}
    </div>
  );
  return (
    <>
      <SearchField label={t('stamp.search')} wanted={wanted} onChange={setWanted} />
      <Suspense fallback={<div className={styles.early}>{grid}</div>}>
        <EmojiPanel
          wanted={wanted}
          onPick={(emoji) => onPick({ key: emoji, label: emoji, imageUrl: null, emoji })}
          stamps={{
            face: first !== undefined && <StampFace stamp={first} size={20} label="" />,
            grid,
            isEmpty: found.length === 0,
          }}
        />
      </Suspense>
    </>
  );
}
