import { Popover } from '@base-ui/react/popover';
import { SmilePlus } from 'lucide-react';
import { useState } from 'react';
import type { StampPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { isComposing } from '../ui/isComposing.ts';
import ui from '../ui/ui.module.css';
import { stampLabel } from './labels.ts';
import { StampFace } from './StampFace.tsx';
import { isCalled } from './search.ts';
import styles from './stamps.module.css';

export interface StampPickerProps {
  readonly onPick: (stamp: StampPartsFragment) => void;
  readonly onOpenChange: (open: boolean) => void;
}

export function StampPicker({ onPick, onOpenChange }: StampPickerProps) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const change = (isOpen: boolean) => {
    setOpen(isOpen);
    onOpenChange(isOpen);
  };
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger render={<IconButton label={t('message.react')} data-stamp-picker="" />}>
        <SmilePlus />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner side="top" align="end" sideOffset={6} collisionPadding={8}>
          <Popover.Popup className={`${ui.popup} ${styles.picker}`} aria-label={t('message.react')}>
            <Choice
              onPick={(stamp) => {
                change(false);
                onPick(stamp);
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choice({ onPick }: Pick<StampPickerProps, 'onPick'>) {
  const i18n = useI18n();
  const { t } = i18n;
  const { stamps } = useSession();
  const [wanted, setWanted] = useState('');
  const found = stamps.filter((stamp) => isCalled(stamp, wanted));
  return (
    <>
      <input
        className={ui.input}
        type="search"
        placeholder={t('stamp.search')}
        aria-label={t('stamp.search')}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'Enter' && found[0] !== undefined) onPick(found[0]);
        }}
      />
      {found.length === 0 && <p className={ui.soft}>{t('stamp.none')}</p>}
      <div className={styles.grid}>
        {found.map((stamp) => {
          const label = stampLabel(stamp, i18n);
          return (
            <button key={stamp.key} type="button" title={label} onClick={() => onPick(stamp)}>
              <StampFace stamp={stamp} size={30} label={label} />
            </button>
          );
        })}
      </div>
    </>
  );
}
