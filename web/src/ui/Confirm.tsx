import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useI18n } from '../i18n/i18n.ts';
import { Layer } from './Layer.tsx';
import styles from './ui.module.css';

export interface ConfirmProps {
  readonly title: string;
  readonly hint: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** `danger` (the default) for destructive actions. */
  readonly kind?: 'danger' | 'next';
  readonly open: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function Confirm({ title, hint, action, kind = 'danger', open, onConfirm, onClose }: ConfirmProps) {
  const { t } = useI18n();
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Layer of={AlertDialog.Portal} onBack={open ? onClose : undefined}>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.dialog}>
          <AlertDialog.Title className={styles.dialogHead}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.soft}>{hint}</AlertDialog.Description>
          <div className={styles.dialogFoot}>
            <AlertDialog.Close className={styles.quiet}>{t('app.cancel')}</AlertDialog.Close>
            <AlertDialog.Close
              className={kind === 'danger' ? styles.danger : styles.button}
              // While the dialog fades, a second click would do it again.
              onClick={() => open && onConfirm()}
            >
              {action}
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </Layer>
    </AlertDialog.Root>
  );
}
