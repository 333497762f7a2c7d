import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { IconButton } from './IconButton.tsx';
import { Layer } from './Layer.tsx';
import styles from './ui.module.css';

export interface ModalProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** What gets the focus when it is closed. By default what had it before, which must still be there. */
  readonly finalFocus?: () => HTMLElement | null;
  readonly children: ReactNode;
}

/** Selects fields that take text. */
const FIELD = 'input:not([type="checkbox"])';

/** A dialog that keeps the focus inside until it is closed. */
export function Modal({ title, open, onClose, finalFocus, children }: ModalProps) {
  const { t } = useI18n();
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Layer of={Dialog.Portal} onBack={open ? onClose : undefined}>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          ref={popup}
          className={styles.dialog}
          // On a phone, a focused field opens the keyboard before users have read what it is for.
          initialFocus={(by) => (by === 'touch' ? true : (popup.current?.querySelector(FIELD) ?? true))}
          {...(finalFocus === undefined ? {} : { finalFocus })}
        >
          <div className={styles.dialogHead}>
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close render={<IconButton label={t('app.close')} />}>
              <X />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Layer>
    </Dialog.Root>
  );
}
