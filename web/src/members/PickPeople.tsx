import { type FormEvent, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import type { Person } from '../timeline/message.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import { PeoplePicker } from './PeoplePicker.tsx';

export interface PickPeopleProps {
  readonly title: string;
  readonly hint: string;
  /** The label of the submit button. */
  readonly action: string;
  readonly most: number;
  readonly without: ReadonlySet<string>;
  /** Resolves to a message about what went wrong, or undefined on success. */
  readonly onDone: (people: readonly Person[]) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** A dialog for choosing people. */
export function PickPeople({ title, hint, action, most, without, onDone, onClose }: PickPeopleProps) {
  const { t } = useI18n();
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (chosen.length === 0 || isBusy) return;
    setIsBusy(true);
    const error = await onDone(chosen);
    setIsBusy(false);
    if (error === undefined) onClose();
    else setError(error);
  }

  return (
    <Modal title={title} open onClose={onClose}>
      <form className={ui.form} onSubmit={submit}>
        <p className={ui.soft}>{hint}</p>
        <PeoplePicker label={title} chosen={chosen} onChoose={setChosen} most={most} without={without} />
        {error !== undefined && (
          <p className={ui.error} role="alert">
            {error}
          </p>
        )}
        <div className={ui.dialogFoot}>
          <button type="button" className={ui.quiet} onClick={onClose}>
            {t('app.cancel')}
          </button>
          <BusyButton type="submit" className={ui.button} isBusy={chosen.length === 0 || isBusy}>
            {action}
          </BusyButton>
        </div>
      </form>
    </Modal>
  );
}
