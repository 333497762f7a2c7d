import { useI18n } from '../i18n/i18n.ts';
import { BusyButton } from './BusyButton.tsx';
import ui from './ui.module.css';

export interface FormFootProps {
  /** Why the last attempt failed. */
  readonly error: string | undefined;
  /** The text of the button that submits the form. */
  readonly submit: string;
  readonly isBusy: boolean;
  /** `danger`: what the form does cannot be undone. */
  readonly kind?: 'button' | 'danger';
  /** Absent: the form has no button for it. */
  readonly onCancel?: () => void;
}

/** The end of a form in a dialog: the error, and the buttons. */
export function FormFoot({ error, submit, isBusy, kind = 'button', onCancel }: FormFootProps) {
  const { t } = useI18n();
  return (
    <>
      {error !== undefined && (
        <p className={ui.error} role="alert">
          {error}
        </p>
      )}
      <div className={ui.dialogFoot}>
        {onCancel !== undefined && (
          <button type="button" className={ui.quiet} onClick={onCancel}>
            {t('app.cancel')}
          </button>
        )}
        <BusyButton type="submit" className={ui[kind]} isBusy={isBusy}>
          {submit}
        </BusyButton>
      </div>
    </>
  );
}
